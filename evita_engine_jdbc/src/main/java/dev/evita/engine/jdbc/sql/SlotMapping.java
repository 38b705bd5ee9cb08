// SPDX-License-Identifier: Apache-2.0
package dev.evita.engine.jdbc.sql;

import dev.evita.api.RowShape;
import java.util.List;

/**
 * How columns of a statement become the slots of a row: of the level's own, or of a related one
 * that is joined to it.
 *
 * @param slots for each slot the column, or {@code ~i} for the related rows {@code related.get(i)}
 */
public record SlotMapping(RowShape shape, int[] slots, List<Related> related) {

  /** Where related rows are found. */
  public sealed interface Related {

    /** In a statement of their own: that of the level's child of this number. */
    record Below(int child) implements Related {}

    /**
     * In the same row: at most one.
     *
     * @param presence a column that is null where there is none
     */
    record Beside(SlotMapping part, int presence) implements Related {}
  }

  public SlotMapping {
    related = List.copyOf(related);
  }

  /** Of a row without related ones. */
  public static SlotMapping flat(RowShape shape, int[] slots) {
    return new SlotMapping(shape, slots, List.of());
  }
}

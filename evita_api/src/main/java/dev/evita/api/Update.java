// SPDX-License-Identifier: Apache-2.0
package dev.evita.api;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Changes rows.
 *
 * @param changes at least one; each column at most once
 * @param where which rows; null for all
 * @param returning what comes back of each changed row, as it is afterwards; empty for nothing
 */
public record Update(
    TableName table, List<Change> changes, @Nullable Filter where, List<Output> returning)
    implements Operation {

  /** What becomes of a column. */
  public sealed interface Change {
    String column();

    /** The value itself. */
    record Assign(String column, Parameter value) implements Change {}

    /** A column gets its default: null if it has none. */
    record Default(String column) implements Change {}

    /** What it was, plus the value; null stays null. */
    record Increment(String column, Parameter value) implements Change {}
  }

  public Update {
    changes = List.copyOf(changes);
    returning = List.copyOf(returning);
  }
}

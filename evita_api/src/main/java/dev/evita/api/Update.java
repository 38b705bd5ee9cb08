// SPDX-License-Identifier: Apache-2.0
package dev.evita.api;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Updates rows.
 *
 * @param changes at least one; each column at most once
 * @param where selects the rows; null for all
 * @param returning the values to return of each changed row, as it is afterwards; empty for nothing
 */
public record Update(
    TableName table, List<Change> changes, @Nullable Filter where, List<Output> returning)
    implements Operation {

  /** The change of a column. */
  public sealed interface Change {
    String column();

    /** Sets the value. */
    record Assign(String column, Parameter value) implements Change {}

    /** Sets the column's default: null if it has none. */
    record Default(String column) implements Change {}

    /** Adds to the current value; null stays null. */
    record Increment(String column, Parameter value) implements Change {}
  }

  public Update {
    changes = List.copyOf(changes);
    returning = List.copyOf(returning);
  }
}

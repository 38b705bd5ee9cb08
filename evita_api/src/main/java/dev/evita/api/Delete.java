// SPDX-License-Identifier: Apache-2.0
package dev.evita.api;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Deletes rows.
 *
 * @param where selects the rows; null for all
 * @param returning the values to return of each deleted row, as it was; columns only; empty for
 *     nothing
 */
public record Delete(TableName table, @Nullable Filter where, List<Output> returning)
    implements Operation {
  public Delete {
    returning = List.copyOf(returning);
  }
}

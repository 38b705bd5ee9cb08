// SPDX-License-Identifier: Apache-2.0
package dev.evita.api;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Inserts rows; all or none of them.
 *
 * @param columns the columns that each row sets, all {@link Column#writable()} (else {@code
 *     INVALID_OPERATION}); the others get their defaults; may be empty
 * @param rows the argument of type {@link InsertRows}
 * @param onConflict the action for a row whose key exists; null for {@code UNIQUE_VIOLATION}
 * @param returning the values to return of each written row, in no guaranteed order; empty for
 *     nothing
 */
public record Insert(
    TableName into,
    List<String> columns,
    Parameter rows,
    @Nullable OnConflict onConflict,
    List<Output> returning)
    implements Operation {

  /**
   * An upsert.
   *
   * @param keyColumns the columns of a primary or unique key
   * @param update the columns that are set from the new row; empty to leave the existing row
   *     unchanged, which is then not returned
   */
  public record OnConflict(List<String> keyColumns, List<String> update) {
    public OnConflict {
      keyColumns = List.copyOf(keyColumns);
      update = List.copyOf(update);
    }
  }

  public Insert {
    columns = List.copyOf(columns);
    returning = List.copyOf(returning);
  }
}

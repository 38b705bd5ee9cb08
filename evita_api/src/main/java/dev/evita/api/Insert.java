// SPDX-License-Identifier: Apache-2.0
package dev.evita.api;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Adds rows; all or none of them.
 *
 * @param columns what each row gives, {@link Column#writable()} all (else {@code
 *     INVALID_OPERATION}); the others get their defaults; may be empty
 * @param rows the argument that holds {@link InsertRows}
 * @param onConflict what happens to a row whose key exists; null for {@code UNIQUE_VIOLATION}
 * @param returning what comes back of each written row, in no promised order; empty for nothing
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
   * @param update the columns that are set from the new row; empty to leave the old row as it is,
   *     which then is not returned
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

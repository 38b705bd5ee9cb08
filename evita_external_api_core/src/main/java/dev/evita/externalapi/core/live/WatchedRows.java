// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core.live;

import dev.evita.api.Arguments;
import dev.evita.api.KeyValues;
import dev.evita.api.Prepared;
import dev.evita.api.Row;
import dev.evita.api.Select;
import dev.evita.api.Table;
import dev.evita.api.TableName;
import dev.evita.externalapi.core.limits.RowCounter;
import java.util.Map;
import java.util.Set;

/**
 * The rows that a feed watches, compiled for one epoch. Immutable.
 *
 * @param rows a select that returns each row of the table at most once
 * @param tables all tables that it reads
 * @param keys the only row of a table that it reads, if known
 */
public record WatchedRows(
    Prepared rows,
    Arguments arguments,
    Encoder encoder,
    Set<TableName> tables,
    Map<TableName, KeyValues> keys) {

  /** Encodes rows; called once for each row and execution. Thread-safe. */
  public interface Encoder {

    /**
     * The identity of a row.
     *
     * @throws dev.evita.api.EvitaException {@code STORED_VALUE_INVALID} if the database has a row
     *     without a key
     */
    byte[] key(Row row);

    /** The published content of a row; if it differs from the previous one, the row has changed. */
    byte[] row(Row row, RowCounter nested);
  }

  public WatchedRows {
    tables = Set.copyOf(tables);
    keys = Map.copyOf(keys);
  }

  /**
   * Watches the rows of this table.
   *
   * @param rows compiled from a {@link Select}
   */
  public static WatchedRows of(Table table, Prepared rows, Arguments arguments, Encoder encoder) {
    var select = (Select) rows.operation();
    Map<TableName, KeyValues> keys =
        select.tablesBeside().contains(table.name())
            ? Map.of()
            : KeyValues.required(table, select.where(), arguments)
                .map(key -> Map.of(table.name(), key))
                .orElse(Map.of());
    return new WatchedRows(rows, arguments, encoder, select.tables(), keys);
  }
}

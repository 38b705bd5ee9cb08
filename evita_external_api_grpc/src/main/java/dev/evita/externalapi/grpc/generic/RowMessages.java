// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.grpc.generic;

import dev.evita.api.Catalog;
import dev.evita.api.Column;
import dev.evita.api.DataType;
import dev.evita.api.Row;
import dev.evita.api.Table;
import dev.evita.externalapi.grpc.messages.RowEncoder;
import dev.evita.externalapi.grpc.messages.WireWriter;
import java.util.List;

/**
 * Writes the generic service's columns and rows. Several rows share a message up to {@link #BYTES},
 * as each message has a fixed cost. Used by one thread.
 *
 * @param columnsField the number of the field for columns in the message, {@code rowsField} that
 *     for rows
 */
record RowMessages(
    Catalog catalog, Table table, List<Column> columns, int columnsField, int rowsField) {

  /** Size at which a message of rows is complete. */
  static final int BYTES = 8 << 10;

  RowMessages {
    columns = List.copyOf(columns);
  }

  /** Writes the descriptions of the columns. */
  void columns(WireWriter to) {
    columns.forEach(each -> column(catalog, table, each, columnsField, to));
  }

  /** Writes a column as a field of this number. */
  static void column(Catalog catalog, Table table, Column column, int field, WireWriter to) {
    var begun = to.begin(field);
    to.string(1, catalog.apiName(table.name(), column.name()));
    to.integer(2, DatabaseTypes.number(column.type()));
    to.string(3, column.nativeType());
    to.bool(4, column.nullable());
    to.bool(5, column.writable());
    to.bool(6, column.required());
    if (column.comment() != null) {
      to.string(7, column.comment());
    }
    if (column.type() instanceof DataType.Enumeration(var name, var labels)) {
      labels.forEach(label -> to.string(8, label));
    }
    to.end(begun);
  }

  /** Writes a row. */
  void row(Row row, WireWriter to) {
    var begun = to.begin(rowsField);
    for (int i = 0; i < columns.size(); i++) {
      var value = to.begin(1);
      if (!row.isNull(i)) {
        RowEncoder.value(row, i, columns.get(i).type(), to);
      }
      to.end(value);
    }
    to.end(begun);
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.evita.api.testkit.memory;

import dev.evita.api.Arguments;
import dev.evita.api.Column;
import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import dev.evita.api.Insert;
import dev.evita.api.InsertRows;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** An insert. */
final class MemoryInsert extends MemoryWrite {

  private final Insert insert;
  private final List<Column> columns;

  MemoryInsert(MemoryEngine engine, Insert insert) {
    super(engine, insert, insert.into(), insert.returning());
    this.insert = insert;
    this.columns = insert.columns().stream().map(name -> column(table(), name)).toList();
    if (new HashSet<>(insert.columns()).size() < columns.size()) {
      throw new EvitaException(ErrorCode.INVALID_OPERATION, "A column is set twice");
    }
  }

  @Override
  List<@Nullable Object[]> change(Map<List<Object>, @Nullable Object[]> rows, Arguments arguments) {
    var inserted = new ArrayList<@Nullable Object[]>();
    if (!(MemoryValues.argument(arguments, insert.rows()) instanceof InsertRows(var given))) {
      throw new EvitaException(ErrorCode.INVALID_VALUE, "The argument has no rows");
    }
    for (var values : given) {
      var row = row(values);
      add(rows, row);
      inserted.add(row);
    }
    return inserted;
  }

  private @Nullable Object[] row(@Nullable Object[] values) {
    if (values.length != columns.size()) {
      throw new EvitaException(
          ErrorCode.INVALID_OPERATION,
          "A row has " + values.length + " values for " + columns.size() + " columns");
    }
    var row = table().columns().stream().map(MemoryWrite::defaultOf).toArray();
    for (int i = 0; i < values.length; i++) {
      if (!InsertRows.DEFAULT.equals(values[i])) {
        row[position(columns.get(i))] = MemoryValues.stored(columns.get(i), values[i]);
      }
    }
    return row;
  }
}

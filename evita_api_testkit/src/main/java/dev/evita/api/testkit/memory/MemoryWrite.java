// SPDX-License-Identifier: Apache-2.0
package dev.evita.api.testkit.memory;

import dev.evita.api.Arguments;
import dev.evita.api.Column;
import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import dev.evita.api.Operation;
import dev.evita.api.Output;
import dev.evita.api.TableName;
import dev.evita.api.Values;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A write: it makes other rows of the present ones, or fails and leaves them as they are. */
abstract class MemoryWrite extends MemoryStatement {

  MemoryWrite(MemoryEngine engine, Operation operation, TableName table, List<Output> returning) {
    super(engine, operation, table, returning);
  }

  /**
   * Changes the rows of the table.
   *
   * @param rows a copy, to be changed
   * @return the rows that were inserted, updated or deleted
   */
  abstract List<@Nullable Object[]> change(
      Map<List<Object>, @Nullable Object[]> rows, Arguments arguments);

  @Override
  final MemoryExecution.Result execute(
      Arguments arguments, @Nullable MemoryTransaction transaction) {
    var touched = new ArrayList<@Nullable Object[]>();
    if (transaction == null) {
      engine().write(state -> changed(state, arguments, touched));
    } else {
      transaction.write(changed(transaction.current(), arguments, touched));
    }
    List<@Nullable Object[]> returned = shape().slots().isEmpty() ? List.of() : touched;
    return new MemoryExecution.Result(
        returned.stream().map(this::output).iterator(), touched.size());
  }

  private MemoryState changed(
      MemoryState state, Arguments arguments, List<@Nullable Object[]> touched) {
    var rows = new LinkedHashMap<>(rows(state));
    touched.addAll(change(rows, arguments));
    return touched.isEmpty() ? state : state.with(table().name(), rows);
  }

  /** Adds a row whose key must be free. */
  void add(Map<List<Object>, @Nullable Object[]> rows, @Nullable Object[] row) {
    for (var column : table().columns()) {
      if (!column.nullable() && row[position(column)] == null) {
        throw new EvitaException(
            ErrorCode.NOT_NULL_VIOLATION, "Column \"" + column.name() + "\" needs a value");
      }
    }
    if (rows.putIfAbsent(key(row), row) != null) {
      throw new EvitaException(
          ErrorCode.UNIQUE_VIOLATION, "A row of table \"" + table().name() + "\" has this key");
    }
  }

  static @Nullable Object defaultOf(Column column) {
    var text = column.defaultExpression();
    return text == null ? null : MemoryValues.stored(column, Values.parse(column.type(), text));
  }
}

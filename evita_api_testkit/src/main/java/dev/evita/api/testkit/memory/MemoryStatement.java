// SPDX-License-Identifier: Apache-2.0
package dev.evita.api.testkit.memory;

import dev.evita.api.Arguments;
import dev.evita.api.Call;
import dev.evita.api.Column;
import dev.evita.api.Delete;
import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import dev.evita.api.Filter;
import dev.evita.api.Insert;
import dev.evita.api.KeyValues;
import dev.evita.api.NativeQuery;
import dev.evita.api.Operation;
import dev.evita.api.Output;
import dev.evita.api.Prepared;
import dev.evita.api.RowShape;
import dev.evita.api.RowSink;
import dev.evita.api.Script;
import dev.evita.api.Select;
import dev.evita.api.Table;
import dev.evita.api.TableName;
import dev.evita.api.Transaction;
import dev.evita.api.Update;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A prepared operation on one table. */
abstract class MemoryStatement implements Prepared {

  private final MemoryEngine engine;
  private final Operation operation;
  private final Table table;
  private final List<Integer> slots = new ArrayList<>();
  private final RowShape shape;

  MemoryStatement(MemoryEngine engine, Operation operation, TableName name, List<Output> outputs) {
    this.engine = engine;
    this.operation = operation;
    this.table = engine.catalog().requireTable(name);
    var described = new ArrayList<RowShape.Slot>();
    for (var output : outputs) {
      if (!(output instanceof Output.Column(var columnName))) {
        throw new IllegalStateException("no capability for " + output);
      }
      var column = column(table, columnName);
      slots.add(table.columns().indexOf(column));
      described.add(new RowShape.ValueSlot(columnName, column.type()));
    }
    this.shape = new RowShape(described);
  }

  static MemoryStatement of(MemoryEngine engine, Operation operation) {
    return switch (operation) {
      case Select select -> new MemorySelect(engine, select);
      case Insert insert -> new MemoryInsert(engine, insert);
      case Update update -> new MemoryUpdate(engine, update);
      case Delete delete -> new MemoryDelete(engine, delete);
      case Call call -> throw new IllegalStateException("no capability for calls");
      case NativeQuery query -> throw new IllegalStateException("no capability for native queries");
      case Script script -> throw new IllegalStateException("no capability for scripts");
    };
  }

  /**
   * Returns a column.
   *
   * @throws EvitaException {@code UNKNOWN_COLUMN}
   */
  static Column column(Table table, String name) {
    return table
        .column(name)
        .orElseThrow(() ->
            new EvitaException(
                ErrorCode.UNKNOWN_COLUMN,
                "Column \"" + name + "\" does not exist in table \"" + table.name() + "\""));
  }

  MemoryEngine engine() {
    return engine;
  }

  Table table() {
    return table;
  }

  /** The position of a column in stored rows. */
  int position(Column column) {
    return table.columns().indexOf(column);
  }

  @Override
  public Operation operation() {
    return operation;
  }

  @Override
  public RowShape shape() {
    return shape;
  }

  @Override
  public boolean bounded(Arguments arguments) {
    return false;
  }

  @Override
  public void run(Arguments arguments, @Nullable Transaction transaction, RowSink sink) {
    new MemoryExecution(engine, shape, sink)
        .run(() -> execute(arguments, (MemoryTransaction) transaction));
  }

  /**
   * Reads or writes.
   *
   * @throws EvitaException if the execution fails
   */
  abstract MemoryExecution.Result execute(
      Arguments arguments, @Nullable MemoryTransaction transaction);

  /**
   * The rows of the table.
   *
   * @throws EvitaException {@code CATALOG_CHANGED} if it was dropped
   */
  Map<List<Object>, @Nullable Object[]> rows(MemoryState state) {
    var rows = state.tables().get(table.name());
    if (rows == null) {
      throw new EvitaException(
          ErrorCode.CATALOG_CHANGED, "Table " + table.name() + " does not exist any more");
    }
    return rows;
  }

  /** The values of the outputs. */
  @Nullable Object[] output(@Nullable Object[] row) {
    var values = new @Nullable Object[slots.size()];
    for (int i = 0; i < values.length; i++) {
      values[i] = row[slots.get(i)];
    }
    return values;
  }

  /** The primary key of a row. */
  List<Object> key(@Nullable Object[] row) {
    var key = new ArrayList<Object>();
    for (var name : Objects.requireNonNull(table.primaryKey()).columns()) {
      var value = Objects.requireNonNull(row[position(column(table, name))], name);
      // Equal decimals may differ in their scale.
      key.add(value instanceof BigDecimal decimal ? decimal.stripTrailingZeros() : value);
    }
    return key;
  }

  /** The key of the only row that can pass a filter; null if there may be several. */
  @Nullable List<Object> onlyKey(@Nullable Filter filter, Arguments arguments) {
    return KeyValues.required(table, filter, arguments).map(KeyValues::values).orElse(null);
  }
}

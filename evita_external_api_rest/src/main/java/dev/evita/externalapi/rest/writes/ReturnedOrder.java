// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.rest.writes;

import dev.evita.api.Arguments;
import dev.evita.api.Filter;
import dev.evita.api.Output;
import dev.evita.api.Parameter;
import dev.evita.api.Prepared;
import dev.evita.api.Row;
import dev.evita.api.Select;
import dev.evita.externalapi.core.insert.RowKey;
import dev.evita.externalapi.core.json.JsonWriter;
import dev.evita.externalapi.core.limits.Quota;
import dev.evita.externalapi.core.transaction.TransactionExecution;
import dev.evita.externalapi.core.work.Statements;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The order of the rows that a write returns. Databases return written rows in no promised order,
 * so this statement reads their keys in the order that was asked for: before the write where it
 * removes the rows, else after it.
 *
 * <p>Used once, by one thread at a time.
 */
final class ReturnedOrder implements TransactionExecution.Statement {

  private final Prepared prepared;
  private final boolean before;
  private final @Nullable Object[] arguments;
  private final int firstKeys;
  private final int firstSlot;
  private final int columns;
  private final List<List<Object>> order = new ArrayList<>();
  private final Map<List<Object>, Written> rows = new LinkedHashMap<>();
  private final JsonWriter scratch = JsonWriter.inMemory();
  private @Nullable Quota counted;

  /**
   * A row.
   *
   * @param key the values of its key
   * @param shown each makes it the next one of the answer; an upsert may write a row several times
   */
  private record Written(List<Object> key, List<Runnable> shown) {}

  /**
   * @param firstKeys where the values of the rows' keys stand in the arguments, a list for each
   *     column; the arguments' length where the statement comes before the rows are known
   * @param firstSlot where a written row has its key
   */
  private ReturnedOrder(
      Prepared prepared,
      boolean before,
      @Nullable Object[] arguments,
      int firstKeys,
      int firstSlot,
      int columns) {
    this.prepared = prepared;
    this.before = before;
    this.arguments = arguments;
    this.firstKeys = firstKeys;
    this.firstSlot = firstSlot;
    this.columns = columns;
  }

  /** Returns the order of rows that are removed: those of the select, which has their filter. */
  static ReturnedOrder ofRemoved(
      Statements statements, Select shown, List<String> key, @Nullable Object[] arguments) {
    var keys = Select.of(shown.from(), outputs(key)).where(shown.where()).orderBy(shown.orderBy());
    return new ReturnedOrder(
        statements.prepare(keys),
        true,
        arguments,
        arguments.length,
        shown.outputs().size(),
        key.size());
  }

  /**
   * Returns the order of rows that are there after the write. They are found by the values that
   * each column of their key has in any of them: a filter that does not depend on their number.
   */
  static ReturnedOrder ofKept(
      Statements statements, Select shown, List<String> key, @Nullable Object[] arguments) {
    var found = new ArrayList<Filter>();
    for (int i = 0; i < key.size(); i++) {
      found.add(new Filter.In(key.get(i), new Parameter(arguments.length + i)));
    }
    var keys =
        Select.of(shown.from(), outputs(key)).where(new Filter.And(found)).orderBy(shown.orderBy());
    return new ReturnedOrder(
        statements.prepare(keys),
        false,
        Arrays.copyOf(arguments, arguments.length + key.size()),
        arguments.length,
        shown.outputs().size(),
        key.size());
  }

  private static List<Output> outputs(List<String> key) {
    return key.stream().<Output>map(Output.Column::new).toList();
  }

  /** Whether it is to be read before the write. */
  boolean before() {
    return before;
  }

  /** Whether there are rows to put into an order. */
  boolean several() {
    return rows.size() > 1;
  }

  /** Renders rows for {@link #placed}; empty before and after. */
  JsonWriter scratch() {
    return scratch;
  }

  /**
   * Returns what puts a written row to its place.
   *
   * @param row valid during this call only
   * @param shown makes it the next one of the answer
   */
  Runnable placed(Row row, Runnable shown) {
    var key = new ArrayList<Object>(columns);
    for (int i = firstSlot; i < firstSlot + columns; i++) {
      key.add(Objects.requireNonNull(row.objectAt(i), "a key without nulls"));
    }
    return () ->
        rows.computeIfAbsent(RowKey.of(key), unused -> new Written(key, new ArrayList<>()))
            .shown()
            .add(shown);
  }

  /** Makes the answer of all rows; those whose keys were not read come last. */
  void show() {
    for (var key : order) {
      var written = rows.remove(key);
      if (written != null) {
        written.shown().forEach(Runnable::run);
      }
    }
    rows.values().forEach(written -> written.shown().forEach(Runnable::run));
  }

  @Override
  public Prepared prepared() {
    return prepared;
  }

  @Override
  public Arguments arguments() {
    for (int i = firstKeys; i < arguments.length; i++) {
      var column = i - firstKeys;
      arguments[i] = rows.values().stream().map(row -> row.key().get(column)).distinct().toList();
    }
    return Arguments.of(arguments);
  }

  @Override
  public void row(Row row, Quota held) {
    var key = RowKey.of(row, 0, columns);
    if (before) {
      held.count();
      counted = held;
      order.add(key);
    } else if (rows.containsKey(key)) {
      order.add(key);
    }
  }

  /** The rows themselves are counted when they are removed. */
  @Override
  public void completed(long unused) {
    if (counted != null) {
      counted.backTo(counted.rows() - order.size());
    }
  }
}

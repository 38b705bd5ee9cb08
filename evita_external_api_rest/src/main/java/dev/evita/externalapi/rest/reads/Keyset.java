// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.rest.reads;

import dev.evita.api.Arguments;
import dev.evita.api.Column;
import dev.evita.api.DataType;
import dev.evita.api.Key;
import dev.evita.api.Order;
import dev.evita.api.Output;
import dev.evita.api.Parameter;
import dev.evita.api.Row;
import dev.evita.api.Select;
import dev.evita.api.Table;
import dev.evita.externalapi.core.json.CursorFormat;
import dev.evita.externalapi.rest.model.RestModel;
import dev.evita.externalapi.rest.request.ReadQuery;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Pages by position: where the rows of a page have a total order, its last row tells where the next
 * one begins, and page 1 000 costs what page 1 costs.
 *
 * @param firstSlot where the values of the order's terms stand in a row
 * @param limit the index of the page's length among the values of a request
 * @param after the index of the cursor that it begins behind, or {@link ReadQuery#NONE}
 */
record Keyset(CursorFormat cursors, int firstSlot, int limit, int after) {

  /** A select that goes on behind a cursor, and how. */
  record Paged(Select select, Keyset keyset) {}

  /**
   * The same select, paged.
   *
   * @param firstParameter where the position's arguments are to stand
   * @return null where no total order can be had at no cost
   */
  static @Nullable Paged of(
      RestModel model, Select select, ReadQuery.Clauses clauses, int firstParameter) {
    var table = model.table(select.from()).table();
    var key = identity(table);
    if (clauses.limit() == ReadQuery.NONE || key == null) {
      return null;
    }
    var order = total(table, select, key);
    if (order == null) {
      return null;
    }
    var outputs = new ArrayList<>(select.outputs());
    order.forEach(term -> outputs.add(term.output()));
    var position =
        clauses.after() == ReadQuery.NONE
            ? List.<Parameter>of()
            : IntStream.range(0, order.size())
                .mapToObj(i -> new Parameter(firstParameter + i))
                .toList();
    var paged = select.outputs(outputs).orderBy(order).after(position);
    var types = order.stream().map(term -> type(model, table, term)).toList();
    var cursors = CursorFormat.of(table.name(), order, types);
    var slot = select.outputs().size();
    return new Paged(paged, new Keyset(cursors, slot, clauses.limit(), clauses.after()));
  }

  /** The primary key, else a unique key that no null escapes. */
  private static @Nullable Key identity(Table table) {
    if (table.primaryKey() != null) {
      return table.primaryKey();
    }
    return table.uniqueKeys().stream()
        .filter(key ->
            key.columns().stream()
                .noneMatch(name -> table.column(name).map(Column::nullable).orElse(true)))
        .findFirst()
        .orElse(null);
  }

  /**
   * The order with the key behind it, unless that would make the database sort what an index gives
   * in the order that was asked for, or look elsewhere for rows that an index finds.
   */
  private static @Nullable List<Order> total(Table table, Select select, Key key) {
    var order = select.orderBy();
    if (order.isEmpty() && select.where() != null) {
      return null;
    }
    var missing =
        key.columns().stream()
            .filter(column ->
                order.stream()
                    .noneMatch(term ->
                        term.path().isEmpty() && term.value().equals(new Output.Column(column))))
            .toList();
    if (missing.isEmpty()) {
      return order;
    }
    var descending = !order.isEmpty() && order.getLast().direction() == Order.Direction.DESCENDING;
    var total = new ArrayList<>(order);
    missing.forEach(
        column -> total.add(descending ? Order.descending(column) : Order.ascending(column)));
    return order.isEmpty() || !hasIndex(table, order) || hasIndex(table, total) ? total : null;
  }

  /** Whether an index begins with just these columns. */
  private static boolean hasIndex(Table table, List<Order> order) {
    var columns = new ArrayList<String>();
    for (var term : order) {
      if (!term.path().isEmpty() || !(term.value() instanceof Output.Column(var column))) {
        return false;
      }
      columns.add(column);
    }
    var keys = new ArrayList<Key>(table.indexes());
    keys.addAll(table.uniqueKeys());
    if (table.primaryKey() != null) {
      keys.add(table.primaryKey());
    }
    return keys.stream()
        .map(Key::columns)
        .anyMatch(index ->
            index.size() >= columns.size() && index.subList(0, columns.size()).equals(columns));
  }

  private static DataType type(RestModel model, Table table, Order term) {
    var at = term.path().isEmpty() ? table : model.table(term.path().getLast().to()).table();
    return switch (term.value()) {
      case Output.Column(var name) -> at.column(name).orElseThrow().type();
      case Output.Path path -> path.type();
      case Output.Aggregate aggregate ->
          throw new IllegalArgumentException("rows are ordered by single values, not by " + term);
    };
  }

  /** The arguments of a run: of one row more than the page has, to know whether there are more. */
  Arguments arguments(ReadPlan plan, List<Object> values) {
    var position =
        after == ReadQuery.NONE
            ? List.<@Nullable Object>of()
            : cursors.decode((String) values.get(after));
    var arguments = new @Nullable Object[values.size() + position.size()];
    plan.read(values, arguments);
    var rows = (Long) values.get(limit);
    arguments[limit] = rows == Long.MAX_VALUE ? rows : rows + 1;
    for (int i = 0; i < position.size(); i++) {
      arguments[values.size() + i] = position.get(i);
    }
    return Arguments.of(arguments);
  }

  /** The cursor of a row. */
  String cursor(Row row) {
    return cursors.encode(row, firstSlot);
  }
}

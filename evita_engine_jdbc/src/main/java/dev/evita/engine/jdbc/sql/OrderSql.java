// SPDX-License-Identifier: Apache-2.0
package dev.evita.engine.jdbc.sql;

import dev.evita.api.Order;
import dev.evita.api.Output;
import dev.evita.api.Parameter;
import dev.evita.api.Relationship;
import dev.evita.api.Table;
import dev.evita.engine.jdbc.dialect.Bind;
import dev.evita.engine.jdbc.dialect.Columns;
import dev.evita.engine.jdbc.dialect.JdbcErrors;
import dev.evita.engine.jdbc.dialect.Sql;
import dev.evita.engine.jdbc.value.Codec;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import org.jooq.Condition;
import org.jooq.Field;
import org.jooq.impl.DSL;

/**
 * Renders orders and keyset positions of one level, and their values.
 *
 * @param alias of the level's table
 */
record OrderSql(FilterSql filters, Table table, String alias) {

  /** A value of another table, as an expression over the level's. */
  Field<Object> selected(Output.Related related) {
    if (related.path().isEmpty()) {
      throw JdbcErrors.invalid("a related value without a path");
    }
    return switch (related.value()) {
      case Output.Column(var name) ->
          reached(
              related,
              (target, at) ->
                  filters
                      .dialect()
                      .values()
                      .selected(filters.field(target, at, name), filters.codec(target, name)));
      case Output.Path inside ->
          reached(related, (target, at) -> filters.singles().selected(target, at, inside));
      case Output.Aggregate aggregate ->
          reached(related, (target, at) -> filters.aggregates().compared(target, at, aggregate));
    };
  }

  /** A term as an expression over the level's table. */
  Field<Object> term(Order order) {
    BiFunction<Table, String, Field<Object>> value =
        switch (order.value()) {
          case Output.Column(var name) -> (target, at) -> filters.compared(target, at, name);
          case Output.Path path -> (target, at) -> filters.singles().compared(target, at, path);
          case Output.Aggregate aggregate ->
              (target, at) -> filters.aggregates().compared(target, at, aggregate);
        };
    return order.path().isEmpty()
        ? value.apply(table, alias)
        : reached(new Output.Related(order.path(), order.value(), order.where()), value);
  }

  private Field<Object> reached(
      Output.Related related, BiFunction<Table, String, Field<Object>> expression) {
    var path = related.path();
    requireSingle(path, related.value());
    var first = path.getFirst();
    var target = filters.target(table, first);
    var current = filters.sql().alias();
    var outer = filters.joined(table, alias, first, target, current);
    org.jooq.Table<?> from = Sql.table(target.name()).as(DSL.quotedName(current));
    for (var relationship : path.subList(1, path.size())) {
      var next = filters.target(target, relationship);
      var inner = filters.sql().alias();
      var on = filters.joined(target, current, relationship, next, inner);
      from = from.join(Sql.table(next.name()).as(DSL.quotedName(inner))).on(on);
      target = next;
      current = inner;
    }
    if (related.value() instanceof Output.Aggregate aggregate) {
      AggregateSql.check(target, aggregate);
    }
    var where = related.where();
    var rows = where == null ? outer : outer.and(filters.condition(target, current, where));
    return DSL.field(DSL.select(expression.apply(target, current)).from(from).where(rows));
  }

  private static void requireSingle(List<Relationship> path, Output.Value value) {
    var last = value instanceof Output.Aggregate ? path.size() - 1 : path.size();
    for (var relationship : path.subList(0, last)) {
      if (!relationship.single()) {
        throw JdbcErrors.invalid(
            "an order through '" + relationship.name() + "', which is a to-many relationship");
      }
    }
  }

  /** Returns the codec of the values at the end of a path. */
  Codec codec(List<Relationship> path, Output.Value value) {
    var target = table;
    for (var relationship : path) {
      target = filters.target(target, relationship);
    }
    return switch (value) {
      case Output.Column(var name) -> filters.codec(target, name);
      case Output.Path inside -> filters.singles().codec(target, inside);
      case Output.Aggregate aggregate -> filters.aggregates().codec(target, aggregate);
    };
  }

  boolean mayBeNull(Order order) {
    return switch (order.value()) {
      case Output.Aggregate aggregate -> aggregate.function() != Output.Function.COUNT;
      case Output.Column(var name) ->
          !order.path().isEmpty() || Columns.named(table, name).nullable();
      case Output.Path path -> true;
    };
  }

  /**
   * Selects only rows before a position: those after it in the reversed order.
   *
   * @param fields the terms' expressions
   */
  Condition before(List<Order> orders, List<Field<Object>> fields, List<Parameter> position) {
    return after(orders.stream().map(Order::reversed).toList(), fields, position);
  }

  /**
   * Selects only rows after a position: greater in the first term, or equal in it and greater in
   * the second, and so on.
   *
   * <p>A bound on the first term alone precedes it if no nulls interfere: databases find their
   * position in an index by it, but not by the disjunction.
   */
  Condition after(List<Order> orders, List<Field<Object>> fields, List<Parameter> position) {
    var alternatives = new ArrayList<Condition>();
    for (int last = 0; last < orders.size(); last++) {
      var alternative = DSL.noCondition();
      for (int i = 0; i < last; i++) {
        alternative = alternative.and(same(orders.get(i), fields.get(i), position.get(i)));
      }
      alternatives.add(
          alternative.and(beyond(orders.get(last), fields.get(last), position.get(last))));
    }
    var after = DSL.or(alternatives);
    var first = orders.getFirst();
    if (orders.size() == 1 || mayBeNull(first)) {
      return after;
    }
    var value = placed(first, position.getFirst());
    return switch (first.direction()) {
      case ASCENDING -> fields.getFirst().ge(value).and(after);
      case DESCENDING -> fields.getFirst().le(value).and(after);
    };
  }

  private Field<Object> placed(Order order, Parameter value) {
    var codec = codec(order.path(), order.value());
    return filters
        .dialect()
        .values()
        .placed(filters.sql().place(new Bind.Value(value, codec)), codec);
  }

  private Condition same(Order order, Field<Object> field, Parameter value) {
    var placed = placed(order, value);
    return mayBeNull(order) ? field.isNotDistinctFrom(placed) : field.eq(placed);
  }

  private Condition beyond(Order order, Field<Object> field, Parameter value) {
    var placed = placed(order, value);
    var greater =
        switch (order.direction()) {
          case ASCENDING -> field.gt(placed);
          case DESCENDING -> field.lt(placed);
        };
    if (!mayBeNull(order)) {
      return greater;
    }
    var absent = DSL.condition("{0}", filters.sql().place(new Bind.Absent(value)));
    return switch (order.nulls()) {
      case LAST -> greater.or(field.isNull().and(absent.not()));
      case FIRST -> greater.or(field.isNotNull().and(absent));
    };
  }
}

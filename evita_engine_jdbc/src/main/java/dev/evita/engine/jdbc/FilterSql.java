// SPDX-License-Identifier: Apache-2.0
package dev.evita.engine.jdbc;

import dev.evita.api.Catalog;
import dev.evita.api.Column;
import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import dev.evita.api.Filter;
import dev.evita.api.Order;
import dev.evita.api.Parameter;
import dev.evita.api.Relationship;
import dev.evita.api.Table;
import java.util.ArrayList;
import java.util.List;
import org.jooq.Condition;
import org.jooq.Field;
import org.jooq.impl.DSL;

/**
 * Filters, orders and keyset positions as SQL. Each name is looked up in the catalog before it is
 * rendered; each value is a placeholder.
 */
final class FilterSql {

  private final Catalog catalog;
  private final Dialect dialect;
  private final Sql sql;

  FilterSql(Catalog catalog, Dialect dialect, Sql sql) {
    this.catalog = catalog;
    this.dialect = dialect;
    this.sql = sql;
  }

  Sql sql() {
    return sql;
  }

  /**
   * The column of exactly this name.
   *
   * @throws EvitaException {@code UNKNOWN_COLUMN}
   */
  static Column column(Table table, String name) {
    return table
        .column(name)
        .orElseThrow(() ->
            new EvitaException(
                ErrorCode.UNKNOWN_COLUMN,
                "There is no column '" + name + "' in table '" + table.name() + "'"));
  }

  Codec codec(Table table, String name) {
    var column = column(table, name);
    return dialect.codec(column.type(), column.nativeType(), table.name() + "." + name);
  }

  /** A column that is known to be there. */
  Field<Object> field(Table table, String alias, String name) {
    return Sql.column(alias, column(table, name).name());
  }

  /** What stands for the column where rows are ordered or told apart by it. */
  Field<Object> compared(Table table, String alias, String name) {
    return dialect.compared(field(table, alias, name), codec(table, name));
  }

  Condition condition(Table table, String alias, Filter filter) {
    return switch (filter) {
      case Filter.And and ->
          DSL.and(and.filters().stream().map(each -> condition(table, alias, each)).toList());
      case Filter.Or or -> or(table, alias, or);
      case Filter.Not not -> DSL.not(condition(table, alias, not.filter()));
      case Filter.Compare compare ->
          compare(table, alias, compare.column(), compare.comparison(), compare.value());
      case Filter.CompareColumns compare ->
          dialect.compareColumns(
              field(table, alias, compare.column()),
              codec(table, compare.column()),
              compare.comparison(),
              field(table, alias, compare.other()),
              codec(table, compare.other()));
      case Filter.In in -> {
        var codec = codec(table, in.column());
        var values = sql.place(new Bind.Values(in.values(), codec));
        yield dialect.in(field(table, alias, in.column()), codec, values);
      }
      case Filter.IsNull isNull -> field(table, alias, isNull.column()).isNull();
      case Filter.Exists exists -> exists(table, alias, exists);
    };
  }

  private Condition or(Table table, String alias, Filter.Or or) {
    return or.filters().isEmpty()
        ? DSL.falseCondition()
        : DSL.or(or.filters().stream().map(each -> condition(table, alias, each)).toList());
  }

  private Condition compare(
      Table table,
      String alias,
      String column,
      dev.evita.api.Comparison comparison,
      Parameter value) {
    var codec = codec(table, column);
    return dialect.compare(
        sql, field(table, alias, column), codec, comparison, new Bind.Value(value, codec));
  }

  private Condition exists(Table table, String alias, Filter.Exists exists) {
    var relationship = exists.relationship();
    var target = target(table, relationship);
    var inner = sql.alias();
    var joined = joined(table, alias, relationship, target, inner);
    return DSL.exists(
        DSL.selectOne()
            .from(Sql.table(target.name()).as(DSL.quotedName(inner)))
            .where(joined.and(condition(target, inner, exists.filter()))));
  }

  /**
   * The table that a relationship leads to.
   *
   * @throws EvitaException {@code INVALID_OPERATION} if it does not start here
   */
  Table target(Table from, Relationship relationship) {
    if (!relationship.from().equals(from.name())) {
      throw new EvitaException(
          ErrorCode.INVALID_OPERATION,
          "Relationship '%s' starts at '%s', not at '%s'"
              .formatted(relationship.name(), relationship.from(), from.name()));
    }
    return catalog.requireTable(relationship.to());
  }

  private Condition joined(
      Table from, String alias, Relationship relationship, Table to, String inner) {
    var condition = DSL.noCondition();
    for (int i = 0; i < relationship.fromColumns().size(); i++) {
      var left = field(from, alias, relationship.fromColumns().get(i));
      condition = condition.and(field(to, inner, relationship.toColumns().get(i)).eq(left));
    }
    return condition;
  }

  /** An order term as an expression over the table of the alias. */
  Field<Object> orderField(Table table, String alias, Order order) {
    if (order.path().isEmpty()) {
      return compared(table, alias, order.column());
    }
    var first = order.path().getFirst();
    requireSingle(order);
    var target = target(table, first);
    var current = sql.alias();
    var outer = joined(table, alias, first, target, current);
    org.jooq.Table<?> from = Sql.table(target.name()).as(DSL.quotedName(current));
    for (var relationship : order.path().subList(1, order.path().size())) {
      var next = target(target, relationship);
      var inner = sql.alias();
      var on = joined(target, current, relationship, next, inner);
      from = from.join(Sql.table(next.name()).as(DSL.quotedName(inner))).on(on);
      target = next;
      current = inner;
    }
    var column = compared(target, current, order.column());
    return DSL.field(DSL.select(column).from(from).where(outer));
  }

  private static void requireSingle(Order order) {
    for (var relationship : order.path()) {
      if (!relationship.single()) {
        throw Compiler.invalid(
            "an order through '" + relationship.name() + "', which leads to many rows");
      }
    }
  }

  Codec orderCodec(Table table, Order order) {
    var target = table;
    for (var relationship : order.path()) {
      target = target(target, relationship);
    }
    return codec(target, order.column());
  }

  boolean mayBeNull(Table table, Order order) {
    return !order.path().isEmpty() || column(table, order.column()).nullable();
  }

  /**
   * Only rows after a position: greater in the first term, or equal in it and greater in the
   * second, and so on.
   *
   * <p>A bound on the first term alone goes before it where no null is in the way: databases find
   * their place in an index by it, but not by the disjunction.
   */
  Condition after(
      Table table, List<Order> orders, List<Field<Object>> fields, List<Parameter> position) {
    var alternatives = new ArrayList<Condition>();
    for (int last = 0; last < orders.size(); last++) {
      var alternative = DSL.noCondition();
      for (int i = 0; i < last; i++) {
        alternative = alternative.and(same(table, orders.get(i), fields.get(i), position.get(i)));
      }
      alternatives.add(
          alternative.and(beyond(table, orders.get(last), fields.get(last), position.get(last))));
    }
    var after = DSL.or(alternatives);
    var first = orders.getFirst();
    if (orders.size() == 1 || mayBeNull(table, first)) {
      return after;
    }
    var value = placed(table, first, position.getFirst());
    return switch (first.direction()) {
      case ASCENDING -> fields.getFirst().ge(value).and(after);
      case DESCENDING -> fields.getFirst().le(value).and(after);
    };
  }

  private Field<Object> placed(Table table, Order order, Parameter value) {
    var codec = orderCodec(table, order);
    return dialect.placed(sql.place(new Bind.Value(value, codec)), codec);
  }

  private Condition same(Table table, Order order, Field<Object> field, Parameter value) {
    var placed = placed(table, order, value);
    return mayBeNull(table, order) ? field.isNotDistinctFrom(placed) : field.eq(placed);
  }

  private Condition beyond(Table table, Order order, Field<Object> field, Parameter value) {
    var placed = placed(table, order, value);
    var greater =
        switch (order.direction()) {
          case ASCENDING -> field.gt(placed);
          case DESCENDING -> field.lt(placed);
        };
    if (!mayBeNull(table, order)) {
      return greater;
    }
    var absent = DSL.condition("{0}", sql.place(new Bind.Absent(value)));
    return switch (order.nulls()) {
      case LAST -> greater.or(field.isNull().and(absent.not()));
      case FIRST -> greater.or(field.isNotNull().and(absent));
    };
  }
}

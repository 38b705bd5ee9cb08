// SPDX-License-Identifier: Apache-2.0
package dev.evita.engine.jdbc.sql;

import dev.evita.api.Catalog;
import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import dev.evita.api.Filter;
import dev.evita.api.Parameter;
import dev.evita.api.Relationship;
import dev.evita.api.Table;
import dev.evita.engine.jdbc.dialect.Bind;
import dev.evita.engine.jdbc.dialect.Columns;
import dev.evita.engine.jdbc.dialect.Dialect;
import dev.evita.engine.jdbc.dialect.KeyJoin;
import dev.evita.engine.jdbc.dialect.Sql;
import dev.evita.engine.jdbc.value.Codec;
import java.util.List;
import org.jooq.Condition;
import org.jooq.Field;
import org.jooq.impl.DSL;

/**
 * Filters as SQL. Each name is looked up in the catalog before it is rendered; each value is a
 * placeholder.
 */
public final class FilterSql {

  private static final int FEW_TERMS = 100;

  private final Catalog catalog;
  private final Dialect dialect;
  private final Sql sql;
  private final AggregateSql aggregates;
  private final ScalarSql singles;

  public FilterSql(Catalog catalog, Dialect dialect, Sql sql) {
    this.catalog = catalog;
    this.dialect = dialect;
    this.sql = sql;
    this.aggregates = new AggregateSql(dialect);
    this.singles = new ScalarSql(dialect);
  }

  public Sql sql() {
    return sql;
  }

  public Dialect dialect() {
    return dialect;
  }

  AggregateSql aggregates() {
    return aggregates;
  }

  ScalarSql singles() {
    return singles;
  }

  public Codec codec(Table table, String name) {
    var column = Columns.named(table, name);
    return dialect.values().codec(column.type(), column.nativeType(), table.name() + "." + name);
  }

  /** A column that is known to be there. */
  Field<Object> field(Table table, String alias, String name) {
    return Sql.column(alias, Columns.named(table, name).name());
  }

  /** What stands for the column where rows are ordered or told apart by it. */
  Field<Object> compared(Table table, String alias, String name) {
    return dialect.values().compared(field(table, alias, name), codec(table, name));
  }

  public Condition condition(Table table, String alias, Filter filter) {
    return switch (filter) {
      case Filter.And and ->
          balanced(
              "and", and.filters().stream().map(each -> condition(table, alias, each)).toList());
      case Filter.Or or -> or(table, alias, or);
      case Filter.Not not -> DSL.not(condition(table, alias, not.filter()));
      case Filter.Compare compare ->
          compare(table, alias, compare.column(), compare.comparison(), compare.value());
      case Filter.CompareColumns compare ->
          dialect
              .values()
              .compareColumns(
                  field(table, alias, compare.column()),
                  codec(table, compare.column()),
                  compare.comparison(),
                  field(table, alias, compare.other()),
                  codec(table, compare.other()));
      case Filter.In in -> {
        var codec = codec(table, in.column());
        var values = sql.place(new Bind.Values(in.values(), codec));
        yield dialect.values().in(field(table, alias, in.column()), codec, values);
      }
      case Filter.IsNull isNull -> field(table, alias, isNull.column()).isNull();
      case Filter.Exists exists -> exists(table, alias, exists);
      case Filter.Aggregated aggregated -> aggregated(table, alias, aggregated);
      case Filter.AtPath(var path, var test) ->
          tested(singles.field(table, alias, path), singles.codec(table, path), test);
      case Filter.FullText search ->
          dialect
              .values()
              .matches(
                  sql, field(table, alias, search.column()), codec(table, search.column()), search);
    };
  }

  private Condition or(Table table, String alias, Filter.Or or) {
    return or.filters().isEmpty()
        ? DSL.falseCondition()
        : balanced("or", or.filters().stream().map(each -> condition(table, alias, each)).toList());
  }

  /**
   * Halves of halves: SQLite reads a long row of terms as a tree of that depth, and allows 1000.
   */
  private static Condition balanced(String operator, List<Condition> terms) {
    if (terms.size() <= FEW_TERMS) {
      return operator.equals("and") ? DSL.and(terms) : DSL.or(terms);
    }
    var half = terms.size() / 2;
    return DSL.condition(
        "({0} " + operator + " {1})",
        balanced(operator, terms.subList(0, half)),
        balanced(operator, terms.subList(half, terms.size())));
  }

  private Condition compare(
      Table table,
      String alias,
      String column,
      dev.evita.api.Comparison comparison,
      Parameter value) {
    var codec = codec(table, column);
    return dialect
        .values()
        .compare(sql, field(table, alias, column), codec, comparison, new Bind.Value(value, codec));
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

  private Condition aggregated(Table table, String alias, Filter.Aggregated filter) {
    var relationship = filter.relationship();
    var target = target(table, relationship);
    AggregateSql.check(target, filter.aggregate());
    var inner = sql.alias();
    var rows = joined(table, alias, relationship, target, inner);
    if (filter.where() != null) {
      rows = rows.and(condition(target, inner, filter.where()));
    }
    var aggregate = aggregates.compared(target, inner, filter.aggregate());
    var from = Sql.table(target.name()).as(DSL.quotedName(inner));
    var value = DSL.field(DSL.select(aggregate).from(from).where(rows));
    return tested(value, aggregates.codec(target, filter.aggregate()), filter.test());
  }

  private Condition tested(Field<Object> value, Codec codec, Filter.Test test) {
    return switch (test) {
      case Filter.Test.Compare(var comparison, var operand) ->
          dialect.values().compare(sql, value, codec, comparison, new Bind.Value(operand, codec));
      case Filter.Test.In(var values) ->
          dialect.values().in(value, codec, sql.place(new Bind.Values(values, codec)));
      case Filter.Test.IsNull() -> value.isNull();
    };
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

  Condition joined(Table from, String alias, Relationship relationship, Table to, String inner) {
    return new KeyJoin(from, relationship, to, dialect)
        .condition(
            i -> Sql.column(alias, relationship.fromColumns().get(i)),
            i -> Sql.column(inner, relationship.toColumns().get(i)));
  }
}

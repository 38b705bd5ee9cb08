// SPDX-License-Identifier: Apache-2.0
package dev.evita.engine.jdbc.sql;

import dev.evita.api.Output;
import dev.evita.api.Parameter;
import dev.evita.api.Relationship;
import dev.evita.api.Select;
import dev.evita.api.Table;
import dev.evita.engine.jdbc.dialect.Columns;
import dev.evita.engine.jdbc.dialect.JdbcErrors;
import java.util.List;

/** The rules of {@link Select} that no type keeps. */
record SelectRules(Select select, Table table) {

  void check() {
    select.distinctOn().forEach(column -> Columns.named(table, column));
    select.groupBy().forEach(column -> Columns.named(table, column));
    checkPosition(select.after());
    checkPosition(select.before());
    select.outputs().forEach(this::check);
    if (!select.groupBy().isEmpty()) {
      checkGrouped();
      return;
    }
    for (var order : select.orderBy()) {
      if (order.path().isEmpty() && order.value() instanceof Output.Aggregate) {
        throw JdbcErrors.invalid("rows ordered by an aggregate without a relationship");
      }
    }
  }

  private void checkPosition(List<Parameter> position) {
    if (!position.isEmpty() && position.size() != select.orderBy().size()) {
      throw JdbcErrors.invalid(
          "a position of %d values for an order of %d terms"
              .formatted(position.size(), select.orderBy().size()));
    }
  }

  private boolean aggregated() {
    return !select.groupBy().isEmpty() || SelectCompiler.wholeAggregate(select);
  }

  private void check(Output output) {
    switch (output) {
      case Output.Column column when aggregated() -> requireGrouped(column.column());
      case Output.Column column -> Columns.named(table, column.column());
      case Output.Nested nested when aggregated() ->
          throw JdbcErrors.invalid(
              "relationship '" + nested.relationship().name() + "' beside an aggregate");
      case Output.Nested nested -> requireFits(table, nested);
      case Output.Related related when aggregated() ->
          throw JdbcErrors.invalid("a related value beside an aggregate");
      case Output.Related related -> {
        // Its path and its value are looked at where it is rendered.
      }
      case Output.Aggregate aggregate -> AggregateSql.check(table, aggregate);
      case Output.Path path when aggregated() ->
          throw JdbcErrors.invalid("a value inside of JSON beside an aggregate");
      case Output.Cast cast when aggregated() ->
          throw JdbcErrors.invalid("a cast beside an aggregate");
      case Output.Path path -> Columns.named(table, path.column());
      case Output.Cast cast -> ScalarSql.column(table, cast.value());
    }
  }

  private void checkGrouped() {
    if (!select.distinctOn().isEmpty() || !select.after().isEmpty() || !select.before().isEmpty()) {
      throw JdbcErrors.invalid("a distinct or a position beside a group by");
    }
    for (var order : select.orderBy()) {
      if (!order.path().isEmpty()) {
        throw JdbcErrors.invalid("groups ordered by a relationship");
      }
      switch (order.value()) {
        case Output.Column(var column) -> requireGrouped(column);
        case Output.Path path ->
            throw JdbcErrors.invalid("groups ordered by a value inside of JSON");
        case Output.Aggregate aggregate -> AggregateSql.check(table, aggregate);
      }
    }
  }

  private void requireGrouped(String column) {
    Columns.named(table, column);
    if (!select.groupBy().contains(column)) {
      throw JdbcErrors.invalid("column '" + column + "' is not grouped by");
    }
  }

  static void requireFits(Table table, Output.Nested nested) {
    Relationship relationship = nested.relationship();
    if (!relationship.from().equals(table.name())) {
      throw JdbcErrors.invalid(
          "relationship '%s' starts at '%s', not at '%s'"
              .formatted(relationship.name(), relationship.from(), table.name()));
    }
    if (!relationship.to().equals(nested.select().from())) {
      throw JdbcErrors.invalid(
          "relationship '%s' leads to '%s', but '%s' is selected"
              .formatted(relationship.name(), relationship.to(), nested.select().from()));
    }
  }
}

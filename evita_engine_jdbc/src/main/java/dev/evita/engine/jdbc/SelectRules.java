// SPDX-License-Identifier: Apache-2.0
package dev.evita.engine.jdbc;

import dev.evita.api.Output;
import dev.evita.api.Parameter;
import dev.evita.api.Relationship;
import dev.evita.api.Select;
import dev.evita.api.Table;
import java.util.List;

/** The rules of {@link Select} that no type keeps. */
record SelectRules(Select select, Table table) {

  void check() {
    select.distinctOn().forEach(column -> FilterSql.column(table, column));
    select.groupBy().forEach(column -> FilterSql.column(table, column));
    checkPosition(select.after());
    checkPosition(select.before());
    select.outputs().forEach(this::check);
    if (!select.groupBy().isEmpty()) {
      checkGrouped();
      return;
    }
    for (var order : select.orderBy()) {
      if (order.path().isEmpty() && order.value() instanceof Output.Aggregate) {
        throw Compiler.invalid("rows ordered by an aggregate without a relationship");
      }
    }
  }

  private void checkPosition(List<Parameter> position) {
    if (!position.isEmpty() && position.size() != select.orderBy().size()) {
      throw Compiler.invalid(
          "a position of %d values for an order of %d terms"
              .formatted(position.size(), select.orderBy().size()));
    }
  }

  private boolean aggregated() {
    return !select.groupBy().isEmpty() || Compiler.wholeAggregate(select);
  }

  private void check(Output output) {
    switch (output) {
      case Output.Column column when aggregated() -> requireGrouped(column.column());
      case Output.Column column -> FilterSql.column(table, column.column());
      case Output.Nested nested when aggregated() ->
          throw Compiler.invalid(
              "relationship '" + nested.relationship().name() + "' beside an aggregate");
      case Output.Nested nested -> requireFits(table, nested);
      case Output.Related related when aggregated() ->
          throw Compiler.invalid("a related value beside an aggregate");
      case Output.Related related -> {
        // Its path and its value are looked at where it is rendered.
      }
      case Output.Aggregate aggregate -> AggregateSql.check(table, aggregate);
      case Output.Path path when aggregated() ->
          throw Compiler.invalid("a value inside of JSON beside an aggregate");
      case Output.Cast cast when aggregated() ->
          throw Compiler.invalid("a cast beside an aggregate");
      case Output.Path path -> FilterSql.column(table, path.column());
      case Output.Cast cast -> SingleSql.column(table, cast.value());
    }
  }

  private void checkGrouped() {
    if (!select.distinctOn().isEmpty() || !select.after().isEmpty() || !select.before().isEmpty()) {
      throw Compiler.invalid("a distinct or a position beside a group by");
    }
    for (var order : select.orderBy()) {
      if (!order.path().isEmpty()) {
        throw Compiler.invalid("groups ordered by a relationship");
      }
      switch (order.value()) {
        case Output.Column(var column) -> requireGrouped(column);
        case Output.Path path -> throw Compiler.invalid("groups ordered by a value inside of JSON");
        case Output.Aggregate aggregate -> AggregateSql.check(table, aggregate);
      }
    }
  }

  private void requireGrouped(String column) {
    FilterSql.column(table, column);
    if (!select.groupBy().contains(column)) {
      throw Compiler.invalid("column '" + column + "' is not grouped by");
    }
  }

  static void requireFits(Table table, Output.Nested nested) {
    Relationship relationship = nested.relationship();
    if (!relationship.from().equals(table.name())) {
      throw Compiler.invalid(
          "relationship '%s' starts at '%s', not at '%s'"
              .formatted(relationship.name(), relationship.from(), table.name()));
    }
    if (!relationship.to().equals(nested.select().from())) {
      throw Compiler.invalid(
          "relationship '%s' leads to '%s', but '%s' is selected"
              .formatted(relationship.name(), relationship.to(), nested.select().from()));
    }
  }
}

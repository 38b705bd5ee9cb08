// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.graphql.plan;

import dev.evita.api.Order;
import dev.evita.api.Output;
import dev.evita.api.Relationship;
import dev.evita.externalapi.core.live.ValuePath;
import dev.evita.externalapi.graphql.input.Inputs;
import dev.evita.externalapi.graphql.model.AggregateFunction;
import dev.evita.externalapi.graphql.model.FieldModel;
import dev.evita.externalapi.graphql.model.TableModel;
import dev.evita.externalapi.graphql.schema.GroupTypes;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Makes orders of Hasura's {@code order_by}. */
final class OrderBuilder {

  private final OperationBuilder operation;
  private final List<Order> orders = new ArrayList<>();

  OrderBuilder(OperationBuilder operation) {
    this.operation = operation;
  }

  /** The order of a table's rows. */
  List<Order> rows(TableModel table, @Nullable Object orderBy, ValuePath where) {
    for (var terms : elements(orderBy)) {
      rows(table, terms, List.of(), where);
    }
    return orders;
  }

  /**
   * The order of groups of a table's rows.
   *
   * @param by the columns that they are grouped by
   */
  List<Order> groups(TableModel table, @Nullable Object orderBy, List<String> by, ValuePath where) {
    for (var terms : elements(orderBy)) {
      for (var entry : terms.entrySet()) {
        if (operation.resolve(entry.getValue()) instanceof Map<?, ?> inner) {
          if (GroupTypes.AGGREGATE.equals(entry.getKey())) {
            aggregates(table, inner, List.of());
          } else {
            keys(table, inner, by, where.member(GroupTypes.KEY));
          }
        }
      }
    }
    return orders;
  }

  private void keys(TableModel table, Map<?, ?> terms, List<String> by, ValuePath where) {
    for (var entry : terms.entrySet()) {
      var name = String.valueOf(entry.getKey());
      if (operation.resolve(entry.getValue()) instanceof String direction) {
        var column = table.column(name);
        if (!by.contains(column)) {
          throw Inputs.invalid(
              where.member(name), "not a column of the group's key; put it into 'by'");
        }
        add(List.of(), new Output.Column(column), direction);
      }
    }
  }

  private List<Map<?, ?>> elements(@Nullable Object orderBy) {
    var elements = new ArrayList<Map<?, ?>>();
    if (operation.resolve(orderBy) instanceof List<?> list) {
      for (var element : list) {
        if (operation.resolve(element) instanceof Map<?, ?> map) {
          elements.add(map);
        }
      }
    }
    return elements;
  }

  private void rows(TableModel table, Map<?, ?> terms, List<Relationship> path, ValuePath where) {
    operation.requireDepth(path.size() + 1);
    for (var entry : terms.entrySet()) {
      var name = String.valueOf(entry.getKey());
      var value = operation.resolve(entry.getValue());
      if (value instanceof String direction) {
        add(path, new Output.Column(table.column(name)), direction);
      } else if (value instanceof Map<?, ?> inner) {
        switch (table.field(name)) {
          case FieldModel.OfRelationship(var n, var step, var target) ->
              rows(target, inner, longer(path, step), where.member(name));
          case FieldModel.OfAggregate(var n, var step, var target) ->
              aggregates(target, inner, longer(path, step));
          case null, default -> throw new IllegalStateException("no order: " + name);
        }
      }
    }
  }

  private static List<Relationship> longer(List<Relationship> path, Relationship step) {
    var longer = new ArrayList<>(path);
    longer.add(step);
    return longer;
  }

  private void aggregates(TableModel table, Map<?, ?> terms, List<Relationship> path) {
    for (var entry : terms.entrySet()) {
      var name = String.valueOf(entry.getKey());
      var value = operation.resolve(entry.getValue());
      if (value instanceof String direction) {
        add(path, new Output.Aggregate(Output.Function.COUNT, List.of(), false), direction);
      } else if (value instanceof Map<?, ?> columns) {
        var function = AggregateFunction.of(name).function();
        for (var column : columns.entrySet()) {
          if (operation.resolve(column.getValue()) instanceof String direction) {
            var of = table.column(String.valueOf(column.getKey()));
            add(path, new Output.Aggregate(function, List.of(of), false), direction);
          }
        }
      }
    }
  }

  private void add(List<Relationship> path, Output.Value value, String direction) {
    var descending = direction.startsWith("desc");
    var nullsFirst =
        direction.endsWith("nulls_first") || (descending && !direction.endsWith("nulls_last"));
    orders.add(
        new Order(
            path,
            value,
            descending ? Order.Direction.DESCENDING : Order.Direction.ASCENDING,
            nullsFirst ? Order.Nulls.FIRST : Order.Nulls.LAST));
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.graphql.plan;

import dev.evita.api.DataType;
import dev.evita.externalapi.graphql.model.AggregateFunction;
import dev.evita.externalapi.graphql.model.FieldModel;
import dev.evita.externalapi.graphql.model.TableModel;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;

/**
 * Arguments of lists of a {@link RandomDocument}.
 *
 * @param totalOrder whether every list is put in an order without ties
 */
record RandomArguments(RandomSource source, boolean totalOrder) {

  /** All arguments of a list, in parentheses; empty where there are none. */
  String of(TableModel table) {
    var arguments = new ArrayList<String>();
    if (source.chance(60)) {
      arguments.add("where: " + where(table, 1));
    }
    if (source.chance(40)) {
      arguments.add("limit: " + source.leaf("Int", "" + source.next(6)));
    }
    if (source.chance(20)) {
      arguments.add("offset: " + source.leaf("Int", "" + source.next(4)));
    }
    var orders = new ArrayList<String>();
    if (source.chance(15)) {
      var column = source.any(table.columns()).name();
      arguments.add("distinct_on: [" + column + "]");
      orders.add("{" + column + ": " + source.direction() + "}");
    }
    if (source.chance(50)) {
      orders.add(order(table));
    }
    if (totalOrder) {
      orders.add(keyOrder(table));
    }
    if (orders.size() > 1) {
      arguments.add("order_by: [" + String.join(", ", orders) + "]");
    } else if (orders.size() == 1) {
      arguments.add("order_by: " + orders.getFirst());
    }
    return arguments.isEmpty() ? "" : "(" + String.join(", ", arguments) + ")";
  }

  private static String keyOrder(TableModel table) {
    return Objects.requireNonNull(table.table().primaryKey()).columns().stream()
        .map(column -> table.fieldOf(column).name() + ": asc")
        .collect(Collectors.joining(", ", "{", "}"));
  }

  private String order(TableModel table) {
    var fields = new ArrayList<FieldModel>();
    table.fields().forEach(fields::add);
    return switch (source.any(fields)) {
      case FieldModel.OfColumn(var name, var column) ->
          "{" + name + ": " + source.direction() + "}";
      case FieldModel.OfRelationship(var name, var relationship, var target)
          when relationship.single() ->
          "{" + name + ": " + order(target) + "}";
      case FieldModel.OfAggregate(var name, var relationship, var target) ->
          "{" + name + ": " + aggregateOrder(target) + "}";
      default -> "{" + table.columns().getFirst().name() + ": " + source.direction() + "}";
    };
  }

  String aggregateOrder(TableModel table) {
    return source.chance(50)
        ? "{count: " + source.direction() + "}"
        : "{"
            + source.any(List.of("sum", "min", "max"))
            + ": {"
            + source.any(numbers(table))
            + ": "
            + source.direction()
            + "}}";
  }

  // A Float in graphql-java is a double, which cannot represent averages of a bigint.
  static List<String> numbers(TableModel table) {
    return AggregateFunction.SUM.columns(table).stream()
        .filter(field -> field.column().type() != DataType.Scalar.INT64)
        .map(FieldModel.OfColumn::name)
        .toList();
  }

  String where(TableModel table, int depth) {
    if (depth > 3) {
      return "{}";
    }
    var members = new LinkedHashMap<String, String>();
    for (int i = source.next(3); i >= 0; i--) {
      var fields = new ArrayList<FieldModel>();
      table.fields().forEach(fields::add);
      var key =
          switch (source.next(8)) {
            case 0 -> "_and";
            case 1 -> "_or";
            case 2 -> "_not";
            default -> source.any(fields).name();
          };
      if (!members.containsKey(key) && !(table.field(key) instanceof FieldModel.OfGroups)) {
        members.put(key, condition(table, key, depth));
      }
    }
    return members.entrySet().stream()
        .map(entry -> entry.getKey() + ": " + entry.getValue())
        .collect(Collectors.joining(", ", "{", "}"));
  }

  private String condition(TableModel table, String key, int depth) {
    return switch (table.field(key)) {
      case FieldModel.OfColumn(var name, var column) -> source.comparison(column.type());
      case FieldModel.OfRelationship(var name, var relationship, var target) ->
          where(target, depth + 1);
      case FieldModel.OfAggregate(var name, var relationship, var target) ->
          countCondition(target, depth);
      case FieldModel.OfGroups groups -> throw new IllegalStateException();
      case null ->
          switch (key) {
            case "_and" -> "[" + where(table, depth + 1) + "]";
            case "_not" -> where(table, depth + 1);
            default ->
                source.chance(20)
                    ? "[]"
                    : "[" + where(table, depth + 1) + ", " + where(table, depth + 1) + "]";
          };
    };
  }

  private String countCondition(TableModel target, int depth) {
    var members = new ArrayList<String>();
    members.add(
        "predicate: {"
            + source.any(List.of("_gt", "_eq", "_lte", "_neq"))
            + ": "
            + source.next(4)
            + "}");
    if (source.chance(40)) {
      members.add("arguments: [" + source.any(target.columns()).name() + "]");
    }
    if (source.chance(40)) {
      members.add("distinct: " + source.leaf("Boolean", "" + source.chance(50)));
    }
    if (source.chance(40)) {
      members.add("filter: " + where(target, depth + 1));
    }
    return "{count: {" + String.join(", ", members) + "}}";
  }
}

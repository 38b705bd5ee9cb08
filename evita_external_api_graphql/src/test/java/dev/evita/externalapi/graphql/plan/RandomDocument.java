// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.graphql.plan;

import dev.evita.api.Values;
import dev.evita.externalapi.graphql.model.ApiModel;
import dev.evita.externalapi.graphql.model.FieldModel;
import dev.evita.externalapi.graphql.model.RootModel;
import dev.evita.externalapi.graphql.model.TableModel;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A valid document over a {@code ShopData}, with variables: aliases, merged fields, fragments,
 * directives, defaults, all arguments. The same seed gives the same document.
 */
final class RandomDocument {

  private final RandomSource source;
  private final ApiModel model;
  private final RandomArguments lists;
  private final List<String> fragments = new ArrayList<>();
  private final String text;

  /**
   * @param totalOrder whether every list is put in an order without ties
   */
  RandomDocument(ApiModel model, long seed, boolean totalOrder) {
    this.model = model;
    this.source = new RandomSource(seed);
    this.lists = new RandomArguments(source, totalOrder);
    var roots = source.repeat(1, 3, this::root);
    this.text =
        "query Q" + source.declarations() + " {\n" + roots + "}\n" + String.join("\n", fragments);
  }

  String text() {
    return text;
  }

  /** As JSON. */
  String variables() {
    return source.variables();
  }

  private String root() {
    var table = source.any(model.tables());
    return switch (source.next(14)) {
      case 0 -> "__typename";
      case 1 ->
          source.fresh("e")
              + ": echo(message: "
              + source.leaf("String!", "\"hé\\n\"")
              + ") { m: message }";
      case 2 ->
          source.fresh("k")
              + ": products_by_pk(id: "
              + source.leaf("Int!", "" + (1 + source.next(14)))
              + ")"
              + source.directive()
              + selection(productsTable(), 1);
      case 11, 12 -> source.fresh("p") + ": " + connection(table);
      case 10 -> source.fresh("b") + ": " + groups(table, table.typeName() + "_group_by");
      case 3, 4 ->
          source.fresh("g")
              + ": "
              + table.typeName()
              + "_aggregate"
              + lists.of(table)
              + aggregates(table, 1);
      default ->
          source.fresh("r")
              + ": "
              + table.typeName()
              + lists.of(table)
              + source.directive()
              + selection(table, 1);
    };
  }

  private TableModel productsTable() {
    return model.tables().stream()
        .filter(table -> table.typeName().equals("products"))
        .findFirst()
        .orElseThrow();
  }

  private String selection(TableModel table, int depth) {
    return " {\n" + source.repeat(1, 5, () -> member(table, depth)) + "}";
  }

  private String member(TableModel table, int depth) {
    if (source.chance(8)) {
      return "... on " + table.typeName() + source.directive() + selection(table, depth + 1);
    }
    if (source.chance(8)) {
      var name = source.fresh("F");
      fragments.add("fragment " + name + " on " + table.typeName() + selection(table, depth + 1));
      return "..." + name + source.directive();
    }
    if (source.chance(8)) {
      return source.chance(50) ? "__typename" : "kind: __typename";
    }
    var fields = new ArrayList<FieldModel>();
    table.fields().forEach(fields::add);
    return switch (source.any(fields)) {
      case FieldModel.OfColumn(var name, var column) ->
          (source.chance(30) ? "x_" + name + ": " : "") + name + source.directive();
      case FieldModel.OfRelationship(var name, var relationship, var target)
          when relationship.single() ->
          depth > 3 ? "__typename" : name + source.directive() + selection(target, depth + 1);
      case FieldModel.OfRelationship(var name, var relationship, var target) ->
          depth > 3
              ? "__typename"
              : source.fresh("n") + ": " + name + lists.of(target) + selection(target, depth + 1);
      case FieldModel.OfAggregate(var name, var relationship, var target) ->
          depth > 3
              ? "__typename"
              : source.fresh("c") + ": " + name + lists.of(target) + aggregates(target, depth + 1);
      case FieldModel.OfGroups(var name, var relationship, var target) ->
          depth > 3 ? "__typename" : source.fresh("b") + ": " + groups(target, name);
    };
  }

  private String aggregates(TableModel table, int depth) {
    return " {\n"
        + source.repeat(
            1,
            3,
            () ->
                switch (source.next(4)) {
                  case 0 -> "__typename";
                  case 1 -> "nodes" + source.directive() + selection(table, depth + 1);
                  default -> "aggregate" + source.directive() + aggregate(table);
                })
        + "}";
  }

  private String aggregate(TableModel table) {
    return " { "
        + source.repeat(
            1,
            3,
            () ->
                switch (source.next(4)) {
                  case 0 -> "count";
                  case 1 ->
                      source.fresh("d")
                          + ": count(columns: ["
                          + source.any(table.columns()).name()
                          + "], distinct: "
                          + source.leaf("Boolean", "" + source.chance(50))
                          + ")";
                  default ->
                      source.any(List.of("sum", "avg", "min", "max"))
                          + " { "
                          + source.any(RandomArguments.numbers(table))
                          + " }";
                })
        + "}";
  }

  private String connection(TableModel table) {
    var name = table.typeName() + "_connection";
    var root = (RootModel.Connection) Objects.requireNonNull(model.root(name));
    var orderBy = new ArrayList<Map<String, Object>>();
    for (int i = source.next(3); i > 0; i--) {
      orderBy.add(connectionOrder(table));
    }
    var arguments = new ArrayList<String>();
    var shown = orderBy.stream().map(RandomDocument::literal).collect(Collectors.joining(", "));
    arguments.add("order_by: [" + shown + "]");
    if (source.chance(40)) {
      arguments.add("where: " + lists.where(table, 1));
    }
    for (var size : List.of("first", "last")) {
      if (source.chance(40)) {
        arguments.add(size + ": " + source.leaf("Int", "" + source.next(6)));
      }
    }
    for (var position : List.of("after", "before")) {
      if (source.chance(40)) {
        arguments.add(position + ": " + source.leaf("String", cursor(root, orderBy)));
      }
    }
    return name
        + "("
        + String.join(", ", arguments)
        + ") {\n"
        + source.repeat(1, 4, () -> connectionMember(table))
        + "}";
  }

  private String connectionMember(TableModel table) {
    return switch (source.next(5)) {
      case 0 -> "totalCount" + source.directive() + " __typename";
      case 1 -> source.fresh("n") + ": nodes" + source.directive() + selection(table, 2);
      case 2 -> "edges { node" + selection(table, 2) + " }";
      case 3 -> "edges" + source.directive() + " { cursor __typename }";
      default ->
          "pageInfo"
              + source.directive()
              + " { hasNextPage hasPreviousPage startCursor endCursor }";
    };
  }

  private Map<String, Object> connectionOrder(TableModel table) {
    var fields = new ArrayList<FieldModel>();
    table.fields().forEach(fields::add);
    var word = source.any(List.of("asc", "desc", "asc_nulls_first", "desc_nulls_last"));
    return switch (source.any(fields)) {
      case FieldModel.OfColumn(var name, var column) -> Map.of(name, word);
      case FieldModel.OfRelationship(var name, var relationship, var target)
          when relationship.single() ->
          Map.of(name, connectionOrder(target));
      case FieldModel.OfAggregate(var name, var relationship, var target) ->
          Map.of(
              name,
              source.chance(50)
                  ? Map.of("count", word)
                  : Map.of(
                      source.any(List.of("sum", "max")),
                      Map.of(source.any(RandomArguments.numbers(target)), word)));
      default -> Map.of(table.columns().getFirst().name(), word);
    };
  }

  @SuppressWarnings("unchecked")
  private static String literal(Map<String, Object> orderBy) {
    return orderBy.entrySet().stream()
        .map(entry ->
            entry.getKey()
                + ": "
                + (entry.getValue() instanceof Map<?, ?> map
                    ? literal((Map<String, Object>) map)
                    : entry.getValue()))
        .collect(Collectors.joining(", ", "{", "}"));
  }

  /** A cursor of any position, whether a row exists there or not. */
  private String cursor(RootModel.Connection connection, List<Map<String, Object>> orderBy) {
    var cursors = OracleConnections.format(connection, orderBy);
    var values = new ArrayList<@Nullable Object>();
    var key = cursors.types().size() - connection.key().size();
    for (var type : cursors.types()) {
      var text = source.value(type).replaceAll("^\"|\"$", "").replace("\\", "");
      values.add(values.size() < key && source.chance(20) ? null : Values.parse(type, text));
    }
    return "\"" + cursors.encode(values) + "\"";
  }

  private String groups(TableModel table, String name) {
    var by = new LinkedHashSet<String>();
    for (int i = source.next(2); i >= 0; i--) {
      by.add(source.any(table.columns()).name());
    }
    var keys = List.copyOf(by);
    var arguments = new ArrayList<String>();
    arguments.add("by: [" + String.join(", ", keys) + "]");
    if (source.chance(40)) {
      arguments.add("where: " + lists.where(table, 1));
    }
    if (source.chance(30)) {
      arguments.add("limit: " + source.leaf("Int", "" + source.next(6)));
    }
    var orders = new ArrayList<String>();
    if (source.chance(40)) {
      orders.add("{aggregate: " + lists.aggregateOrder(table) + "}");
    }
    keys.forEach(key -> orders.add("{key: {" + key + ": " + source.direction() + "}}"));
    arguments.add("order_by: [" + String.join(", ", orders) + "]");
    return name
        + "("
        + String.join(", ", arguments)
        + ")"
        + source.directive()
        + " {\n"
        + source.repeat(
            1,
            3,
            () ->
                switch (source.next(4)) {
                  case 0 -> "__typename";
                  case 1 -> "aggregate" + source.directive() + aggregate(table);
                  default ->
                      "key" + source.directive() + " { __typename " + source.any(keys) + " }";
                })
        + "}";
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.graphql;

import dev.evita.api.DataType;
import dev.evita.api.Values;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A valid document over a {@link ShopData}, with variables: aliases, merged fields, fragments,
 * directives, defaults, all arguments. The same seed gives the same document.
 */
final class RandomDocument {

  private final Random random;
  private final ApiModel model;
  private final boolean totalOrder;
  private final List<String> declarations = new ArrayList<>();
  private final List<String> fragments = new ArrayList<>();
  private final Map<String, String> variables = new LinkedHashMap<>();
  private final String text;
  private int names;

  /**
   * @param totalOrder whether every list is put in an order without ties
   */
  RandomDocument(ApiModel model, long seed, boolean totalOrder) {
    this.model = model;
    this.totalOrder = totalOrder;
    this.random = new Random(seed);
    var roots = repeat(1, 3, this::root);
    var declared = declarations.isEmpty() ? "" : "(" + String.join(", ", declarations) + ")";
    this.text = "query Q" + declared + " {\n" + roots + "}\n" + String.join("\n", fragments);
  }

  String text() {
    return text;
  }

  /** As JSON. */
  String variables() {
    return variables.entrySet().stream()
        .map(entry -> "\"" + entry.getKey() + "\":" + entry.getValue())
        .collect(Collectors.joining(",", "{", "}"));
  }

  private String repeat(int least, int most, java.util.function.Supplier<String> part) {
    return IntStream.range(0, least + random.nextInt(most - least + 1))
        .mapToObj(i -> part.get())
        .collect(Collectors.joining("\n", "", "\n"));
  }

  private boolean chance(int percent) {
    return random.nextInt(100) < percent;
  }

  private <T> T any(List<T> from) {
    return from.get(random.nextInt(from.size()));
  }

  private String fresh(String stem) {
    return stem + ++names;
  }

  private String root() {
    var table = any(model.tables());
    return switch (random.nextInt(14)) {
      case 0 -> "__typename";
      case 1 -> fresh("e") + ": echo(message: " + leaf("String!", "\"hé\\n\"") + ") { m: message }";
      case 2 ->
          fresh("k")
              + ": products_by_pk(id: "
              + leaf("Int!", "" + (1 + random.nextInt(14)))
              + ")"
              + directive()
              + selection(productsTable(), 1);
      case 11, 12 -> fresh("p") + ": " + connection(table);
      case 10 -> fresh("b") + ": " + groups(table, table.typeName() + "_group_by");
      case 3, 4 ->
          fresh("g")
              + ": "
              + table.typeName()
              + "_aggregate"
              + arguments(table)
              + aggregates(table, 1);
      default ->
          fresh("r")
              + ": "
              + table.typeName()
              + arguments(table)
              + directive()
              + selection(table, 1);
    };
  }

  private TableModel productsTable() {
    return model.tables().stream()
        .filter(table -> table.typeName().equals("products"))
        .findFirst()
        .orElseThrow();
  }

  private String directive() {
    if (!chance(15)) {
      return "";
    }
    var name = chance(50) ? "@skip" : "@include";
    return " " + name + "(if: " + leaf("Boolean!", "" + chance(50)) + ")";
  }

  private String selection(TableModel table, int depth) {
    return " {\n" + repeat(1, 5, () -> member(table, depth)) + "}";
  }

  private String member(TableModel table, int depth) {
    if (chance(8)) {
      return "... on " + table.typeName() + directive() + selection(table, depth + 1);
    }
    if (chance(8)) {
      var name = fresh("F");
      fragments.add("fragment " + name + " on " + table.typeName() + selection(table, depth + 1));
      return "..." + name + directive();
    }
    if (chance(8)) {
      return chance(50) ? "__typename" : "kind: __typename";
    }
    var fields = new ArrayList<FieldModel>();
    table.fields().forEach(fields::add);
    return switch (any(fields)) {
      case FieldModel.OfColumn(var name, var column) ->
          (chance(30) ? "x_" + name + ": " : "") + name + directive();
      case FieldModel.OfRelationship(var name, var relationship, var target)
          when relationship.single() ->
          depth > 3 ? "__typename" : name + directive() + selection(target, depth + 1);
      case FieldModel.OfRelationship(var name, var relationship, var target) ->
          depth > 3
              ? "__typename"
              : fresh("n") + ": " + name + arguments(target) + selection(target, depth + 1);
      case FieldModel.OfAggregate(var name, var relationship, var target) ->
          depth > 3
              ? "__typename"
              : fresh("c") + ": " + name + arguments(target) + aggregates(target, depth + 1);
      case FieldModel.OfGroups(var name, var relationship, var target) ->
          depth > 3 ? "__typename" : fresh("b") + ": " + groups(target, name);
    };
  }

  private String aggregates(TableModel table, int depth) {
    return " {\n"
        + repeat(
            1,
            3,
            () ->
                switch (random.nextInt(4)) {
                  case 0 -> "__typename";
                  case 1 -> "nodes" + directive() + selection(table, depth + 1);
                  default -> "aggregate" + directive() + aggregate(table);
                })
        + "}";
  }

  private String aggregate(TableModel table) {
    return " { "
        + repeat(
            1,
            3,
            () ->
                switch (random.nextInt(4)) {
                  case 0 -> "count";
                  case 1 ->
                      fresh("d")
                          + ": count(columns: ["
                          + any(table.columns()).name()
                          + "], distinct: "
                          + leaf("Boolean", "" + chance(50))
                          + ")";
                  default ->
                      any(List.of("sum", "avg", "min", "max")) + " { " + any(numbers(table)) + " }";
                })
        + "}";
  }

  private String connection(TableModel table) {
    var name = table.typeName() + "_connection";
    var root = (RootModel.Connection) Objects.requireNonNull(model.root(name));
    var orderBy = new ArrayList<Map<String, Object>>();
    for (int i = random.nextInt(3); i > 0; i--) {
      orderBy.add(connectionOrder(table));
    }
    var arguments = new ArrayList<String>();
    var shown = orderBy.stream().map(RandomDocument::literal).collect(Collectors.joining(", "));
    arguments.add("order_by: [" + shown + "]");
    if (chance(40)) {
      arguments.add("where: " + where(table, 1));
    }
    for (var size : List.of("first", "last")) {
      if (chance(40)) {
        arguments.add(size + ": " + leaf("Int", "" + random.nextInt(6)));
      }
    }
    for (var position : List.of("after", "before")) {
      if (chance(40)) {
        arguments.add(position + ": " + leaf("String", cursor(root, orderBy)));
      }
    }
    return name
        + "("
        + String.join(", ", arguments)
        + ") {\n"
        + repeat(1, 4, () -> connectionMember(table))
        + "}";
  }

  private String connectionMember(TableModel table) {
    return switch (random.nextInt(5)) {
      case 0 -> "totalCount" + directive() + " __typename";
      case 1 -> fresh("n") + ": nodes" + directive() + selection(table, 2);
      case 2 -> "edges { node" + selection(table, 2) + " }";
      case 3 -> "edges" + directive() + " { cursor __typename }";
      default ->
          "pageInfo" + directive() + " { hasNextPage hasPreviousPage startCursor endCursor }";
    };
  }

  private Map<String, Object> connectionOrder(TableModel table) {
    var fields = new ArrayList<FieldModel>();
    table.fields().forEach(fields::add);
    var word = any(List.of("asc", "desc", "asc_nulls_first", "desc_nulls_last"));
    return switch (any(fields)) {
      case FieldModel.OfColumn(var name, var column) -> Map.of(name, word);
      case FieldModel.OfRelationship(var name, var relationship, var target)
          when relationship.single() ->
          Map.of(name, connectionOrder(target));
      case FieldModel.OfAggregate(var name, var relationship, var target) ->
          Map.of(
              name,
              chance(50)
                  ? Map.of("count", word)
                  : Map.of(any(List.of("sum", "max")), Map.of(any(numbers(target)), word)));
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

  /** Of any position, whether a row stands there or not. */
  private String cursor(RootModel.Connection connection, List<Map<String, Object>> orderBy) {
    var cursors = OracleConnections.format(connection, orderBy);
    var values = new ArrayList<@Nullable Object>();
    var key = cursors.types().size() - connection.key().size();
    for (var type : cursors.types()) {
      var text = value(type).replaceAll("^\"|\"$", "").replace("\\", "");
      values.add(values.size() < key && chance(20) ? null : Values.parse(type, text));
    }
    return "\"" + cursors.encode(values) + "\"";
  }

  private String groups(TableModel table, String name) {
    var by = new LinkedHashSet<String>();
    for (int i = random.nextInt(2); i >= 0; i--) {
      by.add(any(table.columns()).name());
    }
    var keys = List.copyOf(by);
    var arguments = new ArrayList<String>();
    arguments.add("by: [" + String.join(", ", keys) + "]");
    if (chance(40)) {
      arguments.add("where: " + where(table, 1));
    }
    if (chance(30)) {
      arguments.add("limit: " + leaf("Int", "" + random.nextInt(6)));
    }
    var orders = new ArrayList<String>();
    if (chance(40)) {
      orders.add("{aggregate: " + aggregateOrder(table) + "}");
    }
    keys.forEach(key -> orders.add("{key: {" + key + ": " + direction() + "}}"));
    arguments.add("order_by: [" + String.join(", ", orders) + "]");
    return name
        + "("
        + String.join(", ", arguments)
        + ")"
        + directive()
        + " {\n"
        + repeat(
            1,
            3,
            () ->
                switch (random.nextInt(4)) {
                  case 0 -> "__typename";
                  case 1 -> "aggregate" + directive() + aggregate(table);
                  default -> "key" + directive() + " { __typename " + any(keys) + " }";
                })
        + "}";
  }

  private String aggregateOrder(TableModel table) {
    return chance(50)
        ? "{count: " + direction() + "}"
        : "{"
            + any(List.of("sum", "min", "max"))
            + ": {"
            + any(numbers(table))
            + ": "
            + direction()
            + "}}";
  }

  // A Float in graphql-java is a double: it cannot tell the averages of a bigint.
  private static List<String> numbers(TableModel table) {
    return table.columns().stream()
        .filter(field -> Comparisons.numeric(field.column().type()))
        .filter(field -> field.column().type() != DataType.Scalar.INT64)
        .map(FieldModel.OfColumn::name)
        .toList();
  }

  private String arguments(TableModel table) {
    var arguments = new ArrayList<String>();
    if (chance(60)) {
      arguments.add("where: " + where(table, 1));
    }
    if (chance(40)) {
      arguments.add("limit: " + leaf("Int", "" + random.nextInt(6)));
    }
    if (chance(20)) {
      arguments.add("offset: " + leaf("Int", "" + random.nextInt(4)));
    }
    var orders = new ArrayList<String>();
    if (chance(15)) {
      var column = any(table.columns()).name();
      arguments.add("distinct_on: [" + column + "]");
      orders.add("{" + column + ": " + direction() + "}");
    }
    if (chance(50)) {
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

  private String direction() {
    var direction =
        any(
            List.of(
                "asc",
                "desc",
                "asc_nulls_first",
                "asc_nulls_last",
                "desc_nulls_first",
                "desc_nulls_last"));
    if (!chance(20)) {
      return direction;
    }
    var name = fresh("v");
    declarations.add("$" + name + ": order_by");
    variables.put(name, "\"" + direction + "\"");
    return "$" + name;
  }

  private String order(TableModel table) {
    var fields = new ArrayList<FieldModel>();
    table.fields().forEach(fields::add);
    return switch (any(fields)) {
      case FieldModel.OfColumn(var name, var column) -> "{" + name + ": " + direction() + "}";
      case FieldModel.OfRelationship(var name, var relationship, var target)
          when relationship.single() ->
          "{" + name + ": " + order(target) + "}";
      case FieldModel.OfAggregate(var name, var relationship, var target) ->
          "{" + name + ": " + aggregateOrder(target) + "}";
      default -> "{" + table.columns().getFirst().name() + ": " + direction() + "}";
    };
  }

  private String where(TableModel table, int depth) {
    if (depth > 3) {
      return "{}";
    }
    var members = new LinkedHashMap<String, String>();
    for (int i = random.nextInt(3); i >= 0; i--) {
      var fields = new ArrayList<FieldModel>();
      table.fields().forEach(fields::add);
      var key =
          switch (random.nextInt(8)) {
            case 0 -> "_and";
            case 1 -> "_or";
            case 2 -> "_not";
            default -> any(fields).name();
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
      case FieldModel.OfColumn(var name, var column) -> comparison(column.type());
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
                chance(20)
                    ? "[]"
                    : "[" + where(table, depth + 1) + ", " + where(table, depth + 1) + "]";
          };
    };
  }

  private String countCondition(TableModel target, int depth) {
    var members = new ArrayList<String>();
    members.add(
        "predicate: {"
            + any(List.of("_gt", "_eq", "_lte", "_neq"))
            + ": "
            + random.nextInt(4)
            + "}");
    if (chance(40)) {
      members.add("arguments: [" + any(target.columns()).name() + "]");
    }
    if (chance(40)) {
      members.add("distinct: " + leaf("Boolean", "" + chance(50)));
    }
    if (chance(40)) {
      members.add("filter: " + where(target, depth + 1));
    }
    return "{count: {" + String.join(", ", members) + "}}";
  }

  private String comparison(DataType type) {
    var scalar = ScalarName.of((DataType.Scalar) type);
    return switch (random.nextInt(5)) {
      case 0 -> "{_is_null: " + leaf("Boolean", "" + chance(50)) + "}";
      case 1 ->
          "{"
              + any(List.of("_in", "_nin"))
              + ": ["
              + IntStream.range(0, random.nextInt(4))
                  .mapToObj(i -> leaf(scalar + "!", value(type)))
                  .collect(Collectors.joining(", "))
              + "]}";
      case 2 -> {
        var name = fresh("v");
        declarations.add("$" + name + ": [" + scalar + "!]");
        variables.put(name, "[" + value(type) + ", " + value(type) + "]");
        yield "{" + any(List.of("_in", "_nin")) + ": $" + name + "}";
      }
      default -> {
        var operator = any(Comparisons.of(type, false));
        yield "{" + operator + ": " + leaf(scalar, value(type, operator)) + "}";
      }
    };
  }

  private String value(DataType type, String operator) {
    return operator.endsWith("like")
        ? any(List.of("\"%duct%\"", "\"%É%\"", "\"%\"", "\"%EUR%\"", "\"%\\\"%\""))
        : value(type);
  }

  private String value(DataType type) {
    return switch ((DataType.Scalar) type) {
      case INT32 -> "" + (1 + random.nextInt(13));
      case INT64 -> chance(50) ? "9223372036854775802" : "\"9223372036854775804\"";
      case DECIMAL -> any(List.of("0.5", "1", "\"2.25\"", "1.50", "94.5"));
      case DATE -> any(List.of("\"2026-02-01\"", "\"2026-03-02\"", "\"2026-01-08\""));
      case BOOLEAN -> "" + chance(50);
      default -> any(List.of("\"Product \\\"1\\\" é\"", "\"Brand 2\"", "\"EUR\"", "\"\""));
    };
  }

  /**
   * The value as it is, or through a variable: given, defaulted, or absent where that is allowed.
   */
  private String leaf(String type, String value) {
    if (!chance(40)) {
      return value;
    }
    var name = fresh("v");
    if (chance(30)) {
      declarations.add("$" + name + ": " + type + " = " + value);
      if (chance(30)) {
        variables.put(name, value);
      }
      return "$" + name;
    }
    declarations.add("$" + name + ": " + type);
    if (type.endsWith("!") || !chance(10)) {
      variables.put(name, value);
    }
    return "$" + name;
  }
}

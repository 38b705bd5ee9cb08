// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.graphql.plan;

import dev.evita.api.Relationship;
import dev.evita.api.TableName;
import dev.evita.externalapi.graphql.MemoryEngine;
import dev.evita.externalapi.graphql.model.AggregateFunction;
import dev.evita.externalapi.graphql.model.ApiModel;
import dev.evita.externalapi.graphql.model.FieldModel;
import dev.evita.externalapi.graphql.model.RootModel;
import dev.evita.externalapi.graphql.model.TableModel;
import dev.evita.externalapi.graphql.schema.GroupTypes;
import dev.evita.externalapi.graphql.schema.OracleSchema;
import graphql.ExecutionInput;
import graphql.ExecutionResult;
import graphql.GraphQL;
import graphql.schema.DataFetcher;
import graphql.schema.DataFetchingEnvironment;
import graphql.schema.FieldCoordinates;
import graphql.schema.GraphQLCodeRegistry;
import graphql.schema.GraphQLObjectType;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The result of graphql-java's own execution over a naive resolver: field by field, each argument
 * read as it comes, over the lists of a {@link MemoryEngine}. Shares the schema with what it
 * judges, and nothing else.
 */
final class Oracle {

  /** A row of a table. */
  record Item(TableModel table, Map<String, @Nullable Object> row) {}

  /** Rows that are equal in some columns. */
  record Group(TableModel table, List<Item> rows) {}

  /** Rows to aggregate. */
  private record Items(TableModel table, List<Item> rows) {}

  /** Aggregates of one function. */
  private record Computed(AggregateFunction function, Items items) {}

  private final ApiModel model;
  private final Function<TableName, List<Map<String, @Nullable Object>>> rows;
  private final GraphQL graphql;

  Oracle(MemoryEngine engine) {
    this.model = ApiModel.of(engine.catalog(), engine.capabilities());
    this.rows = engine::rows;
    var schema = OracleSchema.of(model);
    var fetchers = GraphQLCodeRegistry.newCodeRegistry(schema.getCodeRegistry());
    DataFetcher<?> fetcher = this::resolve;
    for (var type : schema.getAllTypesAsList()) {
      if (type instanceof GraphQLObjectType object && !object.getName().startsWith("__")) {
        for (var field : object.getFieldDefinitions()) {
          fetchers.dataFetcher(
              FieldCoordinates.coordinates(object.getName(), field.getName()), fetcher);
        }
      }
    }
    this.graphql =
        GraphQL.newGraphQL(schema.transform(b -> b.codeRegistry(fetchers.build()))).build();
  }

  ExecutionResult answer(String document, Map<String, Object> variables) {
    return graphql.execute(
        ExecutionInput.newExecutionInput().query(document).variables(variables).build());
  }

  private @Nullable Object resolve(DataFetchingEnvironment field) {
    var name = field.getField().getName();
    return switch (field.getSource()) {
      case null -> root(name, field);
      case Item item -> member(item, name, field);
      case Items items when name.equals("nodes") -> items.rows();
      case Items items when name.equals("aggregate") -> new Computed(AggregateFunction.SUM, items);
      case Group group when name.equals(GroupTypes.KEY) -> group.rows().getFirst();
      case Group group ->
          new Computed(AggregateFunction.SUM, new Items(group.table(), group.rows()));
      case Computed computed when name.equals("count") ->
          OracleAggregates.count(
              computed.items().rows(),
              field.getArgumentOrDefault("columns", null),
              Boolean.TRUE.equals(field.getArgument("distinct")));
      case Computed computed when isFunction(name) ->
          new Computed(AggregateFunction.of(name), computed.items());
      case Computed computed ->
          OracleAggregates.of(
              computed.function(), computed.items().rows(), computed.items().table().column(name));
      case OracleConnections.Page page -> page.field(name);
      case OracleConnections.Edge edge -> edge.field(name);
      case Map<?, ?> echo -> echo.get(name);
      default -> throw new IllegalStateException("what is " + field.getSource());
    };
  }

  private static boolean isFunction(String name) {
    return List.of("sum", "avg", "min", "max").contains(name);
  }

  private @Nullable Object root(String name, DataFetchingEnvironment field) {
    return switch (Objects.requireNonNull(model.root(name))) {
      case RootModel.Rows(var n, var table) -> chosen(all(table), field);
      case RootModel.ByKey(var n, var table, var keys) ->
          all(table).stream()
              .filter(item ->
                  keys.entrySet().stream()
                      .allMatch(key ->
                          OracleLogic.same(
                              item.row().get(key.getValue().name()),
                              field.getArgument(key.getKey()))))
              .findFirst()
              .orElse(null);
      case RootModel.Aggregate(var n, var table) -> new Items(table, chosen(all(table), field));
      case RootModel.Groups(var n, var table) -> groups(table, all(table), field);
      case RootModel.Connection connection ->
          new OracleConnections(this)
              .page(connection, matching(all(connection.table()), field), field);
      case RootModel.Call call -> Map.of("message", field.getArgument("message"));
    };
  }

  private List<Item> all(TableModel table) {
    return rows.apply(table.table().name()).stream().map(row -> new Item(table, row)).toList();
  }

  private @Nullable Object member(Item item, String name, DataFetchingEnvironment field) {
    return switch (Objects.requireNonNull(item.table().field(name))) {
      case FieldModel.OfColumn(var n, var column) -> item.row().get(column.name());
      case FieldModel.OfRelationship(var n, var relationship, var target) -> {
        var related = related(item, relationship, target);
        yield relationship.single()
            ? related.stream().findFirst().orElse(null)
            : chosen(related, field);
      }
      case FieldModel.OfAggregate(var n, var relationship, var target) ->
          new Items(target, chosen(related(item, relationship, target), field));
      case FieldModel.OfGroups(var n, var relationship, var target) ->
          groups(target, related(item, relationship, target), field);
    };
  }

  List<Item> related(Item item, Relationship relationship, TableModel target) {
    return all(target).stream()
        .filter(other -> {
          for (int i = 0; i < relationship.fromColumns().size(); i++) {
            var mine = item.row().get(relationship.fromColumns().get(i));
            var theirs = other.row().get(relationship.toColumns().get(i));
            if (mine == null || !OracleLogic.same(mine, theirs)) {
              return false;
            }
          }
          return true;
        })
        .toList();
  }

  private List<Group> groups(TableModel table, List<Item> from, DataFetchingEnvironment field) {
    List<String> by = field.getArgument("by");
    var groups = new LinkedHashMap<List<@Nullable Object>, List<Item>>();
    for (var item : matching(from, field)) {
      groups.computeIfAbsent(values(item, by), key -> new ArrayList<>()).add(item);
    }
    var chosen = new ArrayList<Group>();
    groups.values().forEach(rows -> chosen.add(new Group(table, rows)));
    List<Map<String, Map<String, Object>>> orders =
        field.getArgumentOrDefault("order_by", List.of());
    chosen.sort((a, b) -> compare(a, b, orders));
    return limited(chosen, field);
  }

  private int compare(Group a, Group b, List<Map<String, Map<String, Object>>> orders) {
    for (var terms : orders) {
      for (var term : terms.entrySet()) {
        var compared =
            term.getKey().equals(GroupTypes.KEY)
                ? order(List.of(term.getValue())).compare(a.rows().getFirst(), b.rows().getFirst())
                : OracleAggregates.compare(a.rows(), b.rows(), a.table(), term.getValue());
        if (compared != 0) {
          return compared;
        }
      }
    }
    return 0;
  }

  private List<Item> matching(List<Item> from, DataFetchingEnvironment field) {
    Map<String, Object> where = field.getArgument("where");
    return from.stream()
        .filter(item -> where == null || Boolean.TRUE.equals(holds(item, where)))
        .toList();
  }

  private static <T> List<T> limited(List<T> all, DataFetchingEnvironment field) {
    Integer offset = field.getArgument("offset");
    Integer limit = field.getArgument("limit");
    return all.stream()
        .skip(offset == null ? 0 : offset)
        .limit(limit == null ? Long.MAX_VALUE : limit)
        .toList();
  }

  private List<Item> chosen(List<Item> from, DataFetchingEnvironment field) {
    var chosen = new ArrayList<>(matching(from, field));
    List<Map<String, Object>> orders = field.getArgumentOrDefault("order_by", null);
    if (orders != null) {
      chosen.sort(order(orders));
    }
    List<String> distinct = field.getArgumentOrDefault("distinct_on", null);
    if (distinct != null && !distinct.isEmpty()) {
      var seen = new HashSet<List<@Nullable Object>>();
      chosen.removeIf(item -> !seen.add(values(item, distinct)));
    }
    return limited(chosen, field);
  }

  static List<@Nullable Object> values(Item item, List<String> fields) {
    var values = new ArrayList<@Nullable Object>();
    fields.forEach(field -> values.add(item.row().get(item.table().column(field))));
    return values;
  }

  private Comparator<Item> order(List<Map<String, Object>> orders) {
    return (a, b) -> {
      for (var terms : orders) {
        for (var term : terms.entrySet()) {
          var compared = compare(a, b, term.getKey(), term.getValue());
          if (compared != 0) {
            return compared;
          }
        }
      }
      return 0;
    };
  }

  @SuppressWarnings("unchecked")
  private int compare(
      @Nullable Item a, @Nullable Item b, String field, @Nullable Object direction) {
    if (direction instanceof Map<?, ?> deeper) {
      var some = a == null ? b : a;
      if (some != null && some.table().field(field) instanceof FieldModel.OfAggregate of) {
        var left = a == null ? List.<Item>of() : related(a, of.relationship(), of.target());
        var right = b == null ? List.<Item>of() : related(b, of.relationship(), of.target());
        return OracleAggregates.compare(left, right, of.target(), (Map<String, Object>) deeper);
      }
      for (var term : ((Map<String, Object>) deeper).entrySet()) {
        var compared = compare(step(a, field), step(b, field), term.getKey(), term.getValue());
        if (compared != 0) {
          return compared;
        }
      }
      return 0;
    }
    if (direction == null) {
      return 0;
    }
    var left = a == null ? null : a.row().get(a.table().column(field));
    var right = b == null ? null : b.row().get(b.table().column(field));
    return OracleLogic.directed(left, right, direction.toString());
  }

  private @Nullable Item step(@Nullable Item item, String field) {
    if (item != null
        && item.table().field(field)
            instanceof FieldModel.OfRelationship(var n, var relationship, var target)) {
      return related(item, relationship, target).stream().findFirst().orElse(null);
    }
    return null;
  }

  @SuppressWarnings("unchecked")
  private @Nullable Boolean holds(Item item, Map<String, Object> where) {
    Boolean result = true;
    for (var entry : where.entrySet()) {
      var value = entry.getValue();
      result =
          OracleLogic.and(
              result,
              switch (entry.getKey()) {
                case "_and" -> {
                  Boolean all = true;
                  for (var each : (List<Map<String, Object>>) value) {
                    all = OracleLogic.and(all, holds(item, each));
                  }
                  yield all;
                }
                case "_or" -> {
                  Boolean none = true;
                  for (var each : (List<Map<String, Object>>) value) {
                    none = OracleLogic.and(none, OracleLogic.not(holds(item, each)));
                  }
                  yield OracleLogic.not(none);
                }
                case "_not" -> OracleLogic.not(holds(item, (Map<String, Object>) value));
                default -> member(item, entry.getKey(), (Map<String, Object>) value);
              });
    }
    return result;
  }

  @SuppressWarnings("unchecked")
  private @Nullable Boolean aggregated(List<Item> rows, Map<String, Object> condition) {
    var count = (Map<String, Object>) condition.get("count");
    if (count == null) {
      return true;
    }
    var filter = (Map<String, Object>) count.getOrDefault("filter", Map.of());
    var chosen = rows.stream().filter(row -> Boolean.TRUE.equals(holds(row, filter))).toList();
    var columns = (List<String>) count.get("arguments");
    var distinct = Boolean.TRUE.equals(count.get("distinct"));
    return OracleLogic.passes(
        OracleAggregates.count(chosen, columns, distinct),
        (Map<String, Object>) count.get("predicate"));
  }

  private @Nullable Boolean member(Item item, String name, Map<String, Object> condition) {
    if (item.table().field(name)
        instanceof FieldModel.OfRelationship(var n, var relationship, var target)) {
      return related(item, relationship, target).stream()
          .anyMatch(other -> Boolean.TRUE.equals(holds(other, condition)));
    }
    if (item.table().field(name)
        instanceof FieldModel.OfAggregate(var n, var relationship, var target)) {
      return aggregated(related(item, relationship, target), condition);
    }
    return OracleLogic.passes(item.row().get(item.table().column(name)), condition);
  }
}

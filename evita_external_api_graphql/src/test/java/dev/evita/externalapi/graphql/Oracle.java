// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.graphql;

import dev.evita.api.Relationship;
import dev.evita.api.TableName;
import graphql.ExecutionInput;
import graphql.ExecutionResult;
import graphql.GraphQL;
import graphql.schema.DataFetcher;
import graphql.schema.DataFetchingEnvironment;
import graphql.schema.FieldCoordinates;
import graphql.schema.GraphQLCodeRegistry;
import graphql.schema.GraphQLObjectType;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What graphql-java's own execution answers over a naive resolver: field by field, each argument
 * read as it comes, over the lists of a {@link MemoryEngine}. Shares the schema with what it
 * judges, and nothing else.
 */
final class Oracle {

  /** A row of a table. */
  private record Item(TableModel table, Map<String, @Nullable Object> row) {}

  /** Rows to aggregate. */
  private record Items(TableModel table, List<Item> rows) {}

  /** Aggregates of one function. */
  private record Computed(AggregateFunction function, Items items) {}

  private final ApiModel model;
  private final Function<TableName, List<Map<String, @Nullable Object>>> rows;
  private final GraphQL graphql;

  Oracle(MemoryEngine engine) {
    this.model = ApiModel.of(engine.catalog(), Set.of());
    this.rows = engine::rows;
    var schema = SchemaGenerator.generate(model, true);
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
      case Computed computed when name.equals("count") -> count(computed.items(), field);
      case Computed computed when isFunction(name) ->
          new Computed(AggregateFunction.of(name), computed.items());
      case Computed computed -> aggregate(computed, name);
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
                          same(
                              item.row().get(key.getValue().name()),
                              field.getArgument(key.getKey()))))
              .findFirst()
              .orElse(null);
      case RootModel.Aggregate(var n, var table) -> new Items(table, chosen(all(table), field));
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
    };
  }

  private List<Item> related(Item item, Relationship relationship, TableModel target) {
    return all(target).stream()
        .filter(other -> {
          for (int i = 0; i < relationship.fromColumns().size(); i++) {
            var mine = item.row().get(relationship.fromColumns().get(i));
            var theirs = other.row().get(relationship.toColumns().get(i));
            if (mine == null || !same(mine, theirs)) {
              return false;
            }
          }
          return true;
        })
        .toList();
  }

  private List<Item> chosen(List<Item> from, DataFetchingEnvironment field) {
    Map<String, Object> where = field.getArgument("where");
    var chosen = new ArrayList<Item>();
    for (var item : from) {
      if (where == null || Boolean.TRUE.equals(holds(item, where))) {
        chosen.add(item);
      }
    }
    List<Map<String, Object>> orders = field.getArgumentOrDefault("order_by", null);
    if (orders != null) {
      chosen.sort(order(orders));
    }
    List<String> distinct = field.getArgumentOrDefault("distinct_on", null);
    if (distinct != null && !distinct.isEmpty()) {
      var seen = new HashSet<List<@Nullable Object>>();
      chosen.removeIf(item -> !seen.add(values(item, distinct)));
    }
    Integer offset = field.getArgument("offset");
    Integer limit = field.getArgument("limit");
    return chosen.stream()
        .skip(offset == null ? 0 : offset)
        .limit(limit == null ? Long.MAX_VALUE : limit)
        .toList();
  }

  private static List<@Nullable Object> values(Item item, List<String> fields) {
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
    var word = direction.toString();
    if (left == null || right == null) {
      var first = word.endsWith("first") || word.equals("desc");
      return left == null && right == null ? 0 : (left == null) == first ? -1 : 1;
    }
    return word.startsWith("asc") ? compareValues(left, right) : compareValues(right, left);
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
          and(
              result,
              switch (entry.getKey()) {
                case "_and" -> {
                  Boolean all = true;
                  for (var each : (List<Map<String, Object>>) value) {
                    all = and(all, holds(item, each));
                  }
                  yield all;
                }
                case "_or" -> {
                  Boolean none = true;
                  for (var each : (List<Map<String, Object>>) value) {
                    none = and(none, not(holds(item, each)));
                  }
                  yield not(none);
                }
                case "_not" -> not(holds(item, (Map<String, Object>) value));
                default -> member(item, entry.getKey(), (Map<String, Object>) value);
              });
    }
    return result;
  }

  private @Nullable Boolean member(Item item, String name, Map<String, Object> condition) {
    if (item.table().field(name)
        instanceof FieldModel.OfRelationship(var n, var relationship, var target)) {
      return related(item, relationship, target).stream()
          .anyMatch(other -> Boolean.TRUE.equals(holds(other, condition)));
    }
    var value = item.row().get(item.table().column(name));
    Boolean result = true;
    for (var entry : condition.entrySet()) {
      result = and(result, compare(value, entry.getKey(), entry.getValue()));
    }
    return result;
  }

  private static @Nullable Boolean compare(
      @Nullable Object value, String operator, Object operand) {
    if (operator.equals("_is_null")) {
      return (value == null) == (Boolean) operand;
    }
    if (operator.equals("_in") || operator.equals("_nin")) {
      var list = (List<?>) operand;
      Boolean in =
          list.isEmpty()
              ? Boolean.FALSE
              : value == null ? null : (Boolean) list.stream().anyMatch(each -> same(value, each));
      return operator.equals("_in") ? in : not(in);
    }
    if (value == null) {
      return null;
    }
    var text = operand.toString().replace("%", "");
    return switch (operator) {
      case "_eq" -> same(value, operand);
      case "_neq" -> !same(value, operand);
      case "_gt" -> compareValues(value, operand) > 0;
      case "_gte" -> compareValues(value, operand) >= 0;
      case "_lt" -> compareValues(value, operand) < 0;
      case "_lte" -> compareValues(value, operand) <= 0;
      case "_like" -> value.toString().contains(text);
      case "_nlike" -> !value.toString().contains(text);
      case "_ilike" -> lower(value).contains(lower(text));
      case "_nilike" -> !lower(value).contains(lower(text));
      default -> throw new IllegalStateException("what is " + operator);
    };
  }

  private static String lower(Object text) {
    return text.toString().toLowerCase(Locale.ROOT);
  }

  private static @Nullable Boolean and(@Nullable Boolean a, @Nullable Boolean b) {
    if (Boolean.FALSE.equals(a) || Boolean.FALSE.equals(b)) {
      return false;
    }
    return (a == null || b == null) ? null : Boolean.TRUE;
  }

  private static @Nullable Boolean not(@Nullable Boolean a) {
    return a == null ? null : !a;
  }

  private static boolean same(@Nullable Object a, @Nullable Object b) {
    return a != null && b != null && compareValues(a, b) == 0;
  }

  @SuppressWarnings({"unchecked", "rawtypes"})
  private static int compareValues(Object a, Object b) {
    return a instanceof Number && b instanceof Number
        ? new BigDecimal(a.toString()).compareTo(new BigDecimal(b.toString()))
        : ((Comparable) a).compareTo(b);
  }

  private static long count(Items items, DataFetchingEnvironment field) {
    List<String> columns = field.getArgumentOrDefault("columns", null);
    if (columns == null || columns.isEmpty()) {
      return items.rows().size();
    }
    var present =
        items.rows().stream()
            .map(item -> values(item, columns))
            .filter(values -> !values.contains(null))
            .toList();
    return Boolean.TRUE.equals(field.getArgument("distinct"))
        ? present.stream().distinct().count()
        : present.size();
  }

  private static @Nullable Object aggregate(Computed computed, String field) {
    var column = computed.items().table().column(field);
    var values =
        computed.items().rows().stream()
            .map(item -> item.row().get(column))
            .filter(Objects::nonNull)
            .map(Object.class::cast)
            .toList();
    if (values.isEmpty()) {
      return null;
    }
    return switch (computed.function()) {
      case MIN -> values.stream().min(Oracle::compareValues).orElseThrow();
      case MAX -> values.stream().max(Oracle::compareValues).orElseThrow();
      case SUM -> sum(values);
      case AVG -> sum(values).divide(BigDecimal.valueOf(values.size()), MathContext.DECIMAL64);
    };
  }

  private static BigDecimal sum(List<Object> values) {
    return values.stream()
        .map(value -> new BigDecimal(value.toString()))
        .reduce(BigDecimal.ZERO, BigDecimal::add);
  }
}

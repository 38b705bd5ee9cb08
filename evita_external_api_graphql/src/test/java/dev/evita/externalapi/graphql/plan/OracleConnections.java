// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.graphql.plan;

import dev.evita.externalapi.core.json.CursorFormat;
import dev.evita.externalapi.core.limits.DepthLimit;
import dev.evita.externalapi.graphql.input.PageArguments;
import dev.evita.externalapi.graphql.model.AggregateFunction;
import dev.evita.externalapi.graphql.model.FieldModel;
import dev.evita.externalapi.graphql.model.RootModel;
import dev.evita.externalapi.graphql.model.TableModel;
import graphql.schema.DataFetchingEnvironment;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The oracle's connections: lists that are put in order, cut and counted as the specification
 * writes it. Shares the encoding of cursors with the code under test.
 */
final class OracleConnections {

  /** A term of an order. */
  private record Term(Function<Oracle.Item, @Nullable Object> value, String word) {}

  /** A page, which is its own {@code pageInfo}. */
  record Page(List<Edge> edges, boolean hasPrevious, boolean hasNext, int total) {

    @Nullable Object field(String name) {
      return switch (name) {
        case "edges" -> edges;
        case "nodes" -> edges.stream().map(Edge::node).toList();
        case "pageInfo" -> this;
        case "totalCount" -> total;
        case "hasPreviousPage" -> hasPrevious;
        case "hasNextPage" -> hasNext;
        case "startCursor" -> edges.isEmpty() ? null : edges.getFirst().cursor();
        case "endCursor" -> edges.isEmpty() ? null : edges.getLast().cursor();
        default -> throw new IllegalStateException("what is " + name);
      };
    }
  }

  /** A row with its cursor. */
  record Edge(Oracle.Item node, String cursor) {

    Object field(String name) {
      return name.equals("node") ? node : cursor;
    }
  }

  private final Oracle oracle;

  OracleConnections(Oracle oracle) {
    this.oracle = oracle;
  }

  /** The format of the cursors of an order. */
  static CursorFormat format(RootModel.Connection connection, List<?> orderBy) {
    var arguments = new PageArguments(null, orderBy, null, null, null, null);
    var template =
        new OperationTemplate.OfPage(
            connection.table(), List.of(), arguments, connection.key(), false);
    var operation = new OperationBuilder(new Object[0], new DepthLimit(Integer.MAX_VALUE));
    return new ConnectionBuilder(operation, template).build().paging().cursors();
  }

  /** The requested page of a field. */
  Page page(
      RootModel.Connection connection, List<Oracle.Item> rows, DataFetchingEnvironment field) {
    List<Map<String, Object>> orderBy = field.getArgumentOrDefault("order_by", List.of());
    var cursors = format(connection, orderBy);
    var terms = new ArrayList<Term>();
    for (var each : orderBy) {
      flatten(connection.table(), each, item -> item, terms);
    }
    var word = !terms.isEmpty() && terms.getLast().word().startsWith("desc") ? "desc" : "asc";
    for (var column : connection.key()) {
      var ordered = connection.table().fieldOf(column).name();
      if (orderBy.stream().noneMatch(each -> each.containsKey(ordered))) {
        terms.add(new Term(item -> item.row().get(column), word));
      }
    }
    var all = new ArrayList<>(rows);
    all.sort((a, b) -> compare(terms, values(terms, a), values(terms, b)));
    String after = field.getArgument("after");
    String before = field.getArgument("before");
    var edges = new ArrayList<Oracle.Item>();
    for (var item : all) {
      var position = values(terms, item);
      if ((after == null || compare(terms, position, decoded(cursors, after)) > 0)
          && (before == null || compare(terms, position, decoded(cursors, before)) < 0)) {
        edges.add(item);
      }
    }
    Integer first = field.getArgument("first");
    Integer last = field.getArgument("last");
    var hasNext = first != null ? edges.size() > first : before != null;
    var hasPrevious = last != null ? edges.size() > last : after != null;
    List<Oracle.Item> page = edges;
    if (first != null) {
      page = page.subList(0, Math.min(first, page.size()));
    }
    if (last != null) {
      page = page.subList(Math.max(0, page.size() - last), page.size());
    }
    return new Page(
        page.stream().map(item -> new Edge(item, cursors.encode(values(terms, item)))).toList(),
        hasPrevious,
        hasNext,
        all.size());
  }

  private static List<@Nullable Object> decoded(CursorFormat cursors, String cursor) {
    return cursors.decode(cursor);
  }

  private static List<@Nullable Object> values(List<Term> terms, Oracle.Item item) {
    var values = new ArrayList<@Nullable Object>();
    terms.forEach(term -> values.add(term.value().apply(item)));
    return values;
  }

  private static int compare(
      List<Term> terms, List<@Nullable Object> left, List<@Nullable Object> right) {
    for (int i = 0; i < terms.size(); i++) {
      var compared = OracleLogic.directed(left.get(i), right.get(i), terms.get(i).word());
      if (compared != 0) {
        return compared;
      }
    }
    return 0;
  }

  @SuppressWarnings("unchecked")
  private void flatten(
      TableModel table,
      Map<String, Object> orderBy,
      Function<Oracle.Item, Oracle.@Nullable Item> reach,
      List<Term> into) {
    for (var entry : orderBy.entrySet()) {
      switch (table.field(entry.getKey())) {
        case FieldModel.OfColumn(var name, var column) ->
            into.add(
                new Term(
                    item -> {
                      var at = reach.apply(item);
                      return at == null ? null : at.row().get(column.name());
                    },
                    entry.getValue().toString()));
        case FieldModel.OfRelationship(var name, var step, var target) ->
            flatten(
                target,
                (Map<String, Object>) entry.getValue(),
                item -> {
                  var at = reach.apply(item);
                  return at == null
                      ? null
                      : oracle.related(at, step, target).stream().findFirst().orElse(null);
                },
                into);
        case FieldModel.OfAggregate(var name, var step, var target) ->
            aggregates(
                target,
                (Map<String, Object>) entry.getValue(),
                item -> {
                  var at = reach.apply(item);
                  return at == null ? List.of() : oracle.related(at, step, target);
                },
                into);
        case null, default -> throw new IllegalStateException("what is " + entry.getKey());
      }
    }
  }

  @SuppressWarnings("unchecked")
  private static void aggregates(
      TableModel table,
      Map<String, Object> orderBy,
      Function<Oracle.Item, List<Oracle.Item>> reach,
      List<Term> into) {
    for (var entry : orderBy.entrySet()) {
      if (entry.getKey().equals("count")) {
        into.add(new Term(item -> (long) reach.apply(item).size(), entry.getValue().toString()));
        continue;
      }
      var function = AggregateFunction.of(entry.getKey());
      ((Map<String, Object>) entry.getValue())
          .forEach((column, word) ->
              into.add(
                  new Term(
                      item ->
                          OracleAggregates.of(function, reach.apply(item), table.column(column)),
                      word.toString())));
    }
  }
}

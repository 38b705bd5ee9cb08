// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.graphql;

import dev.evita.api.Arguments;
import dev.evita.api.Comparison;
import dev.evita.api.Filter;
import dev.evita.api.Order;
import dev.evita.api.Output;
import dev.evita.api.Parameter;
import dev.evita.api.Relationship;
import dev.evita.api.Select;
import dev.evita.api.TableName;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Evaluates a select by its definition. */
record MemorySelect(
    Map<TableName, List<Map<String, @Nullable Object>>> tables, Arguments arguments) {

  List<MemoryRow> rows(Select select) {
    return rows(select, table(select.from()));
  }

  private List<Map<String, @Nullable Object>> table(TableName name) {
    return tables.getOrDefault(name, List.of());
  }

  private List<MemoryRow> rows(Select select, List<Map<String, @Nullable Object>> from) {
    var chosen = new ArrayList<Map<String, @Nullable Object>>();
    for (var row : from) {
      var where = select.where();
      if (where == null || Boolean.TRUE.equals(test(where, row))) {
        chosen.add(row);
      }
    }
    if (!select.groupBy().isEmpty()) {
      return groups(select, chosen);
    }
    chosen.removeIf(row -> !between(select, row));
    for (var term : select.orderBy().reversed()) {
      Comparator<Map<String, @Nullable Object>> order =
          (a, b) -> compare(term, value(term, a), value(term, b));
      chosen.sort(order);
    }
    if (!select.distinctOn().isEmpty()) {
      var seen = new HashSet<List<@Nullable Object>>();
      chosen.removeIf(row -> !seen.add(values(row, select.distinctOn())));
    }
    var page = page(select, chosen);
    if (select.outputs().stream().anyMatch(Output.Aggregate.class::isInstance)) {
      return List.of(aggregated(select, page));
    }
    return page.stream().map(row -> row(select, row)).toList();
  }

  private <T> List<T> page(Select select, List<T> all) {
    var first = Math.min(count(select.offset(), 0), all.size());
    var last = Math.min((long) first + count(select.limit(), Integer.MAX_VALUE), all.size());
    return all.subList(first, (int) last);
  }

  private List<MemoryRow> groups(Select select, List<Map<String, @Nullable Object>> rows) {
    var groups = new LinkedHashMap<List<@Nullable Object>, List<Map<String, @Nullable Object>>>();
    for (var row : rows) {
      groups.computeIfAbsent(values(row, select.groupBy()), key -> new ArrayList<>()).add(row);
    }
    var chosen = new ArrayList<>(groups.values());
    for (var term : select.orderBy().reversed()) {
      Comparator<List<Map<String, @Nullable Object>>> order =
          (a, b) -> compare(term, ofGroup(term.value(), a), ofGroup(term.value(), b));
      chosen.sort(order);
    }
    return page(select, chosen).stream()
        .map(group ->
            new MemoryRow(
                select.outputs().stream()
                    .map(output -> ofGroup((Output.Value) output, group))
                    .toArray()))
        .toList();
  }

  private static @Nullable Object ofGroup(
      Output.Value value, List<Map<String, @Nullable Object>> group) {
    return switch (value) {
      case Output.Column(var column) -> group.getFirst().get(column);
      case Output.Path path -> throw new IllegalStateException();
      case Output.Aggregate aggregate -> aggregate(aggregate, group);
    };
  }

  /** Whether the row is after the one position and before the other. */
  private boolean between(Select select, Map<String, @Nullable Object> row) {
    return (select.after().isEmpty() || beside(select, row, select.after()) > 0)
        && (select.before().isEmpty() || beside(select, row, select.before()) < 0);
  }

  private int beside(Select select, Map<String, @Nullable Object> row, List<Parameter> position) {
    for (int i = 0; i < position.size(); i++) {
      var term = select.orderBy().get(i);
      var value = value(term, row);
      var compared = compare(term, value, arguments.get(position.get(i)));
      if (compared != 0) {
        return compared;
      }
    }
    return 0;
  }

  private int count(@Nullable Parameter parameter, int otherwise) {
    return parameter == null
        ? otherwise
        : ((Number) Objects.requireNonNull(arguments.get(parameter))).intValue();
  }

  private static List<@Nullable Object> values(
      Map<String, @Nullable Object> row, List<String> columns) {
    var values = new ArrayList<@Nullable Object>();
    columns.forEach(column -> values.add(row.get(column)));
    return values;
  }

  private MemoryRow row(Select select, Map<String, @Nullable Object> row) {
    var values = new ArrayList<@Nullable Object>();
    for (var output : select.outputs()) {
      values.add(
          switch (output) {
            case Output.Column(var column) -> row.get(column);
            case Output.Nested(var relationship, var nested) ->
                rows(nested, related(relationship, row));
            case Output.Related related -> through(related, row);
            case Output.Aggregate aggregate -> throw new IllegalStateException();
            case Output.Path path -> throw new IllegalStateException();
            case Output.Cast cast -> throw new IllegalStateException();
          });
    }
    return new MemoryRow(values.toArray());
  }

  private List<Map<String, @Nullable Object>> related(
      Relationship relationship, Map<String, @Nullable Object> row) {
    var key = values(row, relationship.fromColumns());
    return table(relationship.to()).stream()
        .filter(other -> !key.contains(null))
        .filter(other -> key.equals(values(other, relationship.toColumns())))
        .toList();
  }

  private static MemoryRow aggregated(Select select, List<Map<String, @Nullable Object>> rows) {
    var values = new ArrayList<@Nullable Object>();
    for (var output : select.outputs()) {
      values.add(aggregate((Output.Aggregate) output, rows));
    }
    return new MemoryRow(values.toArray());
  }

  private static @Nullable Object aggregate(
      Output.Aggregate aggregate, List<Map<String, @Nullable Object>> rows) {
    var present =
        rows.stream()
            .map(row -> values(row, aggregate.columns()))
            .filter(values -> !values.contains(null))
            .toList();
    if (aggregate.function() == Output.Function.COUNT) {
      return aggregate.distinct() ? present.stream().distinct().count() : (long) present.size();
    }
    var numbers =
        present.stream().map(values -> Objects.requireNonNull(values.getFirst())).toList();
    if (numbers.isEmpty()) {
      return null;
    }
    return switch (aggregate.function()) {
      case MIN -> numbers.stream().min(MemorySelect::compareValues).orElseThrow();
      case MAX -> numbers.stream().max(MemorySelect::compareValues).orElseThrow();
      case SUM -> sum(numbers);
      case AVG -> sum(numbers).divide(BigDecimal.valueOf(numbers.size()), MathContext.DECIMAL64);
      case COUNT -> throw new IllegalStateException();
    };
  }

  private static BigDecimal sum(List<Object> numbers) {
    return numbers.stream()
        .map(number -> new BigDecimal(number.toString()))
        .reduce(BigDecimal.ZERO, BigDecimal::add);
  }

  private static int compare(Order term, @Nullable Object left, @Nullable Object right) {
    if (left == null || right == null) {
      var nullsFirst = term.nulls() == Order.Nulls.FIRST;
      return left == null && right == null ? 0 : (left == null) == nullsFirst ? -1 : 1;
    }
    var compared = compareValues(left, right);
    return term.direction() == Order.Direction.ASCENDING ? compared : -compared;
  }

  private @Nullable Object value(Order term, Map<String, @Nullable Object> row) {
    return through(new Output.Related(term.path(), term.value(), term.where()), row);
  }

  private @Nullable Object through(Output.Related related, Map<String, @Nullable Object> row) {
    var at = List.of(row);
    for (var step : related.path()) {
      at = at.stream().flatMap(each -> related(step, each).stream()).toList();
    }
    var where = related.where();
    if (where != null) {
      at = at.stream().filter(each -> Boolean.TRUE.equals(test(where, each))).toList();
    }
    return switch (related.value()) {
      case Output.Column(var column) -> at.isEmpty() ? null : at.getFirst().get(column);
      case Output.Path inside -> throw new IllegalStateException();
      case Output.Aggregate aggregate -> aggregate(aggregate, at);
    };
  }

  @SuppressWarnings({"unchecked", "rawtypes"})
  private static int compareValues(Object left, Object right) {
    if (left instanceof Number && right instanceof Number) {
      return new BigDecimal(left.toString()).compareTo(new BigDecimal(right.toString()));
    }
    return ((Comparable) left).compareTo(right);
  }

  /** Three-valued: null is unknown. */
  private @Nullable Boolean test(Filter filter, Map<String, @Nullable Object> row) {
    return switch (filter) {
      case Filter.And(var filters) -> all(filters, row, true);
      case Filter.Or(var filters) -> all(filters, row, false);
      case Filter.Not(var inner) -> {
        var result = test(inner, row);
        yield result == null ? null : !result;
      }
      case Filter.Compare(var column, var comparison, var value) -> {
        var left = row.get(column);
        yield left == null
            ? null
            : compare(left, comparison, Objects.requireNonNull(arguments.get(value)));
      }
      case Filter.CompareColumns columns -> throw new IllegalStateException();
      case Filter.In(var column, var values) ->
          in(row.get(column), (List<?>) arguments.get(values));
      case Filter.IsNull(var column) -> row.get(column) == null;
      case Filter.Exists(var relationship, var inner) ->
          related(relationship, row).stream()
              .anyMatch(other -> Boolean.TRUE.equals(test(inner, other)));
      case Filter.Aggregated aggregated -> aggregated(aggregated, row);
      case Filter.AtPath at -> throw new IllegalStateException();
      case Filter.FullText search -> throw new IllegalStateException();
    };
  }

  private @Nullable Boolean aggregated(
      Filter.Aggregated filter, Map<String, @Nullable Object> row) {
    var where = filter.where();
    var rows =
        related(filter.relationship(), row).stream()
            .filter(other -> where == null || Boolean.TRUE.equals(test(where, other)))
            .toList();
    var value = aggregate(filter.aggregate(), rows);
    return switch (filter.test()) {
      case Filter.Test.Compare(var comparison, var operand) ->
          value == null
              ? null
              : (Boolean)
                  compare(value, comparison, Objects.requireNonNull(arguments.get(operand)));
      case Filter.Test.In(var values) -> in(value, (List<?>) arguments.get(values));
      case Filter.Test.IsNull() -> value == null;
    };
  }

  private @Nullable Boolean all(
      List<Filter> filters, Map<String, @Nullable Object> row, boolean neutral) {
    Boolean result = neutral;
    for (var filter : filters) {
      var one = test(filter, row);
      if (one == null) {
        result = null;
      } else if (one != neutral) {
        return one;
      }
    }
    return result;
  }

  private static @Nullable Boolean in(@Nullable Object value, @Nullable List<?> list) {
    if (list == null || list.isEmpty()) {
      return false;
    }
    return value == null
        ? null
        : (Boolean) list.stream().anyMatch(each -> compareValues(value, each) == 0);
  }

  private static boolean compare(Object left, Comparison comparison, Object right) {
    return switch (comparison) {
      case EQUAL, NOT_DISTINCT -> compareValues(left, right) == 0;
      case NOT_EQUAL -> compareValues(left, right) != 0;
      case LESS -> compareValues(left, right) < 0;
      case LESS_OR_EQUAL -> compareValues(left, right) <= 0;
      case GREATER -> compareValues(left, right) > 0;
      case GREATER_OR_EQUAL -> compareValues(left, right) >= 0;
      case LIKE -> like((String) left, (String) right, 0);
      case ILIKE ->
          like((String) left, (String) right, Pattern.CASE_INSENSITIVE | Pattern.UNICODE_CASE);
      case MATCHES -> Pattern.compile((String) right).matcher((String) left).find();
      case IMATCHES ->
          Pattern.compile((String) right, Pattern.CASE_INSENSITIVE).matcher((String) left).find();
      default -> throw new IllegalStateException();
    };
  }

  private static boolean like(String text, String pattern, int flags) {
    var regex = new StringBuilder();
    for (int i = 0; i < pattern.length(); i++) {
      var c = pattern.charAt(i);
      regex.append(c == '%' ? ".*" : c == '_' ? "." : Pattern.quote(String.valueOf(c)));
    }
    return Pattern.compile(regex.toString(), flags | Pattern.DOTALL).matcher(text).matches();
  }
}

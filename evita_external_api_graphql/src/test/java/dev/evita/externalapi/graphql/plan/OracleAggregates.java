// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.graphql.plan;

import dev.evita.externalapi.graphql.model.AggregateFunction;
import dev.evita.externalapi.graphql.model.TableModel;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The oracle's aggregates over lists of rows. */
final class OracleAggregates {

  private OracleAggregates() {}

  static long count(List<Oracle.Item> rows, @Nullable List<String> columns, boolean distinct) {
    if (columns == null || columns.isEmpty()) {
      return rows.size();
    }
    var present =
        rows.stream()
            .map(item -> Oracle.values(item, columns))
            .filter(values -> !values.contains(null))
            .toList();
    return distinct ? present.stream().distinct().count() : present.size();
  }

  static @Nullable Object of(AggregateFunction function, List<Oracle.Item> rows, String column) {
    var values =
        rows.stream()
            .map(item -> item.row().get(column))
            .filter(Objects::nonNull)
            .map(Object.class::cast)
            .toList();
    if (values.isEmpty()) {
      return null;
    }
    return switch (function) {
      case MIN -> values.stream().min(OracleLogic::compareValues).orElseThrow();
      case MAX -> values.stream().max(OracleLogic::compareValues).orElseThrow();
      case SUM -> sum(values);
      case AVG -> sum(values).divide(BigDecimal.valueOf(values.size()), MathContext.DECIMAL64);
    };
  }

  private static BigDecimal sum(List<Object> values) {
    return values.stream()
        .map(value -> new BigDecimal(value.toString()))
        .reduce(BigDecimal.ZERO, BigDecimal::add);
  }

  /** Which of two lists comes first in an order by their aggregates. */
  @SuppressWarnings("unchecked")
  static int compare(
      List<Oracle.Item> left,
      List<Oracle.Item> right,
      TableModel table,
      Map<String, Object> terms) {
    for (var term : terms.entrySet()) {
      var compared = 0;
      if (term.getKey().equals("count")) {
        if (term.getValue() != null) {
          compared =
              OracleLogic.directed(
                  (long) left.size(), (long) right.size(), term.getValue().toString());
        }
      } else {
        compared =
            compare(
                left,
                right,
                table,
                AggregateFunction.of(term.getKey()),
                (Map<String, Object>) term.getValue());
      }
      if (compared != 0) {
        return compared;
      }
    }
    return 0;
  }

  private static int compare(
      List<Oracle.Item> left,
      List<Oracle.Item> right,
      TableModel table,
      AggregateFunction function,
      Map<String, Object> columns) {
    for (var entry : columns.entrySet()) {
      if (entry.getValue() != null) {
        var column = table.column(entry.getKey());
        var compared =
            OracleLogic.directed(
                of(function, left, column),
                of(function, right, column),
                entry.getValue().toString());
        if (compared != 0) {
          return compared;
        }
      }
    }
    return 0;
  }
}

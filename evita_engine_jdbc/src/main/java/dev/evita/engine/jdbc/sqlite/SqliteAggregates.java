// SPDX-License-Identifier: Apache-2.0
package dev.evita.engine.jdbc.sqlite;

import dev.evita.api.DataType;
import dev.evita.api.Output;
import dev.evita.engine.jdbc.dialect.AggregateExpressions;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jooq.Field;
import org.jooq.impl.DSL;

/** Renders aggregates, in SQLite. */
final class SqliteAggregates extends AggregateExpressions {

  /**
   * SQLite fails if a sum of integers exceeds 64 bits; so the upper and the lower halves are
   * summed, which {@link SqliteCodec} combines.
   */
  @Override
  public Field<Object> aggregate(
      Output.Function function, boolean distinct, Field<Object> column, DataType type) {
    if (function != Output.Function.SUM && function != Output.Function.AVG) {
      return super.aggregate(function, distinct, column, type);
    }
    var whole = function == Output.Function.SUM && type == DataType.Scalar.INT64 && !distinct;
    var value =
        whole
            ? DSL.field("sum({0} >> 32) || ':' || sum({0} & 4294967295)", Object.class, column)
            : super.aggregate(function, distinct, column, type);
    return DSL.field("coalesce({0}, {1})", Object.class, stray(column, type), decimal(value, type));
  }

  /**
   * Yields a text that is no number if a column contains a value that its type cannot represent:
   * sums would count it as zero, or lose its fraction.
   */
  private static Field<Object> stray(Field<Object> column, DataType type) {
    var integer =
        type == DataType.Scalar.INT16
            || type == DataType.Scalar.INT32
            || type == DataType.Scalar.INT64;
    var proper = integer ? "('integer', 'null')" : "('integer', 'real', 'null')";
    return DSL.field(
        "'the value ' || min(case when typeof({0}) not in " + proper + " then {0} end)",
        Object.class,
        column);
  }

  /** Decimals are summed as binary fractions; SQLite itself considers 15 of their digits exact. */
  private static Field<Object> decimal(Field<Object> value, DataType type) {
    return type == DataType.Scalar.DECIMAL
        ? DSL.field(
            "case typeof({0}) when 'real' then printf('%.15g', {0}) else {0} end",
            Object.class, value)
        : value;
  }

  /** Halves that are combined as text have no order; so this sum has 64 bits. */
  @Override
  public Field<Object> comparedAggregate(
      Output.Function function, boolean distinct, Field<Object> column, DataType type) {
    return super.aggregate(function, distinct, column, type);
  }

  @Override
  protected Field<Object> combination(List<Field<Object>> columns) {
    var text =
        IntStream.range(0, columns.size())
            .mapToObj(part -> "quote({" + part + "})")
            .collect(Collectors.joining(" || ',' || "));
    return DSL.field(text, Object.class, columns.toArray(Field<?>[]::new));
  }
}

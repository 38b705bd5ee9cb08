// SPDX-License-Identifier: Apache-2.0
package dev.evita.engine.jdbc.dialect;

import dev.evita.api.DataType;
import dev.evita.api.Output;
import java.util.List;
import java.util.stream.Collectors;
import org.jooq.Condition;
import org.jooq.Field;
import org.jooq.impl.DSL;
import org.jspecify.annotations.Nullable;

/** Renders aggregates. Immutable. */
public abstract class AggregateExpressions {

  /** The result type of an aggregate. */
  public final DataType aggregateType(Output.Function function, @Nullable DataType column) {
    return switch (function) {
      case COUNT -> DataType.Scalar.INT64;
      case SUM -> sumType(column);
      case AVG ->
          column == DataType.Scalar.FLOAT32 || column == DataType.Scalar.FLOAT64
              ? DataType.Scalar.FLOAT64
              : DataType.Scalar.DECIMAL;
      case MIN, MAX -> column == null ? DataType.Scalar.INT64 : column;
    };
  }

  private static DataType sumType(@Nullable DataType column) {
    if (column == DataType.Scalar.INT16 || column == DataType.Scalar.INT32) {
      return DataType.Scalar.INT64;
    }
    return column == DataType.Scalar.FLOAT32 || column == DataType.Scalar.FLOAT64
        ? DataType.Scalar.FLOAT64
        : DataType.Scalar.DECIMAL;
  }

  /** Renders an aggregate over one column. */
  public Field<Object> aggregate(
      Output.Function function, boolean distinct, Field<Object> column, DataType type) {
    var argument = distinct ? "(distinct {0})" : "({0})";
    return switch (function) {
      case COUNT -> DSL.field("count" + argument, Object.class, column);
      case SUM -> DSL.field("sum" + argument, Object.class, column);
      case AVG -> DSL.field("avg" + argument, Object.class, column);
      case MIN -> DSL.field("min({0})", Object.class, column);
      case MAX -> DSL.field("max({0})", Object.class, column);
    };
  }

  /** The same as a value to compare with and to order by. */
  public Field<Object> comparedAggregate(
      Output.Function function, boolean distinct, Field<Object> column, DataType type) {
    return aggregate(function, distinct, column, type);
  }

  /** Counts the rows, or distinct combinations, without nulls in these columns. */
  public Field<Object> countOfCombinations(List<Field<Object>> columns, boolean distinct) {
    var complete =
        columns.stream().map(Field::isNotNull).reduce(Condition::and).orElse(DSL.trueCondition());
    var combination = distinct ? combination(columns) : DSL.field("1", Object.class);
    return DSL.field(
        "count(" + (distinct ? "distinct " : "") + "case when {0} then {1} end)",
        Object.class,
        complete,
        combination);
  }

  /** Combines columns to one value that is equal if and only if all columns are equal. */
  protected Field<Object> combination(List<Field<Object>> columns) {
    var places = columns.stream().map(field -> "{" + columns.indexOf(field) + "}");
    return DSL.field(
        places.collect(Collectors.joining(", ", "row (", ")")),
        Object.class,
        columns.toArray(Field<?>[]::new));
  }
}

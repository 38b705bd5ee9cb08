// SPDX-License-Identifier: Apache-2.0
package dev.evita.engine.jdbc.postgresql;

import dev.evita.api.DataType;
import dev.evita.api.Output;
import dev.evita.engine.jdbc.dialect.AggregateExpressions;
import org.jooq.Field;
import org.jooq.impl.DSL;

/** Renders aggregates, in PostgreSQL. */
final class PostgresAggregates extends AggregateExpressions {

  @Override
  public Field<Object> aggregate(
      Output.Function function, boolean distinct, Field<Object> column, DataType type) {
    if (function == Output.Function.SUM && type == DataType.Scalar.FLOAT32) {
      // The sum of reals is a real, in which 16 777 216 plus one is 16 777 216.
      var wide = DSL.field("cast({0} as double precision)", Object.class, column);
      return super.aggregate(function, distinct, wide, type);
    }
    if (function == Output.Function.MIN || function == Output.Function.MAX) {
      return extreme(function, column, type);
    }
    return super.aggregate(function, distinct, column, type);
  }

  /** PostgreSQL orders booleans and, before version 18, UUIDs, but has no minimum of them. */
  private Field<Object> extreme(Output.Function function, Field<Object> column, DataType type) {
    var least = function == Output.Function.MIN;
    if (type == DataType.Scalar.BOOLEAN) {
      return DSL.field((least ? "bool_and" : "bool_or") + "({0})", Object.class, column);
    }
    if (type == DataType.Scalar.UUID) {
      var text = "cast(" + (least ? "min" : "max") + "(cast({0} as text) collate \"C\") as uuid)";
      return DSL.field(text, Object.class, column);
    }
    return super.aggregate(function, false, column, type);
  }
}

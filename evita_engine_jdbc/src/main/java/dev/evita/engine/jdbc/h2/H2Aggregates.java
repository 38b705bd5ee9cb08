// SPDX-License-Identifier: Apache-2.0
package dev.evita.engine.jdbc.h2;

import dev.evita.api.DataType;
import dev.evita.api.Output;
import dev.evita.engine.jdbc.dialect.AggregateExpressions;
import org.jooq.Field;
import org.jooq.impl.SQLDataType;

/** Renders aggregates, in H2. */
final class H2Aggregates extends AggregateExpressions {

  @Override
  public Field<Object> aggregate(
      Output.Function function, boolean distinct, Field<Object> column, DataType type) {
    // H2 returns a double for the average of an integer, but a numeric for that of a bigint.
    var exact = type == DataType.Scalar.INT16 || type == DataType.Scalar.INT32;
    var argument =
        function == Output.Function.AVG && exact
            ? column.cast(SQLDataType.BIGINT).coerce(Object.class)
            : column;
    return super.aggregate(function, distinct, argument, type);
  }
}

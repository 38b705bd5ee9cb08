// SPDX-License-Identifier: Apache-2.0
package dev.evita.engine.jdbc.sqlite;

import dev.evita.api.Column;
import dev.evita.api.DataType;
import dev.evita.api.Table;
import dev.evita.engine.jdbc.dialect.WriteStatements;
import java.util.List;

/**
 * Renders statements that write rows, in SQLite. The upsert is the {@code on conflict} of {@link
 * WriteStatements#upsert}.
 */
final class SqliteWrites extends WriteStatements {

  /**
   * SQLite has no small integers, and converts a sum that is too large to a float, which the column
   * accepts. Of its functions, {@code abs} is one that fails, with "integer overflow".
   */
  @Override
  public String sum(String sum, DataType type) {
    var range =
        switch (type) {
          case DataType.Scalar.INT16 -> "-32768 and 32767";
          case DataType.Scalar.INT32 -> "-2147483648 and 2147483647";
          case DataType.Scalar.INT64 -> "-9223372036854775808 and 9223372036854775807";
          default -> null;
        };
    return range == null
        ? sum
        : "(select case when s is null then null when typeof(s) = 'integer' and s between "
            + range
            + " then s else abs(-9223372036854775808) end from (select "
            + sum
            + " as s))";
  }

  /** SQLite does not accept the keyword in updates. */
  @Override
  public String defaultValue(Table table, Column column) {
    var expression = column.defaultExpression();
    return expression == null ? "null" : "(" + expression + ")";
  }

  @Override
  public String returning(Write write, String statement, List<String> columns) {
    return statement + " returning " + String.join(", ", columns);
  }
}

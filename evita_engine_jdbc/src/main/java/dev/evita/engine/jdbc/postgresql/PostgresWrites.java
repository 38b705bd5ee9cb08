// SPDX-License-Identifier: Apache-2.0
package dev.evita.engine.jdbc.postgresql;

import dev.evita.api.Column;
import dev.evita.api.Table;
import dev.evita.engine.jdbc.dialect.WriteStatements;
import java.util.List;

/** Renders statements that write rows, in PostgreSQL. */
final class PostgresWrites extends WriteStatements {

  /**
   * An update of a view uses only the defaults of the view's own columns, and would set null
   * instead of those of the underlying table.
   */
  @Override
  public String defaultValue(Table table, Column column) {
    var expression = column.defaultExpression();
    return table.kind() == Table.Kind.VIEW && expression != null
        ? "(" + expression + ")"
        : super.defaultValue(table, column);
  }

  @Override
  public String returning(Write write, String statement, List<String> columns) {
    return statement + " returning " + String.join(", ", columns);
  }
}

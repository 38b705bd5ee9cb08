// SPDX-License-Identifier: Apache-2.0
package dev.evita.engine.jdbc.postgresql;

import dev.evita.api.Column;
import dev.evita.api.Table;
import dev.evita.engine.jdbc.dialect.WriteStatements;
import java.util.List;

/** The statements that write rows, in PostgreSQL. */
final class PostgresWrites extends WriteStatements {

  /**
   * An update of a view knows the defaults of the view's own columns alone, and would set null for
   * those of the table below it.
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

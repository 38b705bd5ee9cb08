// SPDX-License-Identifier: Apache-2.0
package dev.evita.engine.jdbc.postgresql;

import dev.evita.api.Parameter;
import dev.evita.api.Routine;
import dev.evita.engine.jdbc.dialect.CallStatements;
import dev.evita.engine.jdbc.dialect.SqlText;
import java.util.List;
import java.util.Map;

/** Renders statements that call routines, in PostgreSQL. */
final class PostgresCalls implements CallStatements {

  private static final PostgresValues VALUES = new PostgresValues();

  @Override
  public SqlText call(Routine routine, Map<String, Parameter> arguments, List<String> columns) {
    return new PostgresCall(VALUES, routine, arguments).text(columns);
  }
}

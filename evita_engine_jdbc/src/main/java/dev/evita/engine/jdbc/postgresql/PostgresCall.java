// SPDX-License-Identifier: Apache-2.0
package dev.evita.engine.jdbc.postgresql;

import dev.evita.api.Column;
import dev.evita.api.Parameter;
import dev.evita.api.Routine;
import dev.evita.engine.jdbc.dialect.Bind;
import dev.evita.engine.jdbc.dialect.CallStatements;
import dev.evita.engine.jdbc.dialect.JdbcErrors;
import dev.evita.engine.jdbc.dialect.Sql;
import dev.evita.engine.jdbc.dialect.SqlText;
import dev.evita.engine.jdbc.dialect.ValueExpressions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jooq.SQLDialect;

/**
 * Renders the call of a PostgreSQL routine. Arguments are named, so that any of those with a
 * default can be omitted; up to the last one without a name they are positional. Each is cast to
 * its type, which selects among overloaded routines.
 */
final class PostgresCall {

  private static final String UNNAMED = "$";

  private final ValueExpressions values;
  private final Routine routine;
  private final Map<String, Parameter> arguments;
  private final Sql sql;
  private final List<String> written = new ArrayList<>();
  private final List<Bind> binds = new ArrayList<>();

  PostgresCall(ValueExpressions values, Routine routine, Map<String, Parameter> arguments) {
    this.values = values;
    this.routine = routine;
    this.arguments = arguments;
    this.sql = new Sql(SQLDialect.POSTGRES);
  }

  /** The name of a parameter without a name: as in the body of its function. */
  static String unnamed(int place) {
    return UNNAMED + place;
  }

  SqlText text(List<String> columns) {
    writeArguments();
    return switch (routine.kind()) {
      case FUNCTION -> new SqlText(function(columns), binds);
      case PROCEDURE -> new SqlText(procedure(), binds);
    };
  }

  private void writeArguments() {
    var places = places();
    for (int i = 0; i < routine.parameters().size(); i++) {
      var parameter = routine.parameters().get(i);
      var value = arguments.get(parameter.name());
      if (value != null) {
        var cast = "cast(? as " + parameter.nativeType() + ")";
        written.add(i < places ? cast : named(parameter.name(), cast));
        binds.add(CallStatements.argument(values, routine, parameter, value));
      } else if (i < places) {
        throw JdbcErrors.invalid(
            "parameter '%s' of '%s' has no argument, but a later one without a name has"
                .formatted(parameter.name(), routine.name()));
      }
    }
  }

  /** The number of positional arguments. */
  private int places() {
    for (int i = routine.parameters().size(); i > 0; i--) {
      var name = routine.parameters().get(i - 1).name();
      if (name.equals(unnamed(i)) && arguments.containsKey(name)) {
        return i;
      }
    }
    return 0;
  }

  private String named(String name, String value) {
    return sql.quoted(name) + " => " + value;
  }

  private String function(List<String> columns) {
    var result = sql.quoted(routine.result().stream().map(Column::name).toList());
    return "select %s from %s as \"r\"%s"
        .formatted(
            columns.isEmpty() ? "1" : String.join(", ", sql.quoted(columns)),
            called(),
            result.isEmpty() ? "" : "(" + String.join(", ", result) + ")");
  }

  /** Output parameters require a place, too. */
  private String procedure() {
    var given = routine.parameters().stream().map(Column::name).collect(Collectors.toSet());
    for (var column : routine.result()) {
      if (!given.contains(column.name())) {
        written.add(named(column.name(), "null"));
      }
    }
    return "call " + called();
  }

  private String called() {
    return "%s.%s(%s)"
        .formatted(
            sql.quoted(routine.schema()), sql.quoted(routine.name()), String.join(", ", written));
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.evita.engine.jdbc.h2;

import dev.evita.api.Parameter;
import dev.evita.api.Routine;
import dev.evita.engine.jdbc.dialect.Bind;
import dev.evita.engine.jdbc.dialect.CallStatements;
import dev.evita.engine.jdbc.dialect.Sql;
import dev.evita.engine.jdbc.dialect.SqlText;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jooq.SQLDialect;

/** Renders statements that call routines, in H2. */
final class H2Calls implements CallStatements {

  private static final H2Values VALUES = new H2Values();

  /** Parameters of aliases have no names for calls, and no defaults. */
  @Override
  public SqlText call(Routine routine, Map<String, Parameter> arguments, List<String> columns) {
    var sql = new Sql(SQLDialect.H2);
    var binds = new ArrayList<Bind>();
    for (var parameter : routine.parameters()) {
      var value = Objects.requireNonNull(arguments.get(parameter.name()), "all arguments required");
      binds.add(CallStatements.argument(VALUES, routine, parameter, value));
    }
    var called =
        "%s.%s(%s)"
            .formatted(
                sql.quoted(routine.schema()),
                sql.quoted(routine.name()),
                String.join(", ", Collections.nCopies(binds.size(), "?")));
    if (!routine.returnsMany()) {
      return new SqlText("select " + called, binds);
    }
    var selected = columns.isEmpty() ? "1" : String.join(", ", sql.quoted(columns));
    return new SqlText("select " + selected + " from " + called, binds);
  }
}

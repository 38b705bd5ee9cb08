// SPDX-License-Identifier: Apache-2.0
package dev.evita.engine.jdbc.run;

import java.sql.Connection;
import java.sql.SQLException;
import org.h2.api.Trigger;

/** Writes to another table. Compiled here, as a JRE has no compiler for a trigger's source. */
public final class OthersTrigger implements Trigger {

  @Override
  public void fire(Connection connection, Object[] before, Object[] after) throws SQLException {
    try (var statement = connection.createStatement()) {
      statement.execute("insert into others values (7)");
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.evita.engine.jdbc.run;

import java.sql.Connection;
import java.sql.SQLException;

/** A function of H2 that looks like one that reads. */
public final class SlyFunction {

  private SlyFunction() {}

  /** Deletes all users. */
  public static int sly(Connection connection) throws SQLException {
    try (var statement = connection.createStatement()) {
      return statement.executeUpdate("delete from users");
    }
  }
}

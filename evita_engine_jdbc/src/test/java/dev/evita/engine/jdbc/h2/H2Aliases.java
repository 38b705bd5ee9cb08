// SPDX-License-Identifier: Apache-2.0
package dev.evita.engine.jdbc.h2;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The test kit's routines as H2 aliases. */
public final class H2Aliases {

  private H2Aliases() {}

  static List<String> definitions() {
    return List.of(
        define("kit_sum", "deterministic", "sum"),
        define("kit_numbers", "deterministic", "numbers"),
        define("kit_put", "", "put"),
        define("kit_clear", "", "clear"),
        define("kit_sly", "deterministic", "sly"));
  }

  private static String define(String name, String kind, String method) {
    return "create alias \"%s\" %s for '%s.%s'"
        .formatted(name, kind, H2Aliases.class.getName(), method);
  }

  /** In SQL, which detects the overflow. */
  public static int sum(Connection connection, int one, int other) throws SQLException {
    try (var statement = connection.prepareStatement("select cast(? as int) + cast(? as int)")) {
      statement.setInt(1, one);
      statement.setInt(2, other);
      try (var row = statement.executeQuery()) {
        row.next();
        return row.getInt(1);
      }
    }
  }

  public static ResultSet numbers(Connection connection, int to) throws SQLException {
    var statement =
        connection.prepareStatement(
            "select cast(x as int) as n, 'n' || x as label from system_range(1, ?)");
    statement.setInt(1, to);
    return statement.executeQuery();
  }

  public static int put(Connection connection, int id, @Nullable String code) throws SQLException {
    try (var statement =
        connection.prepareStatement(
            "insert into \"items\" (\"id\", \"code\", \"quantity\") values (?, ?, 1)")) {
      statement.setInt(1, id);
      statement.setString(2, code);
      statement.executeUpdate();
    }
    if ("bad".equals(code)) {
      throw new SQLException("no bad ones", "45000");
    }
    return id;
  }

  public static void clear(Connection connection) throws SQLException {
    try (var statement = connection.prepareStatement("delete from \"items\"")) {
      statement.executeUpdate();
    }
  }

  public static int sly(Connection connection, int id) throws SQLException {
    return put(connection, id, "sly");
  }
}

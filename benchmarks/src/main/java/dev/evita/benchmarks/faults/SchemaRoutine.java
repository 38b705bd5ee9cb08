// SPDX-License-Identifier: Apache-2.0
package dev.evita.benchmarks.faults;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;

/**
 * Changes of the schema while the server runs; as a routine of H2, whose file no other process can
 * open. Public for H2.
 */
public final class SchemaRoutine {

  /** Afterwards all is as before. */
  private static final List<String> STATEMENTS =
      List.of(
          "alter table ledger add column remark varchar(100)",
          "create table passing (id int primary key, ledger_id bigint)",
          "drop table passing",
          "alter table ledger drop column remark");

  private SchemaRoutine() {}

  /** Changes and restores the schema. */
  static void change(Connection connection) throws SQLException {
    try (var statement = connection.createStatement()) {
      for (var each : STATEMENTS) {
        statement.execute(each);
      }
    }
  }

  /**
   * The routine of H2. It has another thread change the schema on another connection, as a program
   * would that has opened the database beside the server.
   *
   * @return how many statements that thread will run
   */
  public static int start(Connection connection) throws SQLException {
    try (var statement = connection.createStatement();
        var path = statement.executeQuery("call database_path()")) {
      path.next();
      var url = "jdbc:h2:file:" + path.getString(1);
      Thread.ofPlatform().name("schema change").start(() -> changeAt(url));
    }
    return STATEMENTS.size();
  }

  /** Others wait meanwhile: H2 loses what they write to a table that ALTER TABLE copies. */
  private static void changeAt(String url) {
    try (var connection = DriverManager.getConnection(url);
        var statement = connection.createStatement()) {
      statement.execute("set exclusive 1");
      change(connection);
      statement.execute("set exclusive 0");
    } catch (SQLException e) {
      System.err.println("the schema was not changed: " + e.getMessage());
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.evita.engine.jdbc.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evita.engine.jdbc.h2.H2Dialect;
import dev.evita.engine.jdbc.postgresql.PostgresDialect;
import dev.evita.testsupport.PostgresServer;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** The functions that a read-only native query may call outside a transaction. */
final class HarmlessWordsIT {

  @Test
  void functions_ofH2_areBuiltIn_andCannotBeReplaced() throws SQLException {
    var functions = H2Dialect.of(true).scripts().harmlessFunctions();
    try (var connection = DriverManager.getConnection("jdbc:h2:mem:");
        var statement = connection.createStatement()) {
      for (var name : functions) {
        requireBuiltIn(statement, name);
      }
    }
    assertThat(functions)
        .doesNotContain(
            "CSVREAD",
            "CSVWRITE",
            "FILE_READ",
            "FILE_WRITE",
            "LINK_SCHEMA",
            "NEXTVAL",
            "CURRVAL",
            "SET",
            "ABORT_SESSION",
            "CANCEL_SESSION",
            "DATABASE_PATH",
            "MEMORY_FREE",
            "MEMORY_USED",
            "SIGNAL");
  }

  /** H2 refuses an alias of such a name, or at least never calls it. */
  private static void requireBuiltIn(Statement statement, String name) throws SQLException {
    try {
      statement.execute(
          "create alias %s for '%s.call'".formatted(name, CountedCalls.class.getName()));
    } catch (SQLException e) {
      assertThat(e.getErrorCode()).as(name).isEqualTo(90076);
      return;
    }
    for (var arguments : List.of("", "'1'", "'1', '1'", "'1', '1', '1'")) {
      try (var rows = statement.executeQuery("select " + name + "(" + arguments + ")")) {
        rows.next();
      } catch (SQLException e) {
        // The built-in function does not accept these arguments.
      }
    }
    assertThat(CountedCalls.COUNT).as(name).hasValue(0);
    statement.execute("drop alias " + name);
  }

  /** Functions of each number of arguments. */
  public static final class CountedCalls {
    static final AtomicInteger COUNT = new AtomicInteger();

    private CountedCalls() {}

    /** Counts a call. */
    public static String call() {
      return String.valueOf(COUNT.incrementAndGet());
    }

    /** Counts a call. */
    public static String call(String one) {
      return call();
    }

    /** Counts a call. */
    public static String call(String one, String two) {
      return call();
    }

    /** Counts a call. */
    public static String call(String one, String two, String three) {
      return call();
    }
  }

  @Test
  void functions_ofPostgres_areBuiltIn_andNotVolatile() throws SQLException {
    var functions = PostgresDialect.of().scripts().harmlessFunctions();
    try (var connection = DriverManager.getConnection(PostgresServer.start().createDatabase())) {
      var known = names(connection, "select proname from pg_proc where pronamespace = 11");
      known.addAll(
          names(connection, "select word from pg_get_keywords() where catcode in ('C', 'R')"));
      assertThat(known).containsAll(functions);
      assertThat(
              names(
                  connection,
                  "select proname from pg_proc where pronamespace = 11 and provolatile = 'v'"))
          .contains("NEXTVAL", "SETVAL", "LO_CREATE", "PG_NOTIFY", "SET_CONFIG")
          .doesNotContainAnyElementsOf(functions);
    }
  }

  private static Set<String> names(Connection connection, String query) throws SQLException {
    var names = new TreeSet<String>(String.CASE_INSENSITIVE_ORDER);
    try (var statement = connection.createStatement();
        var rows = statement.executeQuery(query)) {
      while (rows.next()) {
        names.add(rows.getString(1));
      }
    }
    return names;
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.evita.engine.jdbc.postgresql;

import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import dev.evita.engine.jdbc.dialect.SessionRules;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Properties;
import java.util.Set;
import org.postgresql.Driver;
import org.postgresql.PGConnection;
import org.postgresql.PGStatement;

/**
 * A pooler such as PgBouncer that assigns a connection of the server to each transaction. Whatever
 * belongs to a session is then shared with other clients, or missing in the next transaction.
 */
public final class PostgresPooler {

  /** Parameters of a URL that set the session. */
  private static final List<String> SESSION_PARAMETERS = List.of("currentSchema", "options");

  /** The forms that are converted to ISO-8601 when they are read. */
  private static final Set<String> INTERVAL_STYLES = Set.of("postgres", "iso_8601");

  private static final String THRESHOLD = "prepareThreshold";

  /** The name of this statement itself. */
  private static final String OWN_NAME =
      "select name from pg_prepared_statements where statement like '%evita_own_name%'";

  private PostgresPooler() {}

  /** Whether the process that serves a connection is not the one that accepted it. */
  public static boolean isBehind(Connection connection) throws SQLException {
    if (!connection.isWrapperFor(PGConnection.class)) {
      return false; // a driver that hides PostgreSQL's
    }
    var accepted = connection.unwrap(PGConnection.class).getBackendPID();
    return !String.valueOf(accepted).equals(value(connection, "select pg_backend_pid()"));
  }

  /**
   * Rejects parameters of a URL that would not apply to each transaction.
   *
   * @throws EvitaException {@code INVALID_CONFIGURATION}
   */
  public static void check(Connection connection, String url) throws SQLException {
    var parameters = Driver.parseURL(url, new Properties());
    for (var parameter : SESSION_PARAMETERS) {
      if (parameters != null && parameters.getProperty(parameter) != null) {
        throw refused(
            "The URL sets " + parameter,
            "omit it, and set it for the role, such as: alter role ... set search_path = ...");
      }
    }
    check(connection);
    var threshold = parameters == null ? null : parameters.getProperty(THRESHOLD);
    if (threshold != null && !threshold.equals("0") && !keepsStatements(connection)) {
      throw refused(
          "The URL sets " + THRESHOLD + "=" + threshold,
          "omit it, or use PgBouncer 1.21 or later with max_prepared_statements");
    }
  }

  /**
   * Requires transactions, which a pooler may refuse, and a known form of intervals.
   *
   * @throws EvitaException {@code INVALID_CONFIGURATION}
   */
  public static void check(Connection connection) throws SQLException {
    // Otherwise the driver may leave statements of its own on the server.
    connection.unwrap(PGConnection.class).setPrepareThreshold(0);
    connection.setAutoCommit(false);
    var style = value(connection, "show intervalstyle");
    connection.rollback();
    connection.setAutoCommit(true);
    if (!INTERVAL_STYLES.contains(style)) {
      throw refused(
          "The server's intervalstyle is " + style,
          "set it for the role: alter role ... set intervalstyle = 'iso_8601'");
    }
  }

  private static EvitaException refused(String fault, String remedy) {
    return new EvitaException(
        ErrorCode.INVALID_CONFIGURATION,
        fault + ", which is not supported behind a transaction pooler; " + remedy);
  }

  /**
   * Whether prepared statements last beyond a transaction: then the pooler has given them names of
   * its own.
   */
  private static boolean keepsStatements(Connection connection) throws SQLException {
    // No other statement has a name, by check.
    connection.setAutoCommit(false);
    try (var statement = connection.prepareStatement(OWN_NAME)) {
      SessionRules.execute(connection, "select 1");
      statement.unwrap(PGStatement.class).setPrepareThreshold(1);
      var name = "";
      try (var rows = statement.executeQuery()) {
        name = rows.next() ? rows.getString(1) : "";
      }
      if (name.startsWith("S_")) {
        SessionRules.execute(connection, "deallocate \"" + name + "\"");
        return false;
      }
      return !name.isEmpty();
    } catch (SQLException e) {
      return false; // another client's statement has the same name
    } finally {
      connection.rollback();
      connection.setAutoCommit(true);
    }
  }

  private static String value(Connection connection, String query) throws SQLException {
    try (var statement = connection.createStatement();
        var rows = statement.executeQuery(query)) {
      return rows.next() ? String.valueOf(rows.getString(1)) : "";
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.evita.engine.jdbc.postgresql;

import dev.evita.api.DataType;
import dev.evita.api.TransactionOptions;
import dev.evita.engine.jdbc.dialect.SessionRules;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import org.postgresql.PGConnection;

/** Sets up connections, and begins and ends their transactions and statements, in PostgreSQL. */
final class PostgresSessions extends SessionRules {

  /** Executed on each new connection: intervals in the form of {@link DataType.Scalar#INTERVAL}. */
  private static final String SESSION = "set intervalstyle = iso_8601";

  private static final String CHECK_CONNECTION = "set client_connection_check_interval = '1s'";

  private static final int FETCH = 1_000;

  private final boolean pooled;

  /**
   * Creates the rules.
   *
   * @param pooled whether a pooler assigns a connection of the server to each transaction
   */
  PostgresSessions(boolean pooled) {
    this.pooled = pooled;
  }

  @Override
  public void session(Connection connection) throws SQLException {
    if (pooled) {
      connection.unwrap(PGConnection.class).setPrepareThreshold(0);
    } else {
      execute(connection, SESSION);
    }
  }

  /**
   * The statements that set up a connection of our own. The server ends a statement whose
   * connection was closed, if it can check for that; by default it would compute to the end.
   */
  static String ownSession(Connection connection) throws SQLException {
    if (connection.getMetaData().getDatabaseMajorVersion() < 14) {
      return SESSION;
    }
    try {
      execute(connection, CHECK_CONNECTION);
      return SESSION + "; " + CHECK_CONNECTION;
    } catch (SQLException e) {
      return SESSION; // not on all systems
    }
  }

  @Override
  public void begin(Connection connection, TransactionOptions options) throws SQLException {
    connection.setReadOnly(options.readOnly());
    connection.setAutoCommit(false);
    // Not by the driver, which would set it for the session: with a pooler, that of any client.
    switch (options.isolation()) {
      case DEFAULT -> {}
      case READ_COMMITTED -> isolate(connection, "read committed");
      case REPEATABLE_READ -> isolate(connection, "repeatable read");
      case SERIALIZABLE -> isolate(connection, "serializable");
    }
  }

  private static void isolate(Connection connection, String level) throws SQLException {
    execute(connection, "set transaction isolation level " + level);
  }

  @Override
  public int isolationBefore(Connection connection, TransactionOptions options) {
    return 0;
  }

  @Override
  public boolean keepsSession() {
    return !pooled;
  }

  @Override
  public boolean refusesWrites() {
    return true;
  }

  @Override
  public void checkDeferred(Connection connection) throws SQLException {
    execute(connection, "set constraints all immediate");
  }

  @Override
  public void afterTransaction(Connection connection, TransactionOptions options, int isolation)
      throws SQLException {
    if (options.readOnly()) {
      connection.setReadOnly(false);
    }
  }

  /** The statement's own cancel has no effect the second time, even if the first came too early. */
  @Override
  public void cancel(PreparedStatement statement) throws SQLException {
    statement.getConnection().unwrap(PGConnection.class).cancelQuery();
  }

  @Override
  public int fetchSize() {
    return FETCH;
  }

  @Override
  public boolean streamsInTransactionOnly() {
    return true;
  }

  @Override
  public boolean behindSocket() {
    return true;
  }
}

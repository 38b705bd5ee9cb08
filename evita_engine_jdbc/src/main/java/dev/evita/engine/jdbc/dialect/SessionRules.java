// SPDX-License-Identifier: Apache-2.0
package dev.evita.engine.jdbc.dialect;

import dev.evita.api.EvitaException;
import dev.evita.api.TransactionOptions;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * How connections are set up, and how their transactions and statements begin and end. Immutable.
 */
public abstract class SessionRules {

  /** Sets a new connection up. */
  public void session(Connection connection) throws SQLException {}

  /**
   * Whether a statement of this text returns wrong rows after a run that was not read to its end.
   * It is prepared again then, with a text that the database has not seen.
   */
  public boolean mustBeReadWhole(String sql) {
    return false;
  }

  /** Whether the database itself may end such a statement early, as by a limit. */
  public boolean mayEndEarly(String sql) {
    return false;
  }

  /** Whether statements wait for a socket, rather than for this process. */
  public boolean behindSocket() {
    return false;
  }

  /**
   * Refuses an isolation level that the database lacks.
   *
   * @throws EvitaException {@code UNSUPPORTED_OPERATION}
   */
  public void requireIsolation(TransactionOptions.Isolation isolation) {}

  /**
   * Whether the database in this process has closed itself, so that its driver must not be asked.
   */
  public boolean isLost(Connection connection) {
    return false;
  }

  /** Starts a transaction on a connection in autocommit. */
  public void begin(Connection connection, TransactionOptions options) throws SQLException {
    var isolation =
        switch (options.isolation()) {
          case DEFAULT -> 0;
          case READ_COMMITTED -> Connection.TRANSACTION_READ_COMMITTED;
          case REPEATABLE_READ -> Connection.TRANSACTION_REPEATABLE_READ;
          case SERIALIZABLE -> Connection.TRANSACTION_SERIALIZABLE;
        };
    if (isolation != 0) {
      connection.setTransactionIsolation(isolation);
    }
    connection.setAutoCommit(false);
  }

  /** Commits and goes back to autocommit. */
  public void commit(Connection connection) throws SQLException {
    connection.commit();
    connection.setAutoCommit(true);
  }

  /**
   * Whether a read-only transaction refuses what a routine writes, and not just what Evita does.
   */
  public boolean refusesWrites() {
    return false;
  }

  /** Checks what is deferred to the commit, where the database can do so without it. */
  public void checkDeferred(Connection connection) throws SQLException {}

  /** Rolls back and goes back to autocommit. */
  public void rollback(Connection connection) throws SQLException {
    connection.rollback();
    connection.setAutoCommit(true);
  }

  /** Undoes what {@link #begin} set on the connection. */
  public void afterTransaction(Connection connection, TransactionOptions options, int isolation)
      throws SQLException {
    if (options.isolation() != TransactionOptions.Isolation.DEFAULT) {
      connection.setTransactionIsolation(isolation);
    }
  }

  /** Cancels what the statement executes; may come too early, and then comes again. */
  public void cancel(PreparedStatement statement) throws SQLException {
    statement.cancel();
  }

  /** Whether a connection on which a statement was cancelled is not to be used again. */
  public boolean cancelSpoils() {
    return false;
  }

  /** Rows fetched at once when a result may be large; 0 for the driver's own way. */
  public int fetchSize() {
    return 0;
  }

  /** Whether a cursor needs a transaction to stream. */
  public boolean streamsInTransactionOnly() {
    return false;
  }

  public static void execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}

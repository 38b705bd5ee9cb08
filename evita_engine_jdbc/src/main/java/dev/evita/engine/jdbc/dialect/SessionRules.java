// SPDX-License-Identifier: Apache-2.0
package dev.evita.engine.jdbc.dialect;

import dev.evita.api.EvitaException;
import dev.evita.api.TransactionOptions;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;

/** Sets up connections, and begins and ends their transactions and statements. Immutable. */
public abstract class SessionRules {

  /** Sets up a new connection. */
  public void session(Connection connection) throws SQLException {}

  /**
   * Whether a statement of this text returns wrong rows after an execution that was not read
   * completely. It is then prepared again, with a text that is new to the database.
   */
  public boolean mustBeReadWhole(String sql) {
    return false;
  }

  /** Whether the database may end such a statement early, for example by a limit. */
  public boolean mayEndEarly(String sql) {
    return false;
  }

  /** Whether a transaction that writes locks the whole database. */
  public boolean writesOneAtATime() {
    return false;
  }

  /** Whether statements wait for a socket, rather than for this process. */
  public boolean behindSocket() {
    return false;
  }

  /**
   * Rejects an isolation level that the database lacks.
   *
   * @throws EvitaException {@code UNSUPPORTED_OPERATION}
   */
  public void requireIsolation(TransactionOptions.Isolation isolation) {}

  /**
   * Whether the database in this process has closed itself, so that its driver must not be called.
   */
  public boolean isLost(Connection connection) {
    return false;
  }

  /** Begins a transaction on a connection in autocommit. */
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

  /** Commits and returns to autocommit. */
  public void commit(Connection connection) throws SQLException {
    connection.commit();
    connection.setAutoCommit(true);
  }

  /** Whether a read-only transaction rejects writes of routines, and not just those of Evita. */
  public boolean refusesWrites() {
    return false;
  }

  /** Checks constraints deferred to the commit, if the database can do so without a commit. */
  public void checkDeferred(Connection connection) throws SQLException {}

  /** Rolls back and returns to autocommit. */
  public void rollback(Connection connection) throws SQLException {
    connection.rollback();
    connection.setAutoCommit(true);
  }

  /**
   * The isolation of a connection, to be restored by {@link #afterTransaction}; any number if
   * {@link #begin} does not change it.
   */
  public int isolationBefore(Connection connection, TransactionOptions options)
      throws SQLException {
    return options.isolation() == TransactionOptions.Isolation.DEFAULT
        ? 0
        : connection.getTransactionIsolation();
  }

  /** Restores the settings that {@link #begin} changed on the connection. */
  public void afterTransaction(Connection connection, TransactionOptions options, int isolation)
      throws SQLException {
    if (options.isolation() != TransactionOptions.Isolation.DEFAULT) {
      connection.setTransactionIsolation(isolation);
    }
  }

  /** Cancels the execution of a statement; may be called too early, and is then called again. */
  public void cancel(PreparedStatement statement) throws SQLException {
    statement.cancel();
  }

  /** Whether a connection on which a statement was cancelled must not be used again. */
  public boolean cancelSpoils() {
    return false;
  }

  /** Whether settings, locks and temporary tables of a session last beyond a transaction. */
  public boolean keepsSession() {
    return true;
  }

  /** The fetch size for large results; 0 for the driver's default. */
  public int fetchSize() {
    return 0;
  }

  /** Whether a cursor streams only inside a transaction. */
  public boolean streamsInTransactionOnly() {
    return false;
  }

  public static void execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}

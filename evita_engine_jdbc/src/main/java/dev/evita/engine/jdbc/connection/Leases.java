// SPDX-License-Identifier: Apache-2.0
package dev.evita.engine.jdbc.connection;

import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** Provides the connections of executions and transactions. Thread-safe. */
public interface Leases extends AutoCloseable {

  /**
   * Takes a connection in autocommit; the caller must return it.
   *
   * @param waiter receives an action that ends the wait; null if the wait cannot be ended
   */
  Lease take(@Nullable Waiter waiter) throws SQLException;

  /**
   * Whether {@link #take} certainly returns at once, without opening a connection: that may block,
   * and does with a hanging disk.
   */
  default boolean isReady() {
    return false;
  }

  /** The number of callers that wait for a connection, and not just for a moment. */
  int waiting();

  /**
   * Whether an execution gets a connection, or will get one that is in use. May block for a moment.
   */
  default boolean hasConnections() {
    return true;
  }

  /** Ends all waits, as the database does not respond: the waiting callers get an exception. */
  default void endWaits() {}

  /** Returns a connection, from any thread; a broken one is closed. */
  void give(Lease lease);

  /** Closes all connections, even those in use. */
  @Override
  void close();

  /** Opens a connection. */
  @FunctionalInterface
  interface Opener {
    Lease open() throws SQLException;
  }

  /** A caller that may be cancelled while it waits for a connection. */
  @FunctionalInterface
  interface Waiter {

    /**
     * The wait begins or, with null, is over. On the thread that takes the connection.
     *
     * @param wait ends the wait when it is run, from any thread; no effect later
     */
    void waits(@Nullable Runnable wait);
  }
}

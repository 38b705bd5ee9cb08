// SPDX-License-Identifier: Apache-2.0
package dev.evita.engine.jdbc.connection;

import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** Where runs and transactions get their connections. Thread-safe. */
public interface Leases extends AutoCloseable {

  /**
   * A connection in autocommit, the taker's until it is given back.
   *
   * @param waiter is told how to end the wait; null if it lasts as long as it does
   */
  Lease take(@Nullable Waiter waiter) throws SQLException;

  /**
   * Whether {@link #take} surely returns at once, without opening a connection: that may block, and
   * does on a disk that hangs.
   */
  default boolean isReady() {
    return false;
  }

  /** How many wait for a connection, and not just for a moment. */
  int waiting();

  /**
   * Whether a run gets a connection, or others have some of which it may get one later. May block
   * for a moment.
   */
  default boolean hasConnections() {
    return true;
  }

  /** Ends all waits, as the database does not answer: those who wait get an exception. */
  default void endWaits() {}

  /** Gives it back, from any thread; one that is broken is closed. */
  void give(Lease lease);

  /** Closes all connections, also those in use. */
  @Override
  void close();

  /** Opens a connection. */
  @FunctionalInterface
  interface Opener {
    Lease open() throws SQLException;
  }

  /** Whoever takes a connection, and may be cancelled while it waits for one. */
  @FunctionalInterface
  interface Waiter {

    /**
     * The wait begins or, with null, is over. On the thread that takes the connection.
     *
     * @param wait ends the wait when it is run, from any thread; of no effect later
     */
    void waits(@Nullable Runnable wait);
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.evita.engine.jdbc;

import java.sql.SQLException;

/** Where runs and transactions get their connections. Thread-safe. */
interface Leases extends AutoCloseable {

  /** A connection in autocommit, the taker's until it is given back. */
  Lease take() throws SQLException;

  /** How many wait for a connection, and not just for a moment. */
  int waiting();

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
}

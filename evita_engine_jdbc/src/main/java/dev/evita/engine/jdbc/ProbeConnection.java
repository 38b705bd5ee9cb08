// SPDX-License-Identifier: Apache-2.0
package dev.evita.engine.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A connection for the probe alone, so that a pool whose connections are all in use does not look
 * like a database that is gone. Where it does not answer soon, a new one is opened: a single
 * process of the server that is stuck is not the server.
 */
class ProbeConnection implements Probe.Question {

  /** How long the connection that is kept may take, so that there is time left for a new one. */
  private static final Duration PATIENCE = Probe.LONGEST.dividedBy(2);

  /** Opens a connection; may block. */
  @FunctionalInterface
  interface Opener {
    Connection open() throws SQLException;
  }

  private final Opener opener;
  private volatile @Nullable Connection kept;
  private int timeoutBefore;

  ProbeConnection(Opener opener) {
    this.opener = opener;
  }

  @Override
  public void ask() throws SQLException {
    var known = kept;
    if (known != null && answers(known)) {
      return;
    }
    ask(open(), Probe.LONGEST);
  }

  /** Opens the connection that is kept from now on. */
  final Connection open() throws SQLException {
    var opened = opener.open();
    timeoutBefore = opened.getNetworkTimeout();
    kept = opened;
    return opened;
  }

  private boolean answers(Connection known) {
    try {
      ask(known, PATIENCE);
      return true;
    } catch (SQLException e) {
      close();
      return false;
    }
  }

  private static void ask(Connection connection, Duration longest) throws SQLException {
    connection.setNetworkTimeout(Runnable::run, (int) longest.toMillis());
    Dialect.execute(connection, "select 1");
  }

  final boolean isKept() {
    return kept != null;
  }

  @Override
  public final void close() {
    var known = kept;
    kept = null;
    if (known == null) {
      return;
    }
    try (known) {
      known.setNetworkTimeout(Runnable::run, timeoutBefore);
    } catch (SQLException e) {
      // It is not used again in any case.
    }
  }

  @Override
  public final void abort() {
    var known = kept;
    if (known != null) {
      new Lease(known, 0).abort();
    }
  }
}

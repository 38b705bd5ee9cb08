// SPDX-License-Identifier: Apache-2.0
package dev.evita.engine.jdbc.connection;

import dev.evita.engine.jdbc.dialect.JdbcErrors;
import dev.evita.engine.jdbc.dialect.SessionRules;
import dev.evita.engine.jdbc.health.Probe;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A connection reserved for the probe, so that a pool whose connections are all in use does not
 * look like an unreachable database. If it does not respond soon, a new one is opened: one blocked
 * process of the server is not the server. If the server has no connection left for the probe,
 * those of the pool count.
 */
public class ProbeConnection implements Probe.Target {

  /** Opens a connection; may block. */
  @FunctionalInterface
  public interface Opener {
    Connection open() throws SQLException;
  }

  private final Opener opener;
  private final BooleanSupplier others;
  private final Duration longest;
  private volatile @Nullable Connection kept;
  private int timeoutBefore;
  private boolean refused;

  /**
   * Creates a probe without a connection yet.
   *
   * @param others whether other connections to the server work, if it rejects one more
   * @param longest the timeout of a response
   */
  public ProbeConnection(Opener opener, BooleanSupplier others, Duration longest) {
    this.opener = opener;
    this.others = others;
    this.longest = longest;
  }

  @Override
  public final Duration longest() {
    return longest;
  }

  @Override
  public void query() throws SQLException {
    var known = kept;
    if (known != null && responds(known)) {
      return;
    }
    // A connection that the server has free again is for the pool first.
    if (refused && others.getAsBoolean()) {
      refused = false;
      return;
    }
    try {
      query(open(), longest);
    } catch (SQLException e) {
      requireOthers(e);
    }
  }

  private void requireOthers(SQLException failure) throws SQLException {
    if (!JdbcErrors.TOO_MANY_CONNECTIONS.equals(failure.getSQLState())) {
      throw failure;
    }
    var first = !refused;
    refused = true;
    if (!first || !others.getAsBoolean()) {
      throw failure;
    }
  }

  /** Opens the connection that is kept from now on. */
  protected final Connection open() throws SQLException {
    var opened = opener.open();
    timeoutBefore = opened.getNetworkTimeout();
    kept = opened;
    return opened;
  }

  private boolean responds(Connection known) {
    try {
      query(known, longest.dividedBy(2)); // leaves time for a new one
      return true;
    } catch (SQLException e) {
      close();
      return false;
    }
  }

  private static void query(Connection connection, Duration longest) throws SQLException {
    connection.setNetworkTimeout(Runnable::run, (int) longest.toMillis());
    SessionRules.execute(connection, "select 1");
  }

  protected final boolean isKept() {
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
      Lease.abort(known);
    }
  }
}

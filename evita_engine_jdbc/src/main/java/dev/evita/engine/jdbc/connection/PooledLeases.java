// SPDX-License-Identifier: Apache-2.0
package dev.evita.engine.jdbc.connection;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.SQLExceptionOverride;
import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import dev.evita.engine.jdbc.dialect.SessionRules;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Connections of a remote database, from a pool. Their prepared statements are cached by the
 * driver, for each connection.
 */
public final class PooledLeases implements Leases {

  private static final Duration LEAST_WAIT = Duration.ofMillis(250);

  /** The longest wait of {@link #hasConnections}. */
  private static final Duration CHECK = Duration.ofMillis(250);

  private final SessionRules rules;
  private final HikariDataSource pool;
  private final LeaseQueue queue = new LeaseQueue();
  private volatile boolean closed;

  /**
   * Creates a pool that opens connections on demand.
   *
   * @param rules of the database
   * @param session run on each new connection; null for nothing
   * @param poolSize the maximum number of connections
   * @param connectTimeout longest wait for a connection
   * @param validationTimeout longest wait for the response of an idle connection
   */
  public PooledLeases(
      DataSource source,
      SessionRules rules,
      @Nullable String session,
      int poolSize,
      Duration connectTimeout,
      Duration validationTimeout) {
    this.rules = rules;
    var config = new HikariConfig();
    config.setPoolName("evita");
    config.setDataSource(source);
    config.setConnectionInitSql(session);
    config.setMaximumPoolSize(poolSize);
    // With 0, the pool does not replace a connection that is abandoned while others wait.
    config.setMinimumIdle(1);
    config.setInitializationFailTimeout(-1);
    config.setConnectionTimeout(Math.max(LEAST_WAIT.toMillis(), connectTimeout.toMillis()));
    config.setValidationTimeout(Math.max(LEAST_WAIT.toMillis(), validationTimeout.toMillis()));
    config.setRegisterMbeans(false);
    config.setExceptionOverride(new KeepOnUnsupported());
    this.pool = new HikariDataSource(config);
  }

  @Override
  public Lease take(@Nullable Waiter waiter) throws SQLException {
    if (closed) {
      throw shut();
    }
    try {
      return new Lease(queue.await(pool::getConnection, waiter), rules, pool::evictConnection);
    } catch (SQLException e) {
      if (closed) {
        throw shut();
      }
      throw e;
    }
  }

  /**
   * By default the pool evicts a connection on which the server rejected a feature, as if the
   * connection were at fault.
   */
  private static final class KeepOnUnsupported implements SQLExceptionOverride {
    @java.lang.Override
    public SQLExceptionOverride.Override adjudicate(SQLException failure) {
      return "0A000".equals(failure.getSQLState())
          ? SQLExceptionOverride.Override.DO_NOT_EVICT
          : SQLExceptionOverride.Override.CONTINUE_EVICT;
    }
  }

  private static EvitaException shut() {
    return new EvitaException(ErrorCode.SHUTTING_DOWN, "The engine is closed");
  }

  @Override
  public int waiting() {
    return queue.waiting();
  }

  /** Idle connections that the server has closed are detected only when they are taken. */
  @Override
  public boolean hasConnections() {
    try {
      give(take(PooledLeases::endSoon));
      return true;
    } catch (SQLException e) {
      return pool.getHikariPoolMXBean().getActiveConnections() > 0;
    }
  }

  private static void endSoon(@Nullable Runnable wait) {
    if (wait != null) {
      var unused =
          Thread.ofVirtual()
              .name("evita-pool-check")
              .start(() -> {
                LockSupport.parkNanos(CHECK.toNanos());
                wait.run();
              });
    }
  }

  @Override
  public void endWaits() {
    queue.end();
  }

  @Override
  public void give(Lease lease) {
    if (closed || !lease.usable()) {
      lease.close();
      return;
    }
    lease.giveBack();
  }

  @Override
  public void close() {
    closed = true;
    pool.close();
  }
}

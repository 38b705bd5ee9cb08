// SPDX-License-Identifier: Apache-2.0
package dev.evita.engine.jdbc;

import dev.evita.engine.jdbc.dialect.JdbcErrors;
import dev.evita.engine.jdbc.postgresql.PoolerErrors;
import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.time.Duration;
import java.util.Locale;
import java.util.Properties;
import java.util.concurrent.locks.LockSupport;
import java.util.logging.Logger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Connections of PostgreSQL's driver. Until a connection is open, a timeout applies to each
 * response of the server: a frozen server accepts connections but does not respond. The driver's
 * own {@code loginTimeout} would leave a thread behind for each attempt.
 */
final class DriverSource implements DataSource {

  private static final Duration BETWEEN_ATTEMPTS = Duration.ofMillis(100);

  private final Driver driver;
  private final String url;
  private final Properties settings;
  private final int timeoutSeconds;
  private final boolean timed;
  private final Duration patience;

  /**
   * @param timeout of the connect, and of each response until the connection is open; in seconds,
   *     rounded up
   * @param patience how long the connect is retried while the server is down: a pool retries by
   *     itself, but pauses for up to five seconds, in which the server may be up again
   */
  DriverSource(
      Driver driver, String url, Properties settings, Duration timeout, Duration patience) {
    this.driver = driver;
    this.url = url;
    this.settings = new Properties();
    this.settings.putAll(settings);
    this.patience = patience;
    this.timed = url.toLowerCase(Locale.ROOT).contains("sockettimeout=");
    this.timeoutSeconds = (int) Math.max(1, timeout.plusMillis(999).toSeconds());
    this.settings.setProperty("connectTimeout", Integer.toString(timeoutSeconds));
    this.settings.setProperty("socketTimeout", Integer.toString(timeoutSeconds));
  }

  @Override
  public Connection getConnection() throws SQLException {
    var deadline = System.nanoTime() + patience.toNanos();
    while (true) {
      try {
        return connect();
      } catch (SQLException e) {
        if (!Connector.isStarting(e) || System.nanoTime() - deadline > 0) {
          throw e;
        }
        LockSupport.parkNanos(BETWEEN_ATTEMPTS.toNanos());
        if (Thread.currentThread().isInterrupted()) {
          throw e;
        }
      }
    }
  }

  private Connection connect() throws SQLException {
    var connection = accept();
    if (connection == null) {
      throw new SQLException("the driver does not accept this URL", "08001");
    }
    if (!timed) {
      connection.setNetworkTimeout(Runnable::run, 0);
    }
    return connection;
  }

  /** Reports the limit of a pooler as that of a server. */
  private @Nullable Connection accept() throws SQLException {
    try {
      return driver.connect(url, settings);
    } catch (SQLException e) {
      throw PoolerErrors.isClientLimit(e)
          ? new SQLException(e.getMessage(), JdbcErrors.TOO_MANY_CONNECTIONS, e)
          : e;
    }
  }

  @Override
  public Connection getConnection(String user, String password) throws SQLException {
    throw new SQLFeatureNotSupportedException("the user is part of the settings");
  }

  @Override
  public @Nullable PrintWriter getLogWriter() {
    return null;
  }

  @Override
  public void setLogWriter(@Nullable PrintWriter out) {}

  /** No effect: the pool would set it for all drivers of this process. */
  @Override
  public void setLoginTimeout(int seconds) {}

  @Override
  public int getLoginTimeout() {
    return timeoutSeconds;
  }

  @Override
  public Logger getParentLogger() throws SQLFeatureNotSupportedException {
    return driver.getParentLogger();
  }

  @Override
  public <T> T unwrap(Class<T> type) throws SQLException {
    throw new SQLException("no wrapped object");
  }

  @Override
  public boolean isWrapperFor(Class<?> type) {
    return false;
  }
}

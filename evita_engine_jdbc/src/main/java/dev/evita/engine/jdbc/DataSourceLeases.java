// SPDX-License-Identifier: Apache-2.0
package dev.evita.engine.jdbc;

import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import dev.evita.engine.jdbc.connection.Lease;
import dev.evita.engine.jdbc.connection.LeaseQueue;
import dev.evita.engine.jdbc.connection.Leases;
import dev.evita.engine.jdbc.dialect.Dialect;
import dev.evita.engine.jdbc.h2.H2Dialect;
import dev.evita.engine.jdbc.h2.H2UnfinishedCommits;
import dev.evita.engine.jdbc.health.CommitLog;
import dev.evita.engine.jdbc.health.Probe;
import dev.evita.engine.jdbc.health.StorageWatch;
import dev.evita.engine.jdbc.postgresql.PostgresDialect;
import dev.evita.engine.jdbc.postgresql.PostgresPooler;
import dev.evita.engine.jdbc.sqlite.SqliteDialect;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Connections of a caller's data source, pooled or not: each is returned after its execution, and
 * its statements are closed, since the next one may be another connection.
 */
final class DataSourceLeases implements Leases {

  private final DataSource source;
  private final Dialect dialect;
  private final Set<Lease> taken = ConcurrentHashMap.newKeySet();
  private final LeaseQueue queue = new LeaseQueue();
  private volatile boolean closed;

  private DataSourceLeases(DataSource source, Dialect dialect) {
    this.source = source;
    this.dialect = dialect;
  }

  /**
   * Detects the database of the data source.
   *
   * @throws EvitaException {@code INVALID_CONFIGURATION} if the database is not supported, or its
   *     settings are weaker than the required durability; {@code DATABASE_UNREACHABLE}
   */
  static Connector.Opened open(DataSource source, JdbcOptions options) {
    try (var connection = source.getConnection()) {
      var metadata = connection.getMetaData();
      var product = metadata.getDatabaseProductName();
      var pooled = product.equals("PostgreSQL") && Connector.isPooled(options, connection);
      var dialect = dialect(product, metadata.getURL(), pooled);
      if (pooled) {
        PostgresPooler.check(connection);
      }
      prepare(product, connection, new DurabilityRules(options.durability()));
      var leases = new DataSourceLeases(source, dialect);
      return new Connector.Opened(
          Connector.name(connection),
          dialect,
          leases,
          null,
          new StorageWatch(),
          failed -> CommitLog.NONE,
          dialect.sessions().behindSocket()
              ? new SharedProbeConnection(
                  source, leases, pooled ? options.connectTimeout() : Probe.LONGEST)
              : null);
    } catch (SQLException e) {
      throw new EvitaException(
          ErrorCode.DATABASE_UNREACHABLE,
          "The data source provides no connection; check its settings, and that the database is up",
          e);
    }
  }

  private static void prepare(String product, Connection connection, DurabilityRules durability)
      throws SQLException {
    switch (product) {
      case "H2" -> {
        durability.requireH2(connection);
        H2UnfinishedCommits.finish(connection);
      }
      case "SQLite" -> durability.requireSqlite(connection);
      default -> durability.checkPostgres(connection);
    }
  }

  private static Dialect dialect(String product, String url, boolean pooled) {
    var lower = String.valueOf(url).toLowerCase(Locale.ROOT);
    return switch (product) {
      case "H2" ->
          H2Dialect.of(!lower.startsWith("jdbc:h2:tcp:") && !lower.startsWith("jdbc:h2:ssl:"));
      case "PostgreSQL" -> PostgresDialect.of(pooled);
      case "SQLite" -> SqliteDialect.of();
      default ->
          throw new EvitaException(
              ErrorCode.INVALID_CONFIGURATION,
              "The data source's database '"
                  + product
                  + "' is not supported; expected H2, SQLite or PostgreSQL");
    };
  }

  @Override
  public Lease take(@Nullable Waiter waiter) throws SQLException {
    if (closed) {
      throw new EvitaException(ErrorCode.SHUTTING_DOWN, "The engine is closed");
    }
    var connection = queue.await(source::getConnection, waiter);
    try {
      dialect.sessions().session(connection);
    } catch (SQLException e) {
      connection.close();
      throw e;
    }
    var lease = new Lease(connection, dialect.sessions());
    taken.add(lease);
    return lease;
  }

  @Override
  public int waiting() {
    return queue.waiting();
  }

  @Override
  public void endWaits() {
    queue.end();
  }

  @Override
  public void give(Lease lease) {
    taken.remove(lease);
    lease.close();
  }

  @Override
  public void close() {
    closed = true;
    taken.forEach(Lease::close);
    taken.clear();
  }
}

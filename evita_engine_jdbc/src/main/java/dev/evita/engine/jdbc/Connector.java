// SPDX-License-Identifier: Apache-2.0
package dev.evita.engine.jdbc;

import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import dev.evita.engine.jdbc.connection.EmbeddedLeases;
import dev.evita.engine.jdbc.connection.Lease;
import dev.evita.engine.jdbc.connection.Leases;
import dev.evita.engine.jdbc.connection.PooledLeases;
import dev.evita.engine.jdbc.connection.ProbeConnection;
import dev.evita.engine.jdbc.dialect.Dialect;
import dev.evita.engine.jdbc.dialect.JdbcErrors;
import dev.evita.engine.jdbc.h2.H2Dialect;
import dev.evita.engine.jdbc.h2.H2GroupCommit;
import dev.evita.engine.jdbc.h2.H2Recovery;
import dev.evita.engine.jdbc.h2.H2SchemaGuard;
import dev.evita.engine.jdbc.h2.H2Sequences;
import dev.evita.engine.jdbc.h2.H2UnfinishedCommits;
import dev.evita.engine.jdbc.health.CommitLog;
import dev.evita.engine.jdbc.health.Probe;
import dev.evita.engine.jdbc.health.StorageWatch;
import dev.evita.engine.jdbc.postgresql.PoolerErrors;
import dev.evita.engine.jdbc.postgresql.PostgresDialect;
import dev.evita.engine.jdbc.postgresql.PostgresPooler;
import dev.evita.engine.jdbc.sqlite.SqliteCallbacks;
import dev.evita.engine.jdbc.sqlite.SqliteDialect;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Locale;
import java.util.Properties;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.Function;
import org.h2.engine.SessionLocal;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Maps a JDBC URL to a dialect and opens its connections. */
final class Connector {

  /**
   * An opened database.
   *
   * @param keeper a connection that keeps an embedded database open while the engine lives; null if
   *     none is needed
   * @param writes the writes to the files of a database in this process
   * @param log creates the commit log from the listener for storage failures
   * @param target probes the database; null if it is in this process
   */
  record Opened(
      String name,
      Dialect dialect,
      Leases leases,
      @Nullable Connection keeper,
      StorageWatch writes,
      Function<Consumer<EvitaException>, CommitLog> log,
      Probe.@Nullable Target target) {

    static Opened embedded(
        String name, Dialect dialect, Leases leases, Connection keeper, StorageWatch writes) {
      return new Opened(name, dialect, leases, keeper, writes, failed -> CommitLog.NONE, null);
    }
  }

  private static final Logger LOG = LoggerFactory.getLogger(Connector.class);

  private static final Duration BETWEEN_ATTEMPTS = Duration.ofMillis(250);

  /** An attempt that takes longer is logged. */
  private static final Duration SILENCE = Duration.ofSeconds(1);

  private static final Duration SQLITE_BUSY = Duration.ofSeconds(5);

  // Flags of sqlite3_open_v2.
  private static final int SQLITE_READWRITE = 2;
  private static final int SQLITE_CREATE = 4;
  private static final int SQLITE_URI = 64;

  private final JdbcOptions options;
  private final DurabilityRules durability;

  Connector(JdbcOptions options) {
    this.options = options;
    this.durability = new DurabilityRules(options.durability());
  }

  /**
   * Opens the database of a URL.
   *
   * @throws EvitaException {@code INVALID_CONFIGURATION}, {@code DATABASE_UNREACHABLE}
   */
  Opened open(String url) {
    var lower = url.toLowerCase(Locale.ROOT);
    try {
      if (lower.startsWith("jdbc:h2:")) {
        return h2(url);
      }
      if (lower.startsWith("jdbc:sqlite:")) {
        return sqlite(url);
      }
      if (lower.startsWith("jdbc:postgresql:")) {
        return postgres(url);
      }
      throw new EvitaException(
          ErrorCode.INVALID_CONFIGURATION,
          "'"
              + scheme(url)
              + "' is not a supported JDBC URL; expected one such as jdbc:h2:file:./shop,"
              + " jdbc:sqlite:shop.db or jdbc:postgresql://localhost/shop");
    } catch (SQLException e) {
      throw unreachable(url, e);
    }
  }

  /** The URL without the part that may contain names, hosts and passwords. */
  private static String scheme(String url) {
    var parts = url.split(":", 3);
    return parts.length < 2 ? url : parts[0] + ":" + parts[1] + (parts.length > 2 ? ":..." : "");
  }

  private Opened h2(String url) throws SQLException {
    var lower = url.toLowerCase(Locale.ROOT);
    var memory = lower.startsWith("jdbc:h2:mem:");
    var remote = lower.startsWith("jdbc:h2:tcp:") || lower.startsWith("jdbc:h2:ssl:");
    var shared = lower.contains(";auto_server=true");
    durability.requireH2Url(url);
    var target = memory ? named(url) : url;
    if (!memory && !remote) {
      // H2 rejects the combination of the two.
      target = shared ? target : with(target, "DB_CLOSE_ON_EXIT", "FALSE");
      target = options.createIfAbsent() ? target : with(target, "IFEXISTS", "TRUE");
    }
    var none = new Properties();
    var connections = target;
    var crashed =
        !memory
            && !remote
            && !shared
            && H2Recovery.recover(driver(connections), connections, complete(none));
    var keeper = remote ? awaiting(() -> connect(connections, none)) : connect(connections, none);
    try {
      H2UnfinishedCommits.finish(keeper);
      if (crashed) {
        H2Sequences.advance(keeper);
      }
      var dialect = H2Dialect.of(!remote);
      var leases = new EmbeddedLeases(() -> lease(connections, none, dialect));
      var opened = Opened.embedded(name(keeper), dialect, leases, keeper, new StorageWatch());
      if (remote || shared) {
        durability.requireH2(keeper);
        return remote ? probed(opened, () -> connect(connections, none)) : opened;
      }
      return written(opened, H2SchemaGuard.session(keeper), lower.contains(";retention_time="));
    } catch (SQLException | RuntimeException e) {
      keeper.close();
      throw e;
    }
  }

  private static Opened probed(Opened opened, ProbeConnection.Opener opener) {
    return new Opened(
        opened.name(),
        opened.dialect(),
        opened.leases(),
        opened.keeper(),
        opened.writes(),
        opened.log(),
        new ProbeConnection(opener, opened.leases()::hasConnections, Probe.LONGEST));
  }

  /** An H2 database used only by this process: its file, if any, is written by us. */
  private Opened written(Opened opened, @Nullable SessionLocal session, boolean keepsRetention) {
    var database = session == null ? null : session.getDatabase();
    if (database == null || DurabilityRules.inMemory(database)) {
      durability.requireMemoryAllowed();
      return opened;
    }
    if (database.isReadOnly()) {
      return opened;
    }
    var store = database.getStore().getMvStore();
    var forces = options.durability() == Durability.POWER;
    return new Opened(
        opened.name(),
        opened.dialect(),
        opened.leases(),
        opened.keeper(),
        opened.writes(),
        failed -> new H2GroupCommit(store, forces, keepsRetention, opened.writes(), failed),
        null);
  }

  private Opened sqlite(String url) throws SQLException {
    var target = inMemory(url) ? memory() : url;
    var settings = new Properties();
    settings.setProperty("busy_timeout", Long.toString(SQLITE_BUSY.toMillis()));
    settings.setProperty("foreign_keys", "true");
    settings.setProperty("open_mode", Integer.toString(openMode()));
    if (isNew(url) && !DurabilityRules.setsJournal(url)) {
      // Readers do not wait for the writer. A file created by another program keeps its mode, which
      // is
      // stored in it.
      settings.setProperty("journal_mode", "WAL");
    }
    var keeper = connect(target, settings);
    try {
      durability.setSqlite(keeper, target);
      var dialect = SqliteDialect.of();
      var writes = new StorageWatch();
      var leases = new EmbeddedLeases(() -> sqliteLease(target, settings, dialect, writes));
      return Opened.embedded(name(keeper), dialect, leases, keeper, writes);
    } catch (SQLException | RuntimeException e) {
      keeper.close();
      throw e;
    }
  }

  private Lease sqliteLease(String url, Properties settings, Dialect dialect, StorageWatch writes)
      throws SQLException {
    var connection = connect(url, settings);
    try {
      dialect.sessions().session(connection);
      durability.setSqlite(connection, url);
      var writer = writes.writer();
      SqliteCallbacks.install(connection, SQLITE_BUSY, writer);
      return Lease.embedded(connection, options.statementCacheSize(), dialect.sessions(), writer);
    } catch (SQLException | RuntimeException e) {
      connection.close();
      throw e;
    }
  }

  private Opened postgres(String url) throws SQLException {
    var settings = new Properties();
    settings.setProperty("ApplicationName", "evita");
    // point and box: in binary form, the driver formats their numbers differently than in text
    // form.
    settings.setProperty("binaryTransferDisable", "600,603");
    settings.setProperty("cancelSignalTimeout", "1");
    settings.setProperty("tcpKeepAlive", "true");
    settings.setProperty(
        "preparedStatementCacheQueries", Integer.toString(options.statementCacheSize()));
    var timeout = options.connectTimeout();
    var source = new DriverSource(driver(url), url, complete(settings), timeout, Duration.ZERO);
    // The first connection is opened here, so that the driver reports errors at once.
    String name;
    @Nullable String session;
    boolean pooled;
    try (var connection = awaiting(source::getConnection)) {
      name = name(connection);
      pooled = isPooled(options, connection);
      if (pooled) {
        PostgresPooler.check(connection, url);
      }
      session = pooled ? null : PostgresDialect.ownSession(connection);
      durability.checkPostgres(connection);
    }
    if (pooled) {
      settings.setProperty("prepareThreshold", "0"); // unless the URL sets it
    }
    // The pooler keeps a statement waiting while all connections of the server are in use.
    var longest = pooled ? timeout : Probe.LONGEST;
    var connections = new DriverSource(driver(url), url, complete(settings), timeout, timeout);
    var probe = new DriverSource(driver(url), url, complete(settings), longest, Duration.ZERO);
    var dialect = PostgresDialect.of(pooled);
    var leases =
        new PooledLeases(
            connections, dialect.sessions(), session, options.poolSize(), timeout, longest);
    return new Opened(
        name,
        dialect,
        leases,
        null,
        new StorageWatch(),
        failed -> CommitLog.NONE,
        new ProbeConnection(probe::getConnection, leases::hasConnections, longest));
  }

  /** Whether a pooler assigns a connection of the server to each transaction. */
  static boolean isPooled(JdbcOptions options, Connection connection) throws SQLException {
    return switch (options.pooler()) {
      case NONE -> false;
      case TRANSACTION -> true;
      case AUTO -> {
        var detected = PostgresPooler.isBehind(connection);
        if (detected) {
          LOG.info(
              "Detected a connection pooler, so no settings are kept in sessions; set pooler=none if it"
                  + " assigns a connection of the server to each client");
        }
        yield detected;
      }
    };
  }

  /** The wait for a database server that is not up yet, logged once. */
  private final class DatabaseWait {

    private final long deadline = System.nanoTime() + options.waitForDatabase().toNanos();
    private boolean announced;

    boolean isOver() {
      return System.nanoTime() - deadline > 0;
    }

    /** The longest time that the next attempt may take. */
    Duration attempt() {
      var left = Duration.ofNanos(deadline - System.nanoTime());
      var longest = options.connectTimeout();
      return options.waitForDatabase().isZero() || left.compareTo(longest) > 0
          ? longest
          : left.isPositive() ? left : Duration.ofMillis(1);
    }

    void announce(String reason) {
      if (announced || options.waitForDatabase().isZero()) {
        return;
      }
      announced = true;
      LOG.info(
          "Waiting up to {} s for the database, which does not accept connections yet: {}",
          options.waitForDatabase().toSeconds(),
          reason);
    }
  }

  /** Opens a connection to a database server, and waits if the server is not up yet. */
  private Connection awaiting(ProbeConnection.Opener opener) throws SQLException {
    var wait = new DatabaseWait();
    while (true) {
      try {
        return bounded(opener, wait);
      } catch (SQLException e) {
        if (!isStarting(e) || wait.isOver()) {
          throw e;
        }
        wait.announce(String.valueOf(e.getMessage()));
      }
      LockSupport.parkNanos(BETWEEN_ATTEMPTS.toNanos());
      if (Thread.currentThread().isInterrupted()) {
        throw new SQLException("interrupted while waiting for the database", "08001");
      }
    }
  }

  /**
   * Opens a connection within {@code connect-timeout} and the remaining wait. H2's driver waits
   * forever for a frozen server. An interrupt closes the socket on which a virtual thread waits.
   */
  private static Connection bounded(ProbeConnection.Opener opener, DatabaseWait wait)
      throws SQLException {
    var opened = new CompletableFuture<Connection>();
    var thread = Thread.ofVirtual().name("evita-connect").start(() -> open(opener, opened));
    var longest = wait.attempt();
    try {
      return within(longest, opened, wait);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof SQLException failure) {
        throw failure;
      }
      throw new IllegalStateException(e.getCause());
    } catch (TimeoutException e) {
      opened.cancel(false);
      thread.interrupt();
      throw new SQLException("no response within " + longest.toMillis() + " ms", "08001", e);
    } catch (InterruptedException e) {
      opened.cancel(false);
      thread.interrupt();
      Thread.currentThread().interrupt();
      throw new SQLException("interrupted while connecting", "08001", e);
    }
  }

  private static Connection within(
      Duration longest, CompletableFuture<Connection> opened, DatabaseWait wait)
      throws ExecutionException, TimeoutException, InterruptedException {
    if (longest.compareTo(SILENCE) <= 0) {
      return opened.get(longest.toNanos(), TimeUnit.NANOSECONDS);
    }
    try {
      return opened.get(SILENCE.toNanos(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      wait.announce("no response within " + SILENCE.toMillis() + " ms");
      return opened.get(longest.minus(SILENCE).toNanos(), TimeUnit.NANOSECONDS);
    }
  }

  private static void open(ProbeConnection.Opener opener, CompletableFuture<Connection> opened) {
    try {
      var connection = opener.open();
      if (!opened.complete(connection)) {
        connection.close();
      }
    } catch (SQLException | RuntimeException | Error e) {
      opened.completeExceptionally(e);
    }
  }

  /** Whether no server listens, or it is starting, stopping or at its connection limit. */
  static boolean isStarting(SQLException failure) {
    if (PoolerErrors.remedy(failure) != null) {
      return false;
    }
    var state = String.valueOf(failure.getSQLState());
    return state.startsWith("08")
        || state.equals("57P03")
        || state.equals("90067")
        || state.equals(JdbcErrors.TOO_MANY_CONNECTIONS);
  }

  /** Connections of one process to this name share one database, with SQLite's usual locks. */
  private static String memory() {
    return "jdbc:sqlite:file:/evita-" + UUID.randomUUID() + "?vfs=memdb";
  }

  private static boolean inMemory(String url) {
    var rest = url.substring("jdbc:sqlite:".length());
    return rest.isEmpty() || rest.startsWith(":memory:");
  }

  private static boolean isNew(String url) {
    try {
      var name = url.substring("jdbc:sqlite:".length()).split("[?]", 2)[0];
      var file = Path.of(name.startsWith("file:") ? name.substring("file:".length()) : name);
      return !inMemory(url) && !Files.exists(file);
    } catch (InvalidPathException e) {
      return false;
    }
  }

  private int openMode() {
    var flags = SQLITE_READWRITE | SQLITE_URI;
    return options.createIfAbsent() ? flags | SQLITE_CREATE : flags;
  }

  /** Names an unnamed in-memory database, which would otherwise be private to each connection. */
  private static String named(String url) {
    var rest = url.substring("jdbc:h2:mem:".length());
    return rest.isEmpty() || rest.startsWith(";")
        ? "jdbc:h2:mem:evita-" + UUID.randomUUID() + rest
        : url;
  }

  private static String with(String url, String key, String value) {
    return url.toUpperCase(Locale.ROOT).contains(";" + key + "=")
        ? url
        : url + ";" + key + "=" + value;
  }

  private Lease lease(String url, Properties settings, Dialect dialect) throws SQLException {
    var connection = connect(url, settings);
    try {
      dialect.sessions().session(connection);
      return Lease.embedded(connection, options.statementCacheSize(), dialect.sessions(), null);
    } catch (SQLException e) {
      connection.close();
      throw e;
    }
  }

  private Connection connect(String url, Properties settings) throws SQLException {
    var connection = driver(url).connect(url, complete(settings));
    if (connection == null) {
      throw new SQLException("the driver does not accept this URL", "08001");
    }
    return connection;
  }

  /** The driver's settings with user and password. */
  private Properties complete(Properties settings) {
    var properties = new Properties();
    properties.putAll(settings);
    if (options.user() != null) {
      properties.setProperty("user", options.user());
    }
    if (options.password() != null) {
      properties.setProperty("password", options.password());
    }
    return properties;
  }

  private static Driver driver(String url) {
    try {
      return DriverManager.getDriver(url);
    } catch (SQLException e) {
      throw new EvitaException(
          ErrorCode.INVALID_CONFIGURATION,
          "No JDBC driver accepts '"
              + scheme(url)
              + "'; check the URL, and add the driver's jar to the class path",
          e);
    }
  }

  static String name(Connection connection) throws SQLException {
    var metadata = connection.getMetaData();
    var version = metadata.getDatabaseProductVersion();
    var end = version.indexOf(' ');
    return metadata.getDatabaseProductName()
        + " "
        + (end < 0 ? version : version.substring(0, end));
  }

  private static EvitaException unreachable(String url, SQLException failure) {
    var state = String.valueOf(failure.getSQLState());
    var remedy = PoolerErrors.remedy(failure);
    if (remedy == null) {
      remedy =
          switch (state) {
            case "28000", "28P01" -> "the user name or password is wrong; check both";
            case "90146", "90013", "3D000" ->
                "the database does not exist; check its name, or allow it to be created";
            case JdbcErrors.TOO_MANY_CONNECTIONS ->
                "its connection limit is reached; close other connections, or raise the limit";
            case "90020" -> "another process has it open; stop that process, or run H2 as a server";
            case "90011" -> "H2 requires an absolute path, or one that begins with ./ or ~/";
            default -> "check that it runs and that the URL is right";
          };
    }
    var code =
        state.equals("90011")
                || state.equals("90046")
                || state.equals("90113")
                || PoolerErrors.isUnsupportedParameter(failure)
            ? ErrorCode.INVALID_CONFIGURATION
            : ErrorCode.DATABASE_UNREACHABLE;
    return new EvitaException(
        code, "Cannot open the database of '" + scheme(url) + "': " + remedy, failure);
  }
}

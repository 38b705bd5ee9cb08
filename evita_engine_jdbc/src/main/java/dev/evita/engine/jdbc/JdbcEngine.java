// SPDX-License-Identifier: Apache-2.0
package dev.evita.engine.jdbc;

import dev.evita.api.Arguments;
import dev.evita.api.Call;
import dev.evita.api.Capability;
import dev.evita.api.Catalog;
import dev.evita.api.CommitListener;
import dev.evita.api.Delete;
import dev.evita.api.Engine;
import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import dev.evita.api.Health;
import dev.evita.api.Insert;
import dev.evita.api.NativeQuery;
import dev.evita.api.Operation;
import dev.evita.api.Prepared;
import dev.evita.api.Script;
import dev.evita.api.Select;
import dev.evita.api.StatementPlan;
import dev.evita.api.Transaction;
import dev.evita.api.TransactionOptions;
import dev.evita.api.Update;
import dev.evita.engine.jdbc.connection.Lease;
import dev.evita.engine.jdbc.dialect.ChangeCounters;
import dev.evita.engine.jdbc.dialect.Dialect;
import dev.evita.engine.jdbc.dialect.JdbcErrors;
import dev.evita.engine.jdbc.health.DatabaseHealth;
import dev.evita.engine.jdbc.health.Probe;
import dev.evita.engine.jdbc.health.Timer;
import dev.evita.engine.jdbc.run.CommitFeed;
import dev.evita.engine.jdbc.run.EngineContext;
import dev.evita.engine.jdbc.run.JdbcTransaction;
import dev.evita.engine.jdbc.run.PreparedCall;
import dev.evita.engine.jdbc.run.PreparedNativeQuery;
import dev.evita.engine.jdbc.run.PreparedScript;
import dev.evita.engine.jdbc.run.PreparedSelect;
import dev.evita.engine.jdbc.run.WriteSqlCompiler;
import dev.evita.engine.jdbc.sql.BoundednessCheck;
import dev.evita.engine.jdbc.sql.SelectCompiler;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * An engine over JDBC.
 *
 * <p>It works on the calling thread. H2 and SQLite run in this process, with connections and their
 * prepared statements bound to threads; remote databases have a connection pool.
 */
public final class JdbcEngine implements Engine {

  private static final int MOST_READS = 5;

  /** A missing table may be in the process of being replaced: after this time it is not. */
  private static final long EXCHANGE_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  /**
   * How long after a schema change an unknown name may be caused by that change: the statement was
   * prepared before it, and a second change may have restored the name.
   */
  private static final Duration UNSETTLED = Duration.ofMillis(500);

  private final String name;
  private final JdbcOptions options;
  private final EngineContext backend;
  private final @Nullable Connection keeper;
  private final Set<Capability> capabilities;
  private final Object reading = new Object();
  private volatile Catalog catalog;
  private volatile @Nullable Lease refreshing;
  private volatile boolean closed;

  // Guarded by reading.
  private @Nullable String fingerprint;
  private long changedNanos;
  private long sureSinceNanos;
  private boolean sure;

  private JdbcEngine(Connector.Opened opened, JdbcOptions options) {
    this.name = opened.name();
    this.options = options;
    this.keeper = opened.keeper();
    var counters = counters(opened);
    this.capabilities = capabilities(opened.dialect(), counters != null);
    var health = new DatabaseHealth(opened.dialect(), opened.writes());
    var errors = new JdbcErrors(opened.dialect(), health::storageFailed);
    this.backend =
        new EngineContext(
            opened.dialect(),
            opened.leases(),
            errors,
            new CommitFeed(counters, this::catalog),
            opened.log().apply(health::storageFailed),
            health,
            new Timer(),
            EngineContext.noRuns(),
            this::catalog,
            this::schemaChanged,
            this::isUnchanged,
            0);
    this.catalog = new Catalog(0, "", Catalog.Folding.NONE, List.of());
    try {
      this.catalog = read(1);
    } catch (RuntimeException e) {
      close();
      throw e;
    }
    // No operation was prepared before that.
    this.changedNanos = System.nanoTime() - UNSETTLED.toNanos();
    var question = opened.target();
    if (question != null) {
      health.watch(new Probe(question, errors, backend.timer(), this::databaseLost));
    }
  }

  /**
   * Ends waits for a database that does not respond; statements in progress have deadlines of their
   * own.
   */
  private void databaseLost() {
    backend.leases().endWaits();
    var stuck = refreshing;
    if (stuck != null) {
      stuck.abort();
    }
  }

  private static @Nullable ChangeCounters counters(Connector.Opened opened) {
    var kept = opened.keeper();
    try {
      if (kept != null) {
        return opened.dialect().catalog().counters(kept, true);
      }
      var lease = opened.leases().take(null);
      try {
        return opened.dialect().catalog().counters(lease.connection(), false);
      } finally {
        opened.leases().give(lease);
      }
    } catch (SQLException e) {
      throw new JdbcErrors(opened.dialect(), fault -> {}).translate(e);
    }
  }

  /** An engine that cannot notice external commits would publish only some of the changes. */
  private static Set<Capability> capabilities(Dialect dialect, boolean watches) {
    var capabilities = EnumSet.copyOf(dialect.capabilities());
    capabilities.add(Capability.NATIVE_QUERIES);
    if (watches) {
      capabilities.add(Capability.WATCH);
    }
    return Set.copyOf(capabilities);
  }

  /**
   * Opens the database of a JDBC URL with {@link JdbcOptions#DEFAULT}.
   *
   * @throws EvitaException see {@link #open(String, JdbcOptions)}
   */
  public static JdbcEngine open(String jdbcUrl) {
    return open(jdbcUrl, JdbcOptions.DEFAULT);
  }

  /**
   * Opens the database of a JDBC URL and reads its catalog.
   *
   * <p>The caller closes the engine, which closes the database if it is embedded in this process.
   *
   * @throws EvitaException {@code INVALID_CONFIGURATION} for a URL of an unsupported database or
   *     without a driver; {@code DATABASE_UNREACHABLE} if it does not respond or rejects the user
   */
  public static JdbcEngine open(String jdbcUrl, JdbcOptions options) {
    return new JdbcEngine(new Connector(options).open(jdbcUrl), options);
  }

  /**
   * Opens an engine over a data source with {@link JdbcOptions#DEFAULT}.
   *
   * @throws EvitaException see {@link #over(DataSource, JdbcOptions)}
   */
  public static JdbcEngine over(DataSource dataSource) {
    return over(dataSource, JdbcOptions.DEFAULT);
  }

  /**
   * Opens an engine over a data source and reads its catalog.
   *
   * <p>The caller owns the data source and closes it after the engine. It should pool: each
   * execution takes a connection and returns it; one is kept to probe a database server, as long as
   * no request waits for a connection. Of the options only {@link JdbcOptions#schemas()}, {@link
   * JdbcOptions#durability()}, {@link JdbcOptions#pooler()} and, behind a pooler, {@link
   * JdbcOptions#connectTimeout()} are used: the engine does not configure the connections, so a
   * weaker durability is rejected. Embedded H2 requires {@code WRITE_DELAY=0} in the data source's
   * URL.
   *
   * @throws EvitaException {@code INVALID_CONFIGURATION} for an unsupported database, or one whose
   *     settings are weaker than the required durability; {@code DATABASE_UNREACHABLE} if there is
   *     no connection
   */
  public static JdbcEngine over(DataSource dataSource, JdbcOptions options) {
    return new JdbcEngine(DataSourceLeases.open(dataSource, options), options);
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public Set<Capability> capabilities() {
    return capabilities;
  }

  @Override
  public Catalog catalog() {
    return catalog;
  }

  @Override
  public Health health() {
    return closed ? new Health.Down(closed()) : backend.health().now();
  }

  private static EvitaException closed() {
    return new EvitaException(ErrorCode.SHUTTING_DOWN, "The engine is closed; open it again");
  }

  @Override
  public Catalog refresh() {
    backend.requireUp();
    synchronized (reading) {
      var known = catalog;
      var changed = read(known.epoch() + 1);
      if (!changed.sameAs(known)) {
        catalog = changed;
      }
      return catalog;
    }
  }

  private void schemaChanged() {
    refresh();
  }

  /**
   * Whether the schema is certainly that of an epoch, and has been for a while, by a read of the
   * catalog that began after this call. Many concurrent failures share one read.
   */
  private boolean isUnchanged(long epoch) {
    var requestedNanos = System.nanoTime();
    synchronized (reading) {
      if (!sure || sureSinceNanos - requestedNanos < 0) {
        try {
          refresh();
        } catch (RuntimeException e) {
          return false;
        }
      }
      var settled = System.nanoTime() - changedNanos > UNSETTLED.toNanos();
      return sure && settled && catalog.epoch() == epoch;
    }
  }

  /** Reads the catalog, or returns the current one if the fingerprint is the same. */
  private Catalog read(long epoch) {
    Lease lease = null;
    try {
      lease = backend.leases().take(null);
      refreshing = lease;
      return read(lease.connection(), epoch);
    } catch (SQLException e) {
      throw backend.errors().translate(e);
    } finally {
      refreshing = null;
      if (lease != null) {
        backend.leases().give(lease);
      }
    }
  }

  /**
   * Reads until the schema was the same before and after, as the catalog takes several statements.
   * If the schema keeps changing, the known catalog remains in use.
   */
  private Catalog read(Connection connection, long epoch) throws SQLException {
    var dialect = backend.dialect();
    sure = false;
    var began = System.nanoTime();
    for (int i = 0; i < MOST_READS; i++) {
      var steps = dialect.catalog().schemaSteps(connection);
      if (steps < 0) {
        break;
      }
      try {
        var before = dialect.catalog().fingerprint(connection);
        if (before != null && before.equals(fingerprint)) {
          return surely(catalog, began);
        }
        changedNanos = System.nanoTime();
        var result = dialect.catalog().reader().read(connection, options.schemas(), epoch);
        if (steps > 0 && lacksTable(result)) {
          LockSupport.parkNanos(EXCHANGE_NANOS);
        }
        if (Objects.equals(before, dialect.catalog().fingerprint(connection))
            && steps == dialect.catalog().schemaSteps(connection)) {
          fingerprint = before;
          return surely(result, began);
        }
      } catch (SQLException | RuntimeException e) {
        // Reading an object that is dropped meanwhile may fail in any way.
        if (steps == dialect.catalog().schemaSteps(connection)) {
          throw e;
        }
      }
    }
    return catalog.epoch() > 0
        ? catalog
        : dialect.catalog().reader().read(connection, options.schemas(), epoch);
  }

  private Catalog surely(Catalog read, long began) {
    sure = true;
    sureSinceNanos = began;
    return read;
  }

  private boolean lacksTable(Catalog result) {
    return catalog.tables().stream().anyMatch(table -> result.table(table.name()).isEmpty());
  }

  @Override
  public Prepared prepare(Operation operation) {
    var current = catalog;
    var backend = this.backend.of(current.epoch());
    return switch (operation) {
      case Select select ->
          new PreparedSelect(
              backend,
              select,
              new SelectCompiler(current, backend.dialect()).compile(select),
              BoundednessCheck.of(select, current, backend.dialect()));
      case Script script -> new PreparedScript(backend, script);
      case NativeQuery query -> new PreparedNativeQuery(backend, query, current);
      case Insert insert -> new WriteSqlCompiler(backend, current).insert(insert);
      case Update update -> new WriteSqlCompiler(backend, current).update(update);
      case Delete delete -> new WriteSqlCompiler(backend, current).delete(delete);
      case Call call -> {
        if (!capabilities.contains(Capability.ROUTINES)) {
          throw unsupported("stored routines");
        }
        yield PreparedCall.of(call, current, backend);
      }
    };
  }

  @Override
  public List<StatementPlan> explain(Operation operation, Arguments arguments) {
    return prepare(operation) instanceof PreparedNativeQuery query
        ? query.explain(arguments)
        : Engine.super.explain(operation, arguments);
  }

  private EvitaException unsupported(String what) {
    return new EvitaException(
        ErrorCode.UNSUPPORTED_OPERATION,
        name + " does not support " + what + " through this engine");
  }

  @Override
  public CompletionStage<Transaction> begin(TransactionOptions transaction) {
    return JdbcTransaction.begin(backend, transaction);
  }

  @Override
  public boolean writesOneAtATime() {
    return backend.dialect().sessions().writesOneAtATime();
  }

  @Override
  public int waiting() {
    return backend.leases().waiting();
  }

  @Override
  public Registration watch(CommitListener listener) {
    if (!capabilities().contains(Capability.WATCH)) {
      throw unsupported("commit notifications");
    }
    if (closed) {
      throw closed();
    }
    return backend.commits().watch(listener);
  }

  @Override
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    backend.close();
    if (keeper != null) {
      try {
        keeper.close();
      } catch (SQLException e) {
        // Nothing else can be done with it.
      }
    }
  }
}

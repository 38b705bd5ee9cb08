// SPDX-License-Identifier: Apache-2.0
package dev.evita.engine.jdbc;

import dev.evita.api.Arguments;
import dev.evita.api.Demand;
import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import dev.evita.api.Execution;
import dev.evita.api.Row;
import dev.evita.api.RowShape;
import dev.evita.api.RowSink;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * One run on the calling thread: opens, pushes rows, ends.
 *
 * <pre>
 *            +--- resume ---+
 *            v              |
 *  start -> RUNNING -PAUSE-> PAUSED
 *            |                |
 *            | end of rows,   | cancel
 *            | STOP, failure  |
 *            v                v
 *           ENDED (sink has its last call; the connection went back)
 * </pre>
 *
 * <p>{@code resume} may come while {@code row} has not even returned its PAUSE; then {@code
 * resumed} is set and the run never stops. {@code cancel} may come at any time: it notes the reason
 * and cancels the statement under the lock, so that it cannot hit a statement that is by then
 * another run's. The statement's failure, or the next look at the reason between rows, then ends
 * the run.
 */
abstract class Run implements Execution {

  private enum State {
    RUNNING,
    PAUSED,
    ENDED
  }

  private static final long CANCEL_AGAIN_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  protected final Backend backend;
  protected final Arguments arguments;
  protected final @Nullable JdbcTransaction transaction;
  private final SchemaGuard guard;
  private final RowSink sink;
  private @Nullable Lease lease;
  private SchemaGuard.Sight tables = SchemaGuard.Sight.ANY;
  private volatile int statements;
  private long rows;
  private int held;

  // Guarded by this.
  private State state = State.RUNNING;
  private boolean resumed;
  private @Nullable PreparedStatement current;
  private volatile @Nullable ErrorCode reason;

  Run(
      Backend backend,
      SchemaGuard guard,
      Arguments arguments,
      @Nullable JdbcTransaction transaction,
      RowSink sink) {
    this.backend = backend;
    this.guard = guard;
    this.arguments = arguments;
    this.transaction = transaction;
    this.sink = sink;
  }

  /** Executes what comes before the first row. */
  abstract void open() throws SQLException;

  /** Moves to the next row, or answers false after the last. */
  abstract boolean advance() throws SQLException;

  /** The row moved to. */
  abstract Row row();

  /** What {@link RowSink#completed} is told. */
  long affected(long rowsGiven) {
    return rowsGiven;
  }

  /** Closes cursors and ends a transaction of its own, before the connection goes back. */
  abstract void close(boolean success) throws SQLException;

  /** The failure as this kind of run tells it. */
  EvitaException translate(Throwable failure) {
    return backend.errors().translate(failure);
  }

  /** Runs until the end or the first pause. */
  final void start() {
    try {
      lease = transaction != null ? transaction.lease() : backend.leases().take();
    } catch (SQLException | EvitaException e) {
      sink.failed(backend.errors().translate(e));
      return;
    }
    backend.runs().add(this);
    try {
      sink.started(this);
      requireNotCancelled();
      tables = guard.enter(lease().connection());
      open();
    } catch (SQLException | RuntimeException e) {
      end(failure(e));
      return;
    }
    drive();
  }

  private void drive() {
    try {
      while (true) {
        requireNotCancelled();
        if (!advance()) {
          break;
        }
        rows++;
        var demand = sink.row(row());
        if (demand == Demand.STOP) {
          break;
        }
        if (demand == Demand.PAUSE && pause()) {
          return;
        }
      }
    } catch (SQLException | RuntimeException e) {
      end(failure(e));
      return;
    }
    end(null);
  }

  private synchronized boolean pause() {
    if (resumed || reason != null) {
      resumed = false;
      return false;
    }
    state = State.PAUSED;
    return true;
  }

  @Override
  public final void resume() {
    synchronized (this) {
      if (state == State.RUNNING) {
        resumed = true;
        return;
      }
      if (state == State.ENDED) {
        return;
      }
      state = State.RUNNING;
    }
    drive();
  }

  @Override
  public final void cancel(ErrorCode code) {
    synchronized (this) {
      if (state == State.ENDED || reason != null) {
        return;
      }
      reason = code;
      if (state == State.RUNNING) {
        cancelStatement();
        return;
      }
      state = State.RUNNING;
    }
    end(cancelled(code));
  }

  /**
   * Called under the lock. A driver forgets a cancel that comes just before the statement executes,
   * so it is said again until the run has ended.
   */
  private void cancelStatement() {
    if (!backend.dialect().cancelBlocks()) {
      cancelCurrent();
    }
    var unused = Thread.ofVirtual().name("evita-cancel").start(this::cancelUntilEnded);
  }

  private void cancelUntilEnded() {
    while (cancelCurrent()) {
      LockSupport.parkNanos(CANCEL_AGAIN_NANOS);
    }
  }

  /** Answers whether the run goes on. */
  private synchronized boolean cancelCurrent() {
    try {
      if (current != null) {
        backend.dialect().cancel(current);
      }
    } catch (SQLException e) {
      // The run still ends at its next row; there is no other way to stop the statement.
    }
    return state != State.ENDED;
  }

  private void end(@Nullable EvitaException early) {
    synchronized (this) {
      if (state == State.ENDED) {
        return;
      }
      state = State.ENDED;
      current = null;
    }
    var failure = early;
    try {
      close(failure == null);
    } catch (SQLException | RuntimeException e) {
      failure = failure == null ? failure(e) : failure;
    }
    backend.runs().remove(this);
    giveBack(failure != null);
    if (failure == null) {
      sink.completed(affected(rows));
    } else {
      sink.failed(failure);
    }
  }

  private void giveBack(boolean failed) {
    var mine = lease;
    if (mine == null) {
      return;
    }
    if (failed) {
      mine.forgetLatest();
    }
    // Also where all went well: the sink may have had enough in the moment of the cancel.
    var spoiled = reason != null && backend.dialect().cancelSpoils();
    if (transaction != null) {
      if (spoiled) {
        transaction.spoil();
      }
      return;
    }
    if (spoiled) {
      mine.close();
    }
    backend.leases().give(mine);
  }

  private void requireNotCancelled() {
    var why = reason;
    if (why != null) {
      throw cancelled(why);
    }
  }

  private EvitaException failure(Throwable failure) {
    var why = reason;
    if (why != null) {
      return cancelled(why);
    }
    var told = translate(failure);
    // Whoever works on a table that goes away may fail in any way.
    return tables.holds() ? told : schemaChanged(told);
  }

  private static EvitaException schemaChanged(@Nullable Throwable cause) {
    return new EvitaException(ErrorCode.CATALOG_CHANGED, JdbcErrors.CHANGED, cause);
  }

  private static EvitaException cancelled(ErrorCode reason) {
    return new EvitaException(
        reason,
        switch (reason) {
          case DEADLINE_EXCEEDED -> "The statement took longer than allowed and was cancelled";
          case CLIENT_GONE -> "The client closed the connection; the statement was cancelled";
          case SHUTTING_DOWN -> "The engine closes; the statement was cancelled";
          case CLIENT_TOO_SLOW ->
              "The client did not read its answer while others needed the database (max-paused);"
                  + " read faster, or ask for less at once";
          default -> "The statement was cancelled";
        });
  }

  @Override
  public final int statements() {
    return statements;
  }

  protected final Lease lease() {
    if (lease == null) {
      throw new IllegalStateException("not started");
    }
    return lease;
  }

  /** Whether {@link #requireSameTables} may fail. */
  protected final boolean guarded() {
    return !tables.equals(SchemaGuard.Sight.ANY);
  }

  /**
   * To be called when all rows were read or written.
   *
   * @throws EvitaException {@code CATALOG_CHANGED} where some were in a table that is gone
   */
  protected final void requireSameTables() {
    if (!tables.holds()) {
      throw schemaChanged(null);
    }
  }

  /** Makes the statement the one that a cancel hits; to be called right before it is executed. */
  protected final synchronized void executing(PreparedStatement statement) {
    requireNotCancelled();
    current = statement;
    statements++;
  }

  /** The statement is no more to be cancelled. */
  protected final synchronized void executed() {
    current = null;
  }

  /** Executes a query whose rows are all read before the next statement. */
  protected final void query(SqlText sql, @Nullable Keys keys, Block into) throws SQLException {
    var statement = lease().prepare(sql.sql());
    try {
      sql.bind(statement, arguments, keys);
      executing(statement);
      try (ResultSet result = statement.executeQuery()) {
        while (result.next()) {
          hold(1);
          into.appendTolerantly(result);
        }
      }
    } finally {
      executed();
      lease().release(statement);
    }
  }

  /** Counts rows that are kept in memory. */
  protected final void hold(int more) {
    held += more;
    if (held > sink.maxHeldRows()) {
      throw new EvitaException(
          ErrorCode.TOO_MANY_ROWS,
          "More than %d rows would have to be held in memory; ask for fewer by a limit"
              .formatted(sink.maxHeldRows()));
    }
  }

  @Override
  public RowShape shape() {
    return RowShape.NONE;
  }
}

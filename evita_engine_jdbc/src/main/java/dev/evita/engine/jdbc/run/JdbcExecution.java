// SPDX-License-Identifier: Apache-2.0
package dev.evita.engine.jdbc.run;

import dev.evita.api.Arguments;
import dev.evita.api.Demand;
import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import dev.evita.api.Execution;
import dev.evita.api.Row;
import dev.evita.api.RowShape;
import dev.evita.api.RowSink;
import dev.evita.engine.jdbc.connection.Lease;
import dev.evita.engine.jdbc.connection.Leases;
import dev.evita.engine.jdbc.dialect.JdbcErrors;
import dev.evita.engine.jdbc.dialect.SchemaGuard;
import dev.evita.engine.jdbc.dialect.SqlText;
import dev.evita.engine.jdbc.value.ColumnarRows;
import dev.evita.engine.jdbc.value.ParentKeys;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * One run on the calling thread: takes a connection, executes, pushes rows, ends.
 *
 * <pre>
 *                         +---- resume ----+
 *                         v                |
 *   start --> DRIVER <--row--> SINK --> PAUSED
 *               |               |          |
 *               | end of rows, STOP,       | cancel
 *               | failure, cancel;         |
 *               | overdue (timer)          |
 *               v                          v
 *             ENDED (the sink gets its last call from whoever ended it)
 * </pre>
 *
 * <p>In {@code DRIVER} the thread may be stuck in the database's driver; in {@code SINK} it is not.
 * {@code cancel} notes the reason and cancels the statement, whose failure then ends the run, as
 * does the next look at the reason between rows. Where neither happens within {@link #GRACE}
 * because the driver does not return, the timer ends the run instead: it has the connection closed
 * from outside and tells the sink. The thread that was stuck cleans up when it comes back.
 *
 * <p>Between rows the state changes only where the database is behind a socket. A run in an
 * embedded database leaves {@code DRIVER} with its first row: until then locks are waited for.
 */
public abstract class JdbcExecution implements Execution, Leases.Waiter {

  private enum State {
    DRIVER,
    SINK,
    PAUSED,
    ENDED
  }

  /** How long the driver may take to return after a cancel. */
  private static final Duration GRACE = Duration.ofMillis(200);

  private static final Duration AGAIN = Duration.ofMillis(20);

  private static final AtomicReferenceFieldUpdater<JdbcExecution, State> STATE =
      AtomicReferenceFieldUpdater.newUpdater(JdbcExecution.class, State.class, "state");

  protected final EngineContext backend;
  protected final Arguments arguments;
  protected final @Nullable JdbcTransaction transaction;
  private final SchemaGuard guard;
  private final RowSink sink;
  private SchemaGuard.Sight tables = SchemaGuard.Sight.ANY;
  private volatile int statements;
  private long rows;
  private int held;
  private volatile State state = State.DRIVER;
  private volatile @Nullable ErrorCode reason;

  // Guarded by this.
  private @Nullable Lease lease;
  private @Nullable Runnable wait;
  private @Nullable PreparedStatement current;
  private boolean resumed;
  private boolean cancelling;
  private boolean committing;

  JdbcExecution(
      EngineContext backend,
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

  /** The count for {@link RowSink#completed}. */
  long affected(long rowsGiven) {
    return rowsGiven;
  }

  /** Closes cursors and ends a transaction of its own, before the connection goes back. */
  abstract void close(boolean success) throws SQLException;

  /** The failure in the terms of this kind of run. */
  EvitaException translate(Throwable failure) {
    return backend.errors().translate(failure);
  }

  /** Runs until the end or the first pause. */
  final void start() {
    backend.runs().add(this);
    sink.started(this);
    try {
      backend.requireAnswering();
      requireNotCancelled();
      take();
      requireNotCancelled();
      tables = guard.enter(lease().connection());
      open();
    } catch (SQLException | RuntimeException e) {
      end(failure(e));
      return;
    }
    if (behindSocket() || STATE.compareAndSet(this, State.DRIVER, State.SINK)) {
      drive();
    } else {
      end(null);
    }
  }

  private void take() throws SQLException {
    var taken = transaction == null ? backend.leases().take(this) : transaction.lease(this);
    synchronized (this) {
      lease = taken;
    }
  }

  @Override
  public final void waits(@Nullable Runnable end) {
    synchronized (this) {
      wait = end;
    }
    if (end != null && reason != null) {
      end.run(); // the cancel came just before
    }
  }

  private boolean behindSocket() {
    return backend.dialect().sessions().behindSocket();
  }

  private void drive() {
    var socket = behindSocket();
    try {
      while (true) {
        requireNotCancelled();
        if (!advance()) {
          break;
        }
        rows++;
        if (socket && !STATE.compareAndSet(this, State.DRIVER, State.SINK)) {
          break;
        }
        var demand = sink.row(row());
        if (demand == Demand.STOP) {
          break;
        }
        if (demand == Demand.PAUSE && pause()) {
          return;
        }
        if (socket) {
          state = State.DRIVER;
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
      if (state == State.SINK) {
        resumed = true; // the sink has not even returned its pause
        return;
      }
    }
    if (STATE.compareAndSet(this, State.PAUSED, behindSocket() ? State.DRIVER : State.SINK)) {
      drive();
    }
  }

  // ---- the end ----

  /** On the run's thread. */
  private void end(@Nullable EvitaException early) {
    synchronized (this) {
      current = null;
    }
    if (state == State.SINK && behindSocket()) {
      state = State.DRIVER; // to roll back may take as long as anything else
    }
    var failure = early;
    try {
      close(failure == null);
    } catch (SQLException | RuntimeException e) {
      failure = failure == null ? failure(e) : failure;
    }
    var mine = claimEnd();
    giveBack(failure != null, !mine);
    if (!mine) {
      return;
    }
    backend.runs().remove(this);
    if (failure == null) {
      sink.completed(affected(rows));
    } else {
      sink.failed(failure);
    }
  }

  /** Answers false where another thread has ended the run already. */
  private boolean claimEnd() {
    var seen = state;
    while (seen != State.ENDED) {
      if (STATE.compareAndSet(this, seen, State.ENDED)) {
        return true;
      }
      seen = state;
    }
    return false;
  }

  private void giveBack(boolean failed, boolean abandoned) {
    var mine = awaitCancels();
    if (mine == null) {
      return;
    }
    if (failed) {
      mine.forgetLatest();
    }
    // Also where all went well: the sink may have had enough in the moment of the cancel.
    var spoiled = abandoned || (reason != null && backend.dialect().sessions().cancelSpoils());
    if (transaction != null) {
      if (abandoned) {
        transaction.bury();
      } else if (spoiled) {
        transaction.spoil();
      }
      return;
    }
    if (spoiled) {
      mine.close();
    }
    backend.leases().give(mine);
  }

  /** The connection, once no cancel is on its way that could hit what is done with it next. */
  private synchronized @Nullable Lease awaitCancels() {
    var interrupted = false;
    while (cancelling) {
      try {
        wait();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    return lease;
  }

  // ---- the end before its time ----

  @Override
  public final void cancel(ErrorCode code) {
    Runnable waiting;
    synchronized (this) {
      if (reason != null || state == State.ENDED) {
        return;
      }
      reason = code;
      waiting = wait;
    }
    if (waiting != null) {
      waiting.run();
    }
    if (STATE.compareAndSet(this, State.PAUSED, State.ENDED)) {
      endPaused(code);
      return;
    }
    if (!behindSocket()) {
      signalCancel();
    }
    var unused = Thread.ofVirtual().name("evita-cancel").start(this::signalUntilEnded);
    backend.timer().after(GRACE, this::takeOver);
  }

  private void endPaused(ErrorCode code) {
    backend.runs().remove(this);
    if (behindSocket()) {
      sink.failed(cancelled(code));
      var unused = Thread.ofVirtual().name("evita-cancel").start(this::cleanUp);
    } else {
      cleanUp();
      sink.failed(cancelled(code));
    }
  }

  private void cleanUp() {
    try {
      close(false);
    } catch (SQLException | RuntimeException e) {
      // The run has failed in any case, and its connection is not used again.
    }
    giveBack(true, false);
  }

  /** A driver forgets a cancel that comes just before the statement executes, so it is repeated. */
  private void signalUntilEnded() {
    while (signalCancel()) {
      LockSupport.parkNanos(AGAIN.toNanos());
    }
  }

  /**
   * Cancels the statement that executes. Not under the lock, as that may be a round trip; the
   * connection stays this run's until it is over.
   *
   * @return whether the run is still under way
   */
  private boolean signalCancel() {
    PreparedStatement executing;
    synchronized (this) {
      if (state == State.ENDED) {
        return false;
      }
      executing = cancelling ? null : current;
      cancelling |= executing != null;
    }
    if (executing != null) {
      try {
        backend.dialect().sessions().cancel(executing);
      } catch (SQLException e) {
        // The run still ends: at its next row, or when it is overdue.
      }
      synchronized (this) {
        cancelling = false;
        notifyAll();
      }
    }
    return true;
  }

  /** Ends the run in place of its thread, if that is stuck in the driver. On the timer's thread. */
  private void takeOver() {
    Lease stuck;
    boolean unknown;
    synchronized (this) {
      if (state == State.ENDED) {
        return;
      }
      if (!STATE.compareAndSet(this, State.DRIVER, State.ENDED)) {
        backend.timer().after(AGAIN, this::takeOver);
        return;
      }
      stuck = lease;
      unknown = committing;
    }
    backend.runs().remove(this);
    if (transaction != null) {
      transaction.orphan();
    }
    if (stuck != null && behindSocket()) {
      stuck.abort();
    }
    var why = cancelled(reason == null ? ErrorCode.CANCELLED : reason, stuck != null);
    sink.failed(unknown ? JdbcErrors.commitUnknown(why) : why);
  }

  private void requireNotCancelled() {
    var why = reason;
    if (why != null) {
      throw cancelled(why);
    }
  }

  private EvitaException failure(Throwable failure) {
    var told = translate(failure);
    if (isCommitting() && backend.errors().mayHaveCommitted(told.code(), failure)) {
      return JdbcErrors.commitUnknown(failure);
    }
    var why = reason;
    if (why != null) {
      return cancelled(why);
    }
    // A run on a table that is dropped meanwhile may fail in any way.
    return tables.holds() ? backend.lasting(told) : schemaChanged(told);
  }

  private static EvitaException schemaChanged(@Nullable Throwable cause) {
    return new EvitaException(ErrorCode.CATALOG_CHANGED, JdbcErrors.CHANGED, cause);
  }

  private synchronized EvitaException cancelled(ErrorCode reason) {
    return cancelled(reason, lease != null);
  }

  private static EvitaException cancelled(ErrorCode reason, boolean connected) {
    return new EvitaException(
        reason,
        switch (reason) {
          case DEADLINE_EXCEEDED ->
              connected
                  ? "The statement took longer than allowed and was cancelled"
                  : "The request got no database connection in the time allowed; try again later,"
                      + " or raise pool-size";
          case CLIENT_GONE -> "The client closed the connection; the statement was cancelled";
          case SHUTTING_DOWN -> "The engine closes; the statement was cancelled";
          case CLIENT_TOO_SLOW ->
              "The client did not read its answer while others needed the database (max-paused);"
                  + " read faster, or ask for less at once";
          default -> "The statement was cancelled";
        });
  }

  /**
   * To be called right before a commit, or a statement in autocommit: from now on a failure leaves
   * open whether the write was kept.
   */
  protected final synchronized void committing() {
    requireNotCancelled();
    committing = true;
  }

  /** Waits until all commits so far are durable. */
  protected final void awaitDurable() {
    try {
      backend.commitLog().flush().join();
    } catch (CompletionException e) {
      throw EvitaException.from(e);
    }
  }

  private synchronized boolean isCommitting() {
    return committing;
  }

  @Override
  public final int statements() {
    return statements;
  }

  /** The connection; on the run's thread, once it is open. */
  @SuppressWarnings("GuardedBy") // only this thread has set it
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
  protected final void query(SqlText sql, @Nullable ParentKeys keys, ColumnarRows into)
      throws SQLException {
    var statement = lease().prepare(sql.sql());
    var ended = false;
    try {
      sql.bind(statement, arguments, keys);
      executing(statement);
      try (ResultSet result = statement.executeQuery()) {
        while (result.next()) {
          hold(1);
          into.appendTolerantly(result);
        }
        ended = true;
      }
    } finally {
      executed();
      lease().release(statement, ended);
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

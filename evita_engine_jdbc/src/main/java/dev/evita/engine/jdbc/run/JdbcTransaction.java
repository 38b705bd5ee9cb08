// SPDX-License-Identifier: Apache-2.0
package dev.evita.engine.jdbc.run;

import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import dev.evita.api.Transaction;
import dev.evita.api.TransactionOptions;
import dev.evita.engine.jdbc.connection.Lease;
import dev.evita.engine.jdbc.connection.Leases;
import dev.evita.engine.jdbc.dialect.JdbcErrors;
import dev.evita.engine.jdbc.dialect.SessionRules;
import java.sql.SQLException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * A transaction on one connection, which it takes with its first statement and returns at its end.
 * To begin one costs nothing and waits for nothing.
 *
 * <pre>
 * NEW --first statement--> OPEN --commit, rollback--> ENDED
 * '-- commit, rollback ----'-----------------------------^
 *                           '-- a statement does not return: orphan --> ORPHANED --bury--> ENDED
 * </pre>
 *
 * <p>An orphaned transaction is over for its owner. It is rolled back by the thread that is blocked
 * in its statement, when that returns.
 */
public final class JdbcTransaction implements Transaction {

  private enum State {
    NEW,
    OPEN,
    ORPHANED,
    ENDED
  }

  private final EngineContext backend;
  private final TransactionOptions options;
  private final WriteSet writes = new WriteSet();
  private int isolationBefore;
  private boolean schemaChanged;
  private boolean spoiled;
  private int savepoints;

  // Guarded by this.
  private State state = State.NEW;
  private @Nullable Lease lease;
  private @Nullable CompletableFuture<Void> flushed;
  private boolean busy;

  private JdbcTransaction(EngineContext backend, TransactionOptions options) {
    this.backend = backend;
    this.options = options;
  }

  public static CompletionStage<Transaction> begin(
      EngineContext backend, TransactionOptions options) {
    try {
      backend.requireUp();
      backend.dialect().sessions().requireIsolation(options.isolation());
      return CompletableFuture.completedFuture(new JdbcTransaction(backend, options));
    } catch (EvitaException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  @Override
  public TransactionOptions options() {
    return options;
  }

  /**
   * Returns the connection for an execution in this transaction.
   *
   * @throws EvitaException {@code TRANSACTION_CLOSED}
   */
  Lease lease(Leases.@Nullable Waiter waiter) throws SQLException {
    synchronized (this) {
      requireOpen();
      if (lease != null) {
        return lease;
      }
    }
    var taken = backend.leases().take(waiter);
    try {
      isolationBefore = backend.dialect().sessions().isolationBefore(taken.connection(), options);
      begin(taken);
      synchronized (this) {
        requireOpen();
        state = State.OPEN;
        lease = taken;
        return taken;
      }
    } catch (SQLException | RuntimeException e) {
      taken.close();
      backend.leases().give(taken);
      throw e;
    }
  }

  private void begin(Lease taken) throws SQLException {
    taken.beginWrite();
    try {
      backend.dialect().sessions().begin(taken.connection(), options);
    } finally {
      taken.endWrite();
    }
  }

  private synchronized void requireOpen() {
    if (state == State.ENDED || state == State.ORPHANED) {
      throw new EvitaException(
          ErrorCode.TRANSACTION_CLOSED,
          "The transaction was already committed or rolled back; begin a new one");
    }
  }

  /** The writes that are published to listeners at commit. */
  WriteSet writes() {
    return writes;
  }

  /** Marks the connection as not reusable after this transaction. */
  void spoil() {
    spoiled = true;
  }

  /** Marks that the catalog must be read again after commit. */
  void schemaChanged() {
    schemaChanged = true;
  }

  /** Its statement does not return: only {@link #bury} is called from now on. */
  synchronized void orphan() {
    if (state != State.ENDED) {
      state = State.ORPHANED;
    }
  }

  /** Rolls an orphaned transaction back, on the thread that was blocked in it. */
  void bury() {
    spoiled = true;
    undo();
  }

  @Override
  public CompletionStage<Void> commit() {
    try {
      requireOpen();
      var held = held();
      if (held != null) {
        commit(held);
      }
      end();
      if (schemaChanged) {
        backend.schemaChanged().run();
      }
      return writes.isEmpty() && !schemaChanged ? done() : flush();
    } catch (EvitaException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  private synchronized @Nullable Lease held() {
    return lease;
  }

  private void commit(Lease held) {
    if (options.readOnly() && !backend.dialect().sessions().refusesWrites()) {
      undo(); // a function in Java may have written
      return;
    }
    try {
      busy(held, true);
      backend.commits().commit(writes, () -> backend.commit(held.connection()));
    } catch (SQLException | RuntimeException e) {
      undo();
      var translated = backend.errors().translate(e);
      throw backend.errors().mayHaveCommitted(translated.code(), e)
          ? JdbcErrors.commitUnknown(e)
          : translated;
    } finally {
      busy(held, false);
    }
  }

  private static CompletionStage<Void> done() {
    return CompletableFuture.completedFuture(null);
  }

  /** The commit is visible; it is acknowledged once it is durable. */
  private CompletionStage<Void> flush() {
    var durable = backend.commitLog().flush();
    synchronized (this) {
      flushed = durable;
    }
    return durable;
  }

  private synchronized void busy(Lease held, boolean inDriver) {
    busy = inDriver;
    if (inDriver) {
      held.beginWrite();
    } else {
      held.endWrite();
    }
  }

  @Override
  public void abandon() {
    Lease stuck;
    CompletableFuture<Void> unflushed;
    synchronized (this) {
      stuck = busy && backend.dialect().sessions().behindSocket() ? lease : null;
      unflushed = flushed;
    }
    if (stuck != null) {
      stuck.abort();
    }
    if (unflushed != null) {
      unflushed.completeExceptionally(JdbcErrors.commitUnknown(null));
    }
  }

  @Override
  public CompletionStage<Void> checkConstraints() {
    return attempt(() -> {
      requireOpen();
      var held = held();
      if (held != null && !options.readOnly()) {
        watched(held, () -> backend.dialect().sessions().checkDeferred(held.connection()));
      }
    });
  }

  @Override
  public CompletionStage<Void> rollback() {
    synchronized (this) {
      if (state == State.ORPHANED || state == State.ENDED) {
        return done();
      }
    }
    undo();
    return done();
  }

  private void undo() {
    var held = held();
    if (held != null) {
      busy(held, true);
      try {
        backend.rollback(held.connection());
      } catch (SQLException e) {
        // A connection that cannot roll back is not used again; closing it rolls back.
        spoiled = true;
      } finally {
        busy(held, false);
      }
    }
    end();
  }

  private void end() {
    Lease held;
    synchronized (this) {
      if (state == State.ENDED) {
        return;
      }
      state = State.ENDED;
      held = lease;
    }
    if (held == null) {
      return;
    }
    try {
      backend.dialect().sessions().afterTransaction(held.connection(), options, isolationBefore);
    } catch (SQLException e) {
      spoiled = true;
    }
    if (spoiled) {
      held.close();
    }
    backend.leases().give(held);
  }

  @Override
  public CompletionStage<Savepoint> savepoint() {
    var name = "evita_" + savepoints++;
    return attempt(() -> statement("savepoint " + name)).thenApply(done -> new Point(name));
  }

  private void statement(String sql) throws SQLException {
    var held = lease(null);
    watched(held, () -> SessionRules.execute(held.connection(), sql));
  }

  /** Calls the driver so that {@link #abandon} can end the call. */
  private void watched(Lease held, CommitFeed.Action call) throws SQLException {
    busy(held, true);
    try {
      call.run();
    } finally {
      busy(held, false);
    }
  }

  /** A savepoint: the SQL statements are the same in all databases, the JDBC calls are not. */
  private final class Point implements Savepoint {
    private final String name;

    Point(String name) {
      this.name = name;
    }

    @Override
    public CompletionStage<Void> rollback() {
      return attempt(() -> statement("rollback to savepoint " + name));
    }

    @Override
    public CompletionStage<Void> release() {
      return attempt(() -> statement("release savepoint " + name));
    }
  }

  private CompletionStage<Void> attempt(CommitFeed.Action action) {
    try {
      action.run();
      return done();
    } catch (SQLException | EvitaException e) {
      return CompletableFuture.failedFuture(backend.errors().translate(e));
    }
  }
}

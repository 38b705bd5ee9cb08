// SPDX-License-Identifier: Apache-2.0
package dev.evita.engine.jdbc;

import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import dev.evita.api.Transaction;
import dev.evita.api.TransactionOptions;
import java.sql.SQLException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** A transaction: one connection from {@code begin} to {@code commit} or {@code rollback}. */
final class JdbcTransaction implements Transaction {

  private final Backend backend;
  private final Lease lease;
  private final TransactionOptions options;
  private final int isolationBefore;
  private final Touched touched = new Touched();
  private boolean schemaChanged;
  private boolean spoiled;
  private boolean ended;
  private int savepoints;

  private JdbcTransaction(
      Backend backend, Lease lease, TransactionOptions options, int isolationBefore) {
    this.backend = backend;
    this.lease = lease;
    this.options = options;
    this.isolationBefore = isolationBefore;
  }

  static CompletionStage<Transaction> begin(Backend backend, TransactionOptions options) {
    Lease lease = null;
    try {
      lease = backend.leases().take();
      var connection = lease.connection();
      var isolation =
          options.isolation() == TransactionOptions.Isolation.DEFAULT
              ? 0
              : connection.getTransactionIsolation();
      backend.dialect().begin(connection, options);
      return CompletableFuture.completedFuture(
          new JdbcTransaction(backend, lease, options, isolation));
    } catch (SQLException | EvitaException e) {
      if (lease != null) {
        backend.leases().give(lease);
      }
      return CompletableFuture.failedFuture(backend.errors().translate(e));
    }
  }

  @Override
  public TransactionOptions options() {
    return options;
  }

  /**
   * The connection, for a run in this transaction.
   *
   * @throws EvitaException {@code TRANSACTION_CLOSED}
   */
  Lease lease() {
    requireOpen();
    return lease;
  }

  private void requireOpen() {
    if (ended) {
      throw new EvitaException(
          ErrorCode.TRANSACTION_CLOSED,
          "The transaction was committed or rolled back before; begin another");
    }
  }

  /** What is told to listeners at commit. */
  Touched touched() {
    return touched;
  }

  /** Notes that the connection must not be used again once this has ended. */
  void spoil() {
    spoiled = true;
  }

  /** Notes that the catalog must be read again after commit. */
  void schemaChanged() {
    schemaChanged = true;
  }

  @Override
  public CompletionStage<Void> commit() {
    return attempt(() -> {
      requireOpen();
      var dialect = backend.dialect();
      try {
        backend.commits().commit(touched, () -> dialect.commit(lease.connection()));
      } catch (SQLException e) {
        undo();
        throw e;
      }
      end();
      if (schemaChanged) {
        backend.schemaChanged().run();
      }
    });
  }

  @Override
  public CompletionStage<Void> rollback() {
    return attempt(() -> {
      if (!ended) {
        undo();
      }
    });
  }

  private void undo() {
    try {
      backend.dialect().rollback(lease.connection());
    } catch (SQLException e) {
      // A connection that cannot roll back is not used again; closing it rolls back.
      lease.close();
    }
    end();
  }

  private void end() {
    ended = true;
    try {
      backend.dialect().afterTransaction(lease.connection(), options, isolationBefore);
    } catch (SQLException e) {
      lease.close();
    }
    if (spoiled) {
      lease.close();
    }
    backend.leases().give(lease);
  }

  @Override
  public CompletionStage<Savepoint> savepoint() {
    var name = "evita_" + savepoints++;
    return attempt(() -> statement("savepoint " + name)).thenApply(done -> new Point(name));
  }

  private void statement(String sql) throws SQLException {
    requireOpen();
    Dialect.execute(lease.connection(), sql);
  }

  /** A named point: the SQL statements are the same in all databases, the JDBC calls are not. */
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

  private CompletionStage<Void> attempt(Commits.Action action) {
    try {
      action.run();
      return CompletableFuture.completedFuture(null);
    } catch (SQLException | EvitaException e) {
      return CompletableFuture.failedFuture(backend.errors().translate(e));
    }
  }
}

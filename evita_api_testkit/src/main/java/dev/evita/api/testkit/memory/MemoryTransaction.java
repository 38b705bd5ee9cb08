// SPDX-License-Identifier: Apache-2.0
package dev.evita.api.testkit.memory;

import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import dev.evita.api.Transaction;
import dev.evita.api.TransactionOptions;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** A transaction: the rows that it began with, and those that it has made of them. */
final class MemoryTransaction implements Transaction {

  private final MemoryEngine engine;
  private final TransactionOptions options;
  private final MemoryState base;
  private volatile MemoryState current;
  private volatile boolean ended;

  MemoryTransaction(MemoryEngine engine, TransactionOptions options, MemoryState base) {
    this.engine = engine;
    this.options = options;
    this.base = base;
    this.current = base;
  }

  @Override
  public TransactionOptions options() {
    return options;
  }

  /**
   * Returns the rows that its statements see.
   *
   * @throws EvitaException {@code TRANSACTION_CLOSED} if it ended before
   */
  MemoryState current() {
    if (ended) {
      throw new EvitaException(ErrorCode.TRANSACTION_CLOSED, "The transaction has ended");
    }
    return current;
  }

  /**
   * Replaces its rows.
   *
   * @throws EvitaException {@code READ_ONLY}
   */
  void write(MemoryState changed) {
    if (options.readOnly()) {
      throw new EvitaException(ErrorCode.READ_ONLY, "The transaction is read-only");
    }
    current = changed;
  }

  @Override
  public CompletionStage<Void> commit() {
    try {
      var changed = current();
      ended = true;
      engine.commit(base, changed);
      return CompletableFuture.completedFuture(null);
    } catch (EvitaException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  @Override
  public CompletionStage<Void> rollback() {
    ended = true;
    return CompletableFuture.completedFuture(null);
  }

  @Override
  public CompletionStage<Savepoint> savepoint() {
    try {
      var saved = current();
      return CompletableFuture.completedFuture(new MemorySavepoint(this, saved));
    } catch (EvitaException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  private record MemorySavepoint(MemoryTransaction transaction, MemoryState saved)
      implements Savepoint {

    @Override
    public CompletionStage<Void> rollback() {
      transaction.current = saved;
      return CompletableFuture.completedFuture(null);
    }

    @Override
    public CompletionStage<Void> release() {
      return CompletableFuture.completedFuture(null);
    }
  }
}

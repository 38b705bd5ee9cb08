// SPDX-License-Identifier: Apache-2.0
package dev.evita.api;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * A transaction: pass it to {@link Prepared#run}, then commit it or roll it back, once.
 *
 * <p>Not thread-safe: one execution at a time; but successive executions may come from different
 * threads. After a failed statement the transaction may or may not be usable, depending on the
 * engine; {@link #rollback} always works.
 */
public interface Transaction {

  /** The options that it was begun with. */
  TransactionOptions options();

  /**
   * Makes all changes durable and visible.
   *
   * @return completed once the changes are as durable as the engine guarantees, on the calling
   *     thread or another; completed exceptionally with {@code COMMIT_UNKNOWN} if the changes may
   *     have been made, with {@code SERIALIZATION_FAILURE} or another code if nothing was changed,
   *     and with {@code TRANSACTION_CLOSED} if it ended before
   */
  CompletionStage<Void> commit();

  /**
   * Checks constraints that are deferred to the commit, so that a transaction fails wherever its
   * commit would, though it is going to be rolled back. To be called after the last execution.
   *
   * <p>Checks nothing by default: for engines that have no such constraints, or check them only at
   * commit.
   *
   * @return completed exceptionally with the constraint's code; {@code TRANSACTION_CLOSED} if it
   *     ended before
   */
  default CompletionStage<Void> checkConstraints() {
    return CompletableFuture.completedFuture(null);
  }

  /** Rolls back all changes. No effect if it ended before. */
  CompletionStage<Void> rollback();

  /**
   * Abandons a commit, rollback or savepoint that has not completed: if the database is behind a
   * socket, closes the connection, so that the thread that waits for the response returns.
   * Thread-safe, unlike the other methods; does not wait; no effect if no call is in progress.
   */
  default void abandon() {}

  /**
   * Sets a savepoint, so that one member of a group can fail alone.
   *
   * @return completed exceptionally with {@code UNSUPPORTED_OPERATION} if the engine has none;
   *     {@code TRANSACTION_CLOSED} if it ended before
   */
  CompletionStage<Savepoint> savepoint();

  /** A savepoint within a transaction. */
  interface Savepoint {
    /** Rolls back changes made after the savepoint; the transaction continues. */
    CompletionStage<Void> rollback();

    /** Releases the savepoint; its changes are kept. */
    CompletionStage<Void> release();
  }
}

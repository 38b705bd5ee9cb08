// SPDX-License-Identifier: Apache-2.0
package dev.evita.api;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * A transaction: hand it to {@link Prepared#run}, then commit or roll back, once.
 *
 * <p>Not thread-safe: one run at a time; but successive runs may come from different threads. After
 * a failed statement the transaction may still be usable or not, as the engine has it; {@link
 * #rollback} always works.
 */
public interface Transaction {

  /** How it was begun. */
  TransactionOptions options();

  /**
   * Makes all changes durable and visible.
   *
   * @return completed once the changes are as durable as the engine promises, on the calling thread
   *     or another; completed exceptionally with {@code COMMIT_UNKNOWN} if the changes may have
   *     been made, with {@code SERIALIZATION_FAILURE} or another code where nothing was changed,
   *     and with {@code TRANSACTION_CLOSED} if it ended before
   */
  CompletionStage<Void> commit();

  /**
   * Checks the constraints that are deferred to the commit, so that a transaction fails where its
   * commit would, though it is going to be rolled back. To be called after the last run.
   *
   * <p>Checks nothing by default: for engines that have no such constraints, or check them only by
   * committing.
   *
   * @return completed exceptionally with the constraint's code; {@code TRANSACTION_CLOSED} if it
   *     ended before
   */
  default CompletionStage<Void> checkConstraints() {
    return CompletableFuture.completedFuture(null);
  }

  /** Undoes all changes. Of no effect if it ended before. */
  CompletionStage<Void> rollback();

  /**
   * Gives up a commit, rollback or savepoint that has not completed: where the database is behind a
   * socket, closes the connection from outside, so that the thread that waits for its answer comes
   * back. Thread-safe, unlike all else here; does not wait; of no effect where nothing is under
   * way.
   */
  default void abandon() {}

  /**
   * Marks a point to go back to, so that one member of a group can fail alone.
   *
   * @return completed exceptionally with {@code UNSUPPORTED_OPERATION} if the engine has none;
   *     {@code TRANSACTION_CLOSED} if it ended before
   */
  CompletionStage<Savepoint> savepoint();

  /** A point within a transaction. */
  interface Savepoint {
    /** Undoes what came after this point; the transaction goes on. */
    CompletionStage<Void> rollback();

    /** Forgets this point; the changes stay. */
    CompletionStage<Void> release();
  }
}

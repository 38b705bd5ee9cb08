// SPDX-License-Identifier: Apache-2.0
package dev.evita.engine.jdbc;

import java.util.concurrent.CompletableFuture;

/**
 * Makes commits durable before they are acknowledged, where the database does not do so as a part
 * of the commit. Thread-safe.
 */
interface CommitLog extends AutoCloseable {

  /** Of a database whose commits are durable when they return. */
  CommitLog NONE = () -> CompletableFuture.completedFuture(null);

  /**
   * Makes all commits durable that have returned before this call.
   *
   * @return the caller's own; completed on any thread, exceptionally with {@code COMMIT_UNKNOWN}
   */
  CompletableFuture<Void> flush();

  /** For how long the oldest write to the storage has not returned; 0 where none is under way. */
  default long stalledNanos() {
    return 0;
  }

  /** Writes what is left. */
  @Override
  default void close() {}
}

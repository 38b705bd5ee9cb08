// SPDX-License-Identifier: Apache-2.0
package dev.evita.engine.jdbc.health;

import java.util.concurrent.CompletableFuture;

/**
 * Makes commits durable before they are acknowledged, if the database does not do so as a part of
 * the commit. Thread-safe.
 */
public interface CommitLog extends AutoCloseable {

  /** For a database whose commits are durable when they return. */
  CommitLog NONE = () -> CompletableFuture.completedFuture(null);

  /**
   * Makes all commits durable that returned before this call.
   *
   * @return a future of the caller's own; completed on any thread, exceptionally with {@code
   *     COMMIT_UNKNOWN}
   */
  CompletableFuture<Void> flush();

  /** Writes the remaining commits. */
  @Override
  default void close() {}
}

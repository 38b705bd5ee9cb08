// SPDX-License-Identifier: Apache-2.0
package dev.evita.api;

import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;

/**
 * A database engine in this process, or one reached from it.
 *
 * <p>Thread-safe. The engine is closed by whoever opened it, not by a server that uses it. An
 * engine delivers results either on the calling thread (JDBC) or later on a thread of its own (a
 * distributed engine): callers must support both and therefore never block for a result.
 */
public interface Engine extends AutoCloseable {

  /** A short name for logs and errors, for example {@code H2 2.5.252}. */
  String name();

  /**
   * The features that this engine supports beyond the contract's core; constant for its lifetime.
   */
  Set<Capability> capabilities();

  /**
   * The catalog as last read: immutable, returned at once, without a round trip.
   *
   * <p>Its {@link Catalog#epoch()} increases with each schema change that the engine notices.
   */
  Catalog catalog();

  /**
   * Checks for schema changes made outside this engine's scripts and returns the current catalog.
   *
   * <p>May block on the engine; never called from an I/O thread. If nothing changed, it returns the
   * same instance as before.
   *
   * @throws EvitaException {@code DATABASE_UNREACHABLE}, {@code DATABASE_ERROR}
   */
  Catalog refresh();

  /**
   * Prepares an operation once, against the current catalog.
   *
   * <p>The result is thread-safe, may be executed any number of times, needs no closing and is
   * valid for the catalog's epoch. May block on the engine the first time; callers cache the
   * result.
   *
   * @throws EvitaException {@code UNKNOWN_TABLE}, {@code UNKNOWN_COLUMN}, {@code UNKNOWN_ROUTINE}
   *     for a name that is not in the catalog; {@code UNSUPPORTED_OPERATION} for a feature that the
   *     engine lacks; {@code INVALID_OPERATION} for an inconsistent operation
   */
  Prepared prepare(Operation operation);

  /**
   * Explains how an operation is executed, without executing it. May block on the engine.
   *
   * @return the statements in the order of their execution
   * @throws EvitaException as {@link #prepare}; {@code UNSUPPORTED_OPERATION} for an operation, or
   *     an engine, that cannot be explained
   */
  default List<StatementPlan> explain(Operation operation, Arguments arguments) {
    throw new EvitaException(
        ErrorCode.UNSUPPORTED_OPERATION, name() + " cannot explain this operation");
  }

  /**
   * Begins a transaction.
   *
   * @return completed with a transaction that the caller must commit or roll back; completed
   *     exceptionally with {@code DATABASE_UNREACHABLE}, {@code POOL_EXHAUSTED} or {@code
   *     UNSUPPORTED_OPERATION} (an isolation level that the engine lacks)
   */
  CompletionStage<Transaction> begin(TransactionOptions options);

  /**
   * The number of executions and transactions that wait, and not just for a moment, for resources
   * held by others, such as pooled connections. As many suspended slow consumers are aborted then.
   * Returns at once; called many times a second.
   */
  default int waiting() {
    return 0;
  }

  /**
   * Whether a transaction that writes waits until another one has ended. Callers may then execute
   * several in one, with savepoints, to share its commit.
   */
  default boolean writesOneAtATime() {
    return false;
  }

  /**
   * The health of the database, as last observed. Returns at once, without a round trip; read
   * before each execution.
   *
   * <p>An engine whose database can become unreachable probes it by itself, with one probe at a
   * time, and detects within two seconds that it is down or up again.
   */
  default Health health() {
    return Health.UP;
  }

  /**
   * Publishes committed changes in commit order until the registration is closed.
   *
   * @param listener called on the engine's or the committing thread; must not block
   * @throws EvitaException {@code UNSUPPORTED_OPERATION} without {@link Capability#WATCH}; {@code
   *     SHUTTING_DOWN} if the engine is closed
   */
  default Registration watch(CommitListener listener) {
    throw new EvitaException(
        ErrorCode.UNSUPPORTED_OPERATION,
        name() + " cannot publish committed changes; poll instead");
  }

  /**
   * Cancels executions in progress, and later ones, with {@code SHUTTING_DOWN}, and releases
   * connections and files. Idempotent.
   */
  @Override
  void close();

  /** Ends a registration. */
  interface Registration extends AutoCloseable {
    @Override
    void close();
  }
}

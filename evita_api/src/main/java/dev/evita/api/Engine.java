// SPDX-License-Identifier: Apache-2.0
package dev.evita.api;

import java.util.Set;
import java.util.concurrent.CompletionStage;

/**
 * A database engine that lives in this process, or is reached from it.
 *
 * <p>Thread-safe. Whoever opened the engine closes it; a server that stands over it does not. An
 * engine either answers on the calling thread (JDBC) or later on a thread of its own (a distributed
 * engine): callers must be right for both and therefore never wait for an answer.
 */
public interface Engine extends AutoCloseable {

  /** A short name for logs and errors, for example {@code H2 2.5.252}. */
  String name();

  /** What this engine can do beyond the contract's core; constant for the life of the engine. */
  Set<Capability> capabilities();

  /**
   * The catalog as last read: immutable, answered at once, without a round trip.
   *
   * <p>Its {@link Catalog#epoch()} grows with each change of the schema that the engine notices.
   */
  Catalog catalog();

  /**
   * Looks for schema changes made outside of this engine's scripts and answers the current catalog.
   *
   * <p>May block on the engine; never called from an I/O thread. Where nothing changed, the same
   * instance as before comes back.
   *
   * @throws EvitaException {@code DATABASE_UNREACHABLE}, {@code DATABASE_ERROR}
   */
  Catalog refresh();

  /**
   * Compiles an operation once, against the current catalog.
   *
   * <p>The result is thread-safe, may be run any number of times, needs no closing and is valid for
   * the catalog's epoch. May block on the engine the first time; callers cache what they get.
   *
   * @throws EvitaException {@code UNKNOWN_TABLE}, {@code UNKNOWN_COLUMN}, {@code UNKNOWN_ROUTINE}
   *     for a name that is not in the catalog; {@code UNSUPPORTED_OPERATION} for what the engine
   *     lacks; {@code INVALID_OPERATION} for a tree that contradicts itself
   */
  Prepared prepare(Operation operation);

  /**
   * Starts a transaction.
   *
   * @return completed with a transaction that the caller must commit or roll back; completed
   *     exceptionally with {@code DATABASE_UNREACHABLE}, {@code POOL_EXHAUSTED} or {@code
   *     UNSUPPORTED_OPERATION} (an isolation level that the engine lacks)
   */
  CompletionStage<Transaction> begin(TransactionOptions options);

  /**
   * How many runs and transactions wait, and not just for a moment, for what others hold, such as a
   * pool's connections. Of those that wait for their clients, as many are ended then. Answered at
   * once; asked many times a second.
   */
  default int waiting() {
    return 0;
  }

  /**
   * Whether the database answers, as last observed. Answered at once, without a round trip; read
   * before each run.
   *
   * <p>An engine whose database can be lost looks for it by itself, with one probe at a time, and
   * notices within two seconds that it is gone or back.
   */
  default Health health() {
    return Health.UP;
  }

  /**
   * Tells committed changes in commit order until the registration is closed.
   *
   * @param listener called on the engine's or the committing thread; must not block
   * @throws EvitaException {@code UNSUPPORTED_OPERATION} without {@link Capability#WATCH}; {@code
   *     SHUTTING_DOWN} if the engine is closed
   */
  default Registration watch(CommitListener listener) {
    throw new EvitaException(
        ErrorCode.UNSUPPORTED_OPERATION, name() + " cannot tell committed changes; poll instead");
  }

  /**
   * Cancels what still runs, and what is run afterwards, with {@code SHUTTING_DOWN}, and releases
   * connections and files. Idempotent.
   */
  @Override
  void close();

  /** Ends what was registered. */
  interface Registration extends AutoCloseable {
    @Override
    void close();
  }
}

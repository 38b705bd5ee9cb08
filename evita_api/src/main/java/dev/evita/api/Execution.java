// SPDX-License-Identifier: Apache-2.0
package dev.evita.api;

/** One run that is under way. */
public interface Execution {

  /** Longest time between {@link #cancel} and the sink's last call, in milliseconds. */
  int MAX_CANCEL_MILLIS = 500;

  /** What the rows look like. For a {@link Script} known only from the first row or the end on. */
  RowShape shape();

  /** How many statements the engine has executed for this run so far. */
  int statements();

  /**
   * Goes on after {@link Demand#PAUSE}. An engine that answers on the calling thread does so on the
   * thread that calls this. Called once per pause; where the engine pushes rows on a thread of its
   * own, perhaps before {@link RowSink#row} has returned the pause: then the engine goes on after
   * it.
   */
  void resume();

  /**
   * Ends the run early: the statement is cancelled in the engine, and the sink gets {@code failed}
   * with this code, unless it ended before. Thread-safe, does not wait, idempotent. A run that is
   * paused is ended on the calling thread.
   *
   * <p>The sink gets its last call within {@value #MAX_CANCEL_MILLIS} ms, also where the database
   * does not answer: then on another thread than the one that is stuck in the database's driver.
   * Where a write may have been committed by then, the code is {@code COMMIT_UNKNOWN}.
   *
   * @param reason {@code CANCELLED}, {@code DEADLINE_EXCEEDED}, {@code CLIENT_GONE}, {@code
   *     CLIENT_TOO_SLOW} or {@code SHUTTING_DOWN}
   */
  void cancel(ErrorCode reason);
}

// SPDX-License-Identifier: Apache-2.0
package dev.evita.api;

/** An execution in progress. */
public interface Execution {

  /** Longest time between {@link #cancel} and the sink's last call, in milliseconds. */
  int MAX_CANCEL_MILLIS = 500;

  /** The shape of the rows. For a {@link Script}, known only from the first row or the end on. */
  RowShape shape();

  /** The number of statements that the engine has executed so far. */
  int statements();

  /**
   * Resumes after {@link Demand#PAUSE}. An engine that works on the calling thread resumes on the
   * thread that calls this. Called once per pause. If the engine pushes rows on a thread of its
   * own, this may be called before {@link RowSink#row} has returned the pause: then the engine
   * resumes after it.
   */
  void resume();

  /**
   * Ends the execution early: the statement is cancelled in the engine, and the sink receives
   * {@code failed} with this code, unless it ended before. Thread-safe, does not wait, idempotent.
   * A paused execution is ended on the calling thread.
   *
   * <p>The sink receives its last call within {@value #MAX_CANCEL_MILLIS} ms, even if the database
   * does not respond: then on another thread than the one blocked in the database's driver. If a
   * write may have been committed by then, the code is {@code COMMIT_UNKNOWN}.
   *
   * @param reason {@code CANCELLED}, {@code DEADLINE_EXCEEDED}, {@code CLIENT_GONE}, {@code
   *     CLIENT_TOO_SLOW} or {@code SHUTTING_DOWN}
   */
  void cancel(ErrorCode reason);
}

// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core.work;

import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import dev.evita.api.Execution;
import dev.evita.externalapi.core.limits.Limits;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A unit of work: a request, a call, or one execution of a live query. It has a deadline, counts as
 * admitted work, can be paused and cancelled, and can be restarted on another catalog epoch.
 *
 * <pre>
 * dispatch --bounded--> this I/O thread --.
 *    |-- admitted ----> a worker --------- +--> started(execution) ... ended
 *    '-- full --------> OVERLOADED         |        '-- paused, resumed
 * deadline, cancel, client gone --expire--> the execution is cancelled; without one: timeOut
 * </pre>
 *
 * <p>Used by one thread at a time, except for methods documented otherwise. Its user must end it
 * exactly once, by its {@link Response} or by {@link #fail}.
 */
public final class Work {

  /** The number of restarts after which a schema that keeps changing is reported. */
  private static final byte MAX_RESTARTS = 5;

  /** How long a client may take to read the failure of a timed-out or cancelled request. */
  private static final long READ_REFUSAL_NANOS = TimeUnit.SECONDS.toNanos(5);

  /** The request, call or execution that the work is for. */
  public interface Owner {

    /** Reports a failure to the client, and ends the work. */
    void fail(Throwable failure);

    /** Ends the work early, if there is no statement whose cancellation would end it. */
    void timeOut();

    /** Whether a part of the response was sent, so that no other response is possible. */
    boolean committed();

    /**
     * Submits the work again, after the catalog was read again.
     *
     * @return false if that is impossible
     */
    boolean again();

    /** Makes the input outlive the call that delivered it. Idempotent, thread-safe. */
    default void keepInput() {}

    /** Checks whether the client is still connected. Called periodically by the watchdog. */
    default void probe() {}

    /** The work has ended. Called once. */
    default void ended() {}

    /** The body that is being written; null before. */
    default @Nullable ResponseBody body() {
      return null;
    }
  }

  private final Dispatcher dispatcher;
  private volatile long deadlineNanos;
  private final Owner owner;
  private final @Nullable Object client;
  private volatile @Nullable Execution execution;
  private volatile @Nullable ErrorCode expired;
  private volatile Dispatcher.@Nullable QueuedTask queued;
  private volatile long pausedNanos;
  private byte restarts;
  private volatile boolean responseComplete;
  private volatile long refusedNanos;
  private volatile boolean ended;
  private volatile boolean admitted;
  private volatile boolean openEnded;
  private volatile boolean committing;

  /**
   * Creates work that has begun.
   *
   * @param client equal for all work of one client, which queues for scarce workers together; null
   *     for a client of its own
   * @param deadlineNanos its deadline, on the dispatcher's clock
   */
  public Work(Dispatcher dispatcher, Owner owner, @Nullable Object client, long deadlineNanos) {
    this.dispatcher = dispatcher;
    this.owner = owner;
    this.client = client;
    this.deadlineNanos = deadlineNanos;
    dispatcher.begun();
  }

  // ---- for the code that does the work ----

  /**
   * Runs a task at once on this thread if it is bounded, else on a worker thread. If the worker
   * queue is full, the work fails with {@code OVERLOADED}.
   *
   * @param plan records whether {@code bounded} was a wrong estimate
   * @param task must end the work, now or later; its exceptions are passed to {@link #fail}
   */
  public void dispatch(PlacementHistory plan, boolean bounded, Runnable task) {
    dispatcher.dispatch(this, plan, bounded, task);
  }

  /** Runs the next task of admitted work, on a worker. */
  public void resume(Runnable task) {
    dispatcher.resume(this, task);
  }

  /**
   * Registers an execution, so that the deadline and a disconnected client cancel the statement. To
   * be called by each {@link dev.evita.api.RowSink#started}.
   */
  public void started(Execution running) {
    execution = running;
    var reason = expired;
    if (reason != null) {
      running.cancel(reason);
    }
  }

  /** Ends the work with a failure, which its owner reports in its own form. */
  public void fail(Throwable failure) {
    owner.fail(failure);
  }

  /**
   * Logs a failure that is not the caller's.
   *
   * @return an exception that may be sent to the client
   */
  public EvitaException report(Throwable failure) {
    return dispatcher.faults().report(failure);
  }

  /** The log of failures that are not the caller's. */
  public FaultLog faults() {
    return dispatcher.faults();
  }

  /** The limits of the work. */
  public Limits limits() {
    return dispatcher.limits();
  }

  /** Whether a commit was begun that has not failed, so that writes may be durable. */
  public boolean committing() {
    return committing;
  }

  /** Marks the begin of a commit, or its failure. */
  public void committing(boolean begun) {
    committing = begun;
  }

  /**
   * Restarts the work with the API of the then current schema. To be called by a protocol instead
   * of responding with {@code CATALOG_CHANGED}, for plans prepared before the schema changed.
   *
   * <p>The work must have had no effect so far. Headers set for the response are kept.
   *
   * @return true: the work is submitted again, soon, on another thread, and must not be touched any
   *     more; false: no restart is possible, as a part of the response was sent, or there were too
   *     many restarts: the failure must be sent
   */
  public boolean restart() {
    if (owner.committed() || ended || expired != null || restarts == MAX_RESTARTS) {
      return false;
    }
    restarts++;
    execution = null;
    owner.keepInput();
    dispatcher.watch(this);
    return owner.again();
  }

  /** Marks that the work has had an effect: {@link #restart} returns false from now on. */
  public void mustNotRestart() {
    restarts = MAX_RESTARTS;
  }

  /**
   * Marks an execution or a transaction as waiting for its client, while it holds resources of the
   * engine. If too many do, or other requests need the resources for long, the longest-waiting one
   * is aborted with {@code CLIENT_TOO_SLOW}. Thread-safe.
   */
  public void paused() {
    dispatcher.paused(this);
  }

  /**
   * Ends the pause after the client has read or sent. Thread-safe; may be called without a pause.
   */
  public void resumed() {
    if (pausedNanos != 0) {
      dispatcher.resumed(this);
    }
  }

  /** Ends the work early, as its response is no longer needed. Thread-safe. */
  public void cancel() {
    expire(ErrorCode.CANCELLED);
  }

  /** The failure of work that is ended early. */
  public static EvitaException failure(ErrorCode reason) {
    return new EvitaException(
        reason,
        switch (reason) {
          case COMMIT_UNKNOWN ->
              "The outcome of the write is unknown, as the commit took longer than allowed"
                  + " (request-timeout); repeat the request with the same Idempotency-Key, or"
                  + " read the stored data";
          case DEADLINE_EXCEEDED -> "The request took longer than allowed (request-timeout)";
          case SHUTTING_DOWN -> "The server is shutting down; retry later or on another server";
          default -> "The request was cancelled";
        });
  }

  // ---- for the dispatcher and the owner ----

  /**
   * Ends the work early: cancels the statement in progress; fails it if it still waits for a
   * worker; else the owner ends it. Thread-safe; may be called any number of times.
   */
  public void expire(ErrorCode reason) {
    if (refusedNanos != 0 && dispatcher.now() - refusedNanos < READ_REFUSAL_NANOS) {
      return;
    }
    expired = reason;
    var running = responseComplete ? null : execution;
    var waiting = queued;
    if (running != null) {
      running.cancel(reason);
    } else if (waiting != null && waiting.take()) {
      owner.fail(failure(reason));
    } else {
      owner.timeOut();
    }
  }

  /** The start of the pause; 0 while it is not {@link #paused}. */
  long pausedNanos() {
    return pausedNanos;
  }

  void pausedNanos(long since) {
    pausedNanos = since;
  }

  /** Sets the next task, which waits for a worker. */
  void waits(Dispatcher.QueuedTask next) {
    queued = next;
  }

  /**
   * Marks that the whole response was handed to the transport: no statement is relevant any more.
   */
  void responseComplete() {
    responseComplete = true;
    if (expired != null) {
      refusedNanos = dispatcher.now() | 1;
    }
  }

  Owner owner() {
    return owner;
  }

  /** The client in whose queue it waits for workers. */
  Object client() {
    return client == null ? this : client;
  }

  public Dispatcher dispatcher() {
    return dispatcher;
  }

  public long deadlineNanos() {
    return deadlineNanos;
  }

  /** The reason why it must end early; null if it need not. */
  @Nullable ErrorCode expired() {
    return expired;
  }

  /** Moves the deadline forward to a duration from now, unless it is earlier. Thread-safe. */
  public void limit(Duration duration) {
    var limited = dispatcher.now() + duration.toNanos();
    if (limited - deadlineNanos < 0) {
      deadlineNanos = limited;
    }
  }

  /** Removes the deadline. */
  public void openEnd() {
    openEnded = true;
  }

  /** Marks the work as open-ended: it has no deadline, and other work may be admitted instead. */
  public void release() {
    openEnded = true;
    execution = null;
    dispatcher.released(this);
  }

  /** Whether it has no deadline. */
  boolean openEnded() {
    return openEnded;
  }

  public boolean ended() {
    return ended;
  }

  /** Whether it counts among the work that runs on workers or waits for one. */
  boolean admitted() {
    return admitted;
  }

  void admit() {
    admitted = true;
  }

  /** Releases its place. Returns whether it had one. */
  synchronized boolean unadmit() {
    var had = admitted;
    admitted = false;
    return had;
  }

  /**
   * Ends the work, once the transport has finished with it, whether the response was complete or
   * not. Idempotent.
   */
  public void end() {
    synchronized (this) {
      if (ended) {
        return;
      }
      ended = true;
    }
    dispatcher.ended(this);
    owner.ended();
  }
}

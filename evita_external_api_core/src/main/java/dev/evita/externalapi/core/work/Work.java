// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core.work;

import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import dev.evita.api.Execution;
import dev.evita.externalapi.core.limits.Limits;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A unit of work: a request, a call, or one run of a live query. It has a deadline, takes a place
 * among the work that is admitted, can be paused and cancelled, and can begin again on another
 * catalog epoch.
 *
 * <pre>
 *   dispatch --bounded--> this I/O thread --.
 *      |-- admitted ----> a worker --------- +--> started(execution) ... ended
 *      '-- full --------> OVERLOADED         |        '-- paused, resumed
 *   deadline, cancel, client gone --expire--> the execution is cancelled; without one: lapse
 * </pre>
 *
 * <p>Used by one thread at a time, but for the methods that say otherwise. Whoever does the work
 * must end it exactly once, by its {@link Response} or by {@link #fail}.
 */
public final class Work {

  /** The number of restarts after which a schema that keeps changing is reported. */
  private static final byte MAX_RESTARTS = 5;

  /** How long a client may take to read that its request took too long, or was cancelled. */
  private static final long READ_REFUSAL_NANOS = TimeUnit.SECONDS.toNanos(5);

  /** The request, call or run that the work is for. */
  public interface Owner {

    /** Reports a failure to the client, and ends the work. */
    void fail(Throwable failure);

    /** Ends the work early, where there is no statement whose cancellation would end it. */
    void lapse();

    /** Whether a part of the answer has left, so that no other can be given. */
    boolean committed();

    /**
     * Hands the work in once more, after the schema was read again.
     *
     * @return false where that is impossible
     */
    boolean again();

    /** Makes the input last beyond the call that brought it. Idempotent, thread-safe. */
    default void keepInput() {}

    /** Looks whether the client is still there. Called by the watchdog now and then. */
    default void probe() {}

    /** The work has ended. Once. */
    default void ended() {}

    /** The body that is being written; null before. */
    default @Nullable ResponseBody body() {
      return null;
    }
  }

  private final Dispatcher dispatcher;
  private final long deadlineNanos;
  private final Owner owner;
  private final @Nullable Object client;
  private volatile @Nullable Execution execution;
  private volatile @Nullable ErrorCode expired;
  private volatile Dispatcher.@Nullable QueuedTask queued;
  private volatile long pausedNanos;
  private byte restarts;
  private volatile boolean answered;
  private volatile long refusedNanos;
  private volatile boolean ended;
  private volatile boolean admitted;
  private volatile boolean openEnded;
  private volatile boolean committing;

  /**
   * Creates work that has begun.
   *
   * @param client equal for all work of one client, which waits in turn where workers are scarce;
   *     null for work of a client of its own
   * @param deadlineNanos when it must be done, on the dispatcher's clock
   */
  public Work(Dispatcher dispatcher, Owner owner, @Nullable Object client, long deadlineNanos) {
    this.dispatcher = dispatcher;
    this.owner = owner;
    this.client = client;
    this.deadlineNanos = deadlineNanos;
    dispatcher.begun();
  }

  // ---- for those who do it ----

  /**
   * Runs a task where it belongs: at once on this thread if it is bounded, else on a worker thread.
   * Where the queue for workers is full, the work fails with {@code OVERLOADED}.
   *
   * @param plan remembers whether {@code bounded} was a wrong guess
   * @param task must end the work, now or later; what it throws goes to {@link #fail}
   */
  public void dispatch(PlacementHistory plan, boolean bounded, Runnable task) {
    dispatcher.dispatch(this, plan, bounded, task);
  }

  /** Runs the next task of work that was admitted before, on a worker. */
  public void resume(Runnable task) {
    dispatcher.resume(this, task);
  }

  /**
   * To be called by each {@link dev.evita.api.RowSink#started}, so that the deadline and a lost
   * client reach the statement.
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
   * @return what may leave the process
   */
  public EvitaException report(Throwable failure) {
    return dispatcher.faults().report(failure);
  }

  /** The log of failures that are not the caller's. */
  public FaultLog faults() {
    return dispatcher.faults();
  }

  /** The limits that the work is held to. */
  public Limits limits() {
    return dispatcher.limits();
  }

  /** Whether a commit was begun that has not failed: what was written may be kept. */
  public boolean committing() {
    return committing;
  }

  /** A commit begins, or has failed. */
  public void committing(boolean begun) {
    committing = begun;
  }

  /**
   * Begins again, with the API of the schema as it is then: to be called by a protocol instead of
   * answering {@code CATALOG_CHANGED}, for what was prepared before the schema changed.
   *
   * <p>What was done so far must have had no effect. Headers set for the answer stay.
   *
   * @return true: the work is handed in once more, soon, on another thread, and must not be touched
   *     any more; false: nothing happened, as a part of the answer has left, or this was tried too
   *     often: so the failure is to be answered
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

  /** What was done so far has an effect: {@link #restart} returns false from now on. */
  public void mustNotRestart() {
    restarts = MAX_RESTARTS;
  }

  /**
   * A run or a transaction waits for its client from now on, and keeps from others what it holds in
   * the engine. Where too many do, or others need that for long, the one that has waited longest is
   * ended with {@code CLIENT_TOO_SLOW}. Thread-safe.
   */
  public void paused() {
    dispatcher.paused(this);
  }

  /** The client has read, or sent, what was waited for. Thread-safe; may come without a pause. */
  public void resumed() {
    if (pausedNanos != 0) {
      dispatcher.resumed(this);
    }
  }

  /** Ends the work early, as nobody wants its answer any more. Thread-safe. */
  public void cancel() {
    expire(ErrorCode.CANCELLED);
  }

  /** The failure of work that is ended early. */
  public static EvitaException failure(ErrorCode reason) {
    return new EvitaException(
        reason,
        switch (reason) {
          case COMMIT_UNKNOWN ->
              "It is unknown whether the write was kept, as the commit took longer than allowed"
                  + " (request-timeout); send the request again with the same Idempotency-Key, or"
                  + " read what is stored";
          case DEADLINE_EXCEEDED -> "The request took longer than allowed (request-timeout)";
          case SHUTTING_DOWN -> "The server is stopping; try again elsewhere or later";
          default -> "The request was cancelled";
        });
  }

  // ---- for the dispatcher and the owner ----

  /**
   * Ends the work early: cancels the statement that runs for it; answers where it still waits for a
   * worker; else it lapses. Thread-safe; may come any number of times.
   */
  public void expire(ErrorCode reason) {
    if (refusedNanos != 0 && dispatcher.now() - refusedNanos < READ_REFUSAL_NANOS) {
      return;
    }
    expired = reason;
    var running = answered ? null : execution;
    var waiting = queued;
    if (running != null) {
      running.cancel(reason);
    } else if (waiting != null && waiting.take()) {
      owner.fail(failure(reason));
    } else {
      owner.lapse();
    }
  }

  /** Since when it is {@link #paused}; 0 while it is not. */
  long pausedNanos() {
    return pausedNanos;
  }

  void pausedNanos(long since) {
    pausedNanos = since;
  }

  /** The next task waits for its turn on a worker. */
  void waits(Dispatcher.QueuedTask next) {
    queued = next;
  }

  /** All of the answer is handed to the transport, so that no statement can matter any more. */
  void answered() {
    answered = true;
    if (expired != null) {
      refusedNanos = dispatcher.now() | 1;
    }
  }

  Owner owner() {
    return owner;
  }

  /** The client in whose turn it waits for workers. */
  Object client() {
    return client == null ? this : client;
  }

  public Dispatcher dispatcher() {
    return dispatcher;
  }

  public long deadlineNanos() {
    return deadlineNanos;
  }

  /** Why it is to end early; null if it is not. */
  @Nullable ErrorCode expired() {
    return expired;
  }

  /** From now on no deadline holds for it. */
  public void openEnd() {
    openEnded = true;
  }

  /** From now on it stays open: no deadline holds, and other work may be admitted instead. */
  public void release() {
    openEnded = true;
    execution = null;
    dispatcher.released(this);
  }

  /** Whether no deadline holds for it. */
  boolean openEnded() {
    return openEnded;
  }

  public boolean ended() {
    return ended;
  }

  /** Whether it takes a place among the work that workers run or that waits for one. */
  boolean admitted() {
    return admitted;
  }

  void admit() {
    admitted = true;
  }

  /** Gives its place away. Returns whether it had one. */
  synchronized boolean unadmit() {
    var had = admitted;
    admitted = false;
    return had;
  }

  /** The transport is done with it, whether the answer was complete or not. Idempotent. */
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

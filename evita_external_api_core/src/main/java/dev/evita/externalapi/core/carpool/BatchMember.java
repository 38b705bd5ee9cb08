// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core.carpool;

import dev.evita.api.Arguments;
import dev.evita.api.Demand;
import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import dev.evita.api.Execution;
import dev.evita.api.Prepared;
import dev.evita.api.Row;
import dev.evita.api.RowShape;
import dev.evita.api.RowSink;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * One execution that waits for a batch, or is part of one. Its outcome is its own: a cancellation
 * ends it alone, and a slow client does not delay the batch.
 *
 * <pre>
 * waiting --> in a batch --row*--> completed | failed
 *    '------------'--- cancel ---> failed, at once
 * </pre>
 *
 * <p>Thread-safe: the batch's thread passes rows and the outcome, any other thread cancels. The
 * sink is called by one of them at a time.
 */
public final class BatchMember implements Execution {

  private final Prepared prepared;
  private final Arguments arguments;
  private final RowSink sink;
  private final Object group;
  private final @Nullable Object conflictKey;
  private final int maxHeldRows;
  private final long since;
  private final AtomicReference<@Nullable Carpool> waitingIn = new AtomicReference<>();
  private volatile @Nullable Batch batch;

  /** The next member with the same key, in a batch by key. */
  @Nullable BatchMember twin;

  // Guarded by this.
  private boolean ended;
  private boolean calling;
  private boolean paused;
  private boolean resumed;
  private boolean stopped;
  private long rows;
  private @Nullable ErrorCode cancelled;
  private @Nullable Outcome outcome;

  /** The last call of the sink, which awaits the end of a pause. */
  private record Outcome(long affected, @Nullable EvitaException failure) {}

  /**
   * @param group see {@link BatchedStatement#group}
   * @param conflictKey see {@link BatchedStatement#conflictKey}
   */
  BatchMember(
      Prepared prepared,
      Arguments arguments,
      RowSink sink,
      Object group,
      @Nullable Object conflictKey) {
    this.prepared = prepared;
    this.arguments = arguments;
    this.group = group;
    this.conflictKey = conflictKey;
    this.sink = sink;
    this.maxHeldRows = sink.maxHeldRows();
    this.since = System.nanoTime();
  }

  /** The operation by which it is executed alone. */
  public Prepared prepared() {
    return prepared;
  }

  public Arguments arguments() {
    return arguments;
  }

  Object group() {
    return group;
  }

  @Nullable Object conflictKey() {
    return conflictKey;
  }

  /** When it was created, on the clock of {@link System#nanoTime}. */
  long since() {
    return since;
  }

  /** As its sink said at first: one that has ended cannot say it any more. */
  int maxHeldRows() {
    return maxHeldRows;
  }

  /** It waits, and was counted among those that do. */
  void waits(Carpool counted) {
    waitingIn.set(counted);
  }

  /** It no longer waits. Idempotent. */
  void leaveQueue() {
    var counted = waitingIn.getAndSet(null);
    if (counted != null) {
      counted.leave();
    }
  }

  void joined(Batch joined) {
    batch = joined;
  }

  /** Whether it needs no outcome any more. */
  public synchronized boolean ended() {
    return ended;
  }

  /** The number of rows that it received. */
  public synchronized long rows() {
    return rows;
  }

  /** Passes a row, unless the member has ended or wants no more. */
  public void row(Row row) {
    synchronized (this) {
      if (ended || stopped) {
        return;
      }
      if (paused) {
        // A second row for one key: its buffer is the client's, which has not read the first.
        stopped = true;
        outcome =
            new Outcome(
                0,
                new EvitaException(
                    ErrorCode.DATABASE_ERROR, "Several rows have the same unique key"));
        return;
      }
      calling = true;
      rows++;
    }
    var demand = sink.row(row);
    ErrorCode reason;
    synchronized (this) {
      calling = false;
      stopped = demand == Demand.STOP;
      paused = demand == Demand.PAUSE && !resumed;
      resumed = false;
      reason = cancelled;
      ended = reason != null;
    }
    if (reason != null) {
      sink.failed(failure(reason));
    }
  }

  /** Ends it with success. No effect if it has ended. */
  public void complete(long affected) {
    finish(new Outcome(affected, null));
  }

  /** Ends it with a failure. No effect if it has ended. */
  public void fail(EvitaException failure) {
    finish(new Outcome(0, failure));
  }

  private void finish(Outcome result) {
    Outcome due;
    synchronized (this) {
      if (ended) {
        return;
      }
      if (outcome == null) {
        outcome = result;
      }
      if (paused) {
        return;
      }
      ended = true;
      due = outcome;
    }
    call(due);
  }

  private void call(Outcome due) {
    var with = batch;
    if (sink instanceof ContinuingSink continuing
        && continuing.continues()
        && with != null
        && with.handOver(() -> end(due))) {
      return;
    }
    end(due);
  }

  private void end(Outcome due) {
    if (due.failure() == null) {
      sink.completed(due.affected());
    } else {
      sink.failed(due.failure());
    }
  }

  /** Announces the execution to its sink. */
  void start() {
    sink.started(this);
  }

  @Override
  public RowShape shape() {
    return prepared.shape();
  }

  @Override
  public int statements() {
    return batch == null ? 0 : 1;
  }

  @Override
  public void resume() {
    Outcome due;
    synchronized (this) {
      if (calling) {
        resumed = true;
        return;
      }
      paused = false;
      due = ended ? null : outcome;
      ended |= due != null;
    }
    if (due != null) {
      call(due);
    }
  }

  @Override
  public void cancel(ErrorCode reason) {
    synchronized (this) {
      if (ended || cancelled != null) {
        return;
      }
      cancelled = reason;
      if (calling) {
        return; // the batch's thread reports it
      }
      ended = true;
    }
    leaveQueue();
    var with = batch;
    if (with != null) {
      with.left(reason);
    }
    sink.failed(failure(reason));
  }

  /** A batch that writes may be committed without the member. */
  private EvitaException failure(ErrorCode reason) {
    var with = batch;
    if (with != null && with.writes() && reason != ErrorCode.CLIENT_GONE) {
      return new EvitaException(
          ErrorCode.COMMIT_UNKNOWN,
          "The outcome of the write is unknown, as it shares a transaction with others that took"
              + " longer than allowed (request-timeout); read the stored data");
    }
    return new EvitaException(
        reason,
        switch (reason) {
          case DEADLINE_EXCEEDED ->
              batch == null
                  ? "The request waited for the same operation of others beyond its deadline"
                  : "The statement exceeded the request's deadline";
          case CLIENT_GONE -> "The client closed the connection";
          case SHUTTING_DOWN -> "The server is shutting down";
          case CLIENT_TOO_SLOW ->
              "The client did not read its response while others needed the database (max-paused);"
                  + " read faster, or request less at once";
          default -> "The statement was cancelled";
        });
  }
}

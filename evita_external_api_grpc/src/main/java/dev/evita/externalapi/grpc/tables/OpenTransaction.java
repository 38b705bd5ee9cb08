// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.grpc.tables;

import dev.evita.api.Arguments;
import dev.evita.api.Demand;
import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import dev.evita.api.Execution;
import dev.evita.api.Prepared;
import dev.evita.api.Row;
import dev.evita.api.RowSink;
import dev.evita.api.Transaction;
import dev.evita.api.TransactionOptions;
import dev.evita.externalapi.core.live.BackgroundWork;
import dev.evita.externalapi.core.work.Cancellation;
import dev.evita.externalapi.core.work.EngineCall;
import dev.evita.externalapi.core.work.PlacementHistory;
import dev.evita.externalapi.core.work.Statements;
import dev.evita.externalapi.core.work.Work;
import dev.evita.externalapi.grpc.transport.CallResponse;
import io.grpc.ServerCall;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A transaction that stays open while its client sends its statements; it owns the engine's
 * transaction.
 *
 * <pre>
 *   IDLE --begin, run, commit--> BUSY --ended--> IDLE ... commit --> ENDED
 *     '------ cancel (client gone, too late, server stops), failure: rolled back ----> ENDED
 * </pre>
 *
 * <p>For the server, the whole of it is one {@link Execution}: a cancel reaches the running
 * statement, or ends the wait for the client. Holds no thread while it waits. Its steps are
 * submitted one after another; {@link #cancel} may come at any time.
 */
public final class OpenTransaction implements Cancellation {

  private enum State {
    IDLE,
    BUSY,
    ENDED
  }

  private final CallResponse reply;
  private final Statements statements;
  private final PlacementHistory plan;
  private volatile @Nullable Transaction transaction;
  private volatile @Nullable EngineCall<?> call;
  private volatile long overdueNanos;
  private boolean admitted;

  // Guarded by {@code this}.
  private State state = State.IDLE;
  private @Nullable Execution running;
  private @Nullable ErrorCode cancelled;

  private final AtomicInteger executed = new AtomicInteger();

  /**
   * Creates the transaction of a call; any failure before its commit fails the call. Does not begin
   * the transaction yet.
   */
  public OpenTransaction(
      ServerCall<byte[], byte[]> call,
      BackgroundWork background,
      Statements statements,
      String name) {
    this.reply = new CallResponse(call, background, this::schemaChanged);
    this.statements = statements;
    this.plan = new PlacementHistory(name);
    reply.call().awaitClient();
  }

  /** The call's response. */
  public CallResponse reply() {
    return reply;
  }

  /**
   * Cannot be retried: consumed requests cannot be read again, and sent responses may no longer be
   * valid.
   */
  private void schemaChanged() {
    reply
        .work()
        .fail(
            new EvitaException(
                ErrorCode.SERIALIZATION_FAILURE,
                "The schema has changed meanwhile, and nothing was kept; try again"));
  }

  /** Executes a step on a worker thread; one after another. */
  public void work(Runnable step) {
    if (admitted) {
      reply.work().resume(step);
    } else {
      admitted = true;
      reply.work().dispatch(plan, false, step);
    }
  }

  /** Begins the transaction; on a worker thread. */
  public void begin(TransactionOptions options, Runnable then) {
    reply.work().started(this);
    if (!busy()) {
      return;
    }
    try {
      reply.requireNoKey();
    } catch (EvitaException e) {
      end(e);
      return;
    }
    var begin =
        EngineCall.<Transaction>then(
            (begun, problem) -> {
              if (begun == null) {
                end(problem == null ? undone(ErrorCode.CANCELLED) : problem);
              } else {
                transaction = begun;
                idle(then);
              }
            },
            Transaction::rollback);
    call = begin;
    begin.start(() -> statements.begin(options));
  }

  /** Returns false if it was ended by a cancel. */
  private boolean busy() {
    synchronized (this) {
      if (state == State.BUSY) {
        throw new IllegalStateException("a step at a time");
      }
      if (state == State.ENDED) {
        return false;
      }
      state = State.BUSY;
    }
    reply.work().resumed();
    return true;
  }

  private void idle(Runnable then) {
    ErrorCode reason;
    synchronized (this) {
      running = null;
      reason = cancelled;
      if (reason == null) {
        state = State.IDLE;
      }
    }
    if (reason != null) {
      end(undone(reason));
      return;
    }
    reply.work().paused();
    then.run();
  }

  private static EvitaException undone(ErrorCode reason) {
    return new EvitaException(
        reason,
        switch (reason) {
          case DEADLINE_EXCEEDED -> "The transaction exceeded request-timeout and was rolled back";
          case SHUTTING_DOWN -> "The server is shutting down; the transaction was rolled back";
          case CLIENT_TOO_SLOW ->
              "The client let its transaction wait while others needed the database (max-paused);"
                  + " it was rolled back; retry";
          default -> "The transaction was cancelled and rolled back";
        });
  }

  /** Rolls back, then reports the reason. */
  private void end(Throwable problem) {
    synchronized (this) {
      state = State.ENDED;
      running = null;
    }
    var open = transaction;
    if (open == null) {
      reply.fail(problem);
      return;
    }
    reply.work().mustNotRestart();
    var undo = EngineCall.<Void>then((done, unimportant) -> reply.fail(problem));
    call = undo;
    undo.start(open::rollback);
  }

  /**
   * Executes a statement; a failure rolls the transaction back. On a worker thread.
   *
   * @param sink receives only rows and their end, and is never paused
   * @param then runs after the sink's last call
   */
  public void run(Prepared prepared, Arguments arguments, Rows sink, Runnable then) {
    if (busy()) {
      executed.incrementAndGet();
      prepared.run(arguments, transaction, new Step(sink, then));
    }
  }

  /**
   * Receives the rows of a statement; an exception thrown by its methods rolls the transaction
   * back.
   */
  public interface Rows {
    default void row(Row row) {}

    default void completed(long affected) {}

    /** Maps a failure of the statement to the one that is reported. */
    default EvitaException reported(EvitaException problem) {
      return problem;
    }
  }

  private final class Step implements RowSink {

    private final Rows rows;
    private final Runnable then;
    private @Nullable Throwable failure;

    private Step(Rows rows, Runnable then) {
      this.rows = rows;
      this.then = then;
    }

    @Override
    public void started(Execution execution) {
      ErrorCode reason;
      synchronized (OpenTransaction.this) {
        running = execution;
        reason = cancelled;
      }
      if (reason != null) {
        execution.cancel(reason);
      }
    }

    @Override
    public int maxHeldRows() {
      return reply.work().limits().maxHeldRows();
    }

    @Override
    public Demand row(Row row) {
      try {
        rows.row(row);
        return Demand.MORE;
      } catch (RuntimeException e) {
        failure = e;
        return Demand.STOP;
      }
    }

    @Override
    public void completed(long affected) {
      var problem = failure;
      try {
        if (problem == null) {
          rows.completed(affected);
        }
      } catch (RuntimeException e) {
        problem = e;
      }
      if (problem == null) {
        idle(then);
      } else {
        end(problem);
      }
    }

    @Override
    public void failed(EvitaException problem) {
      end(failure == null ? rows.reported(problem) : failure);
    }
  }

  /** Rolls back and reports an invalid request. */
  public void fail(Throwable problem) {
    if (busy()) {
      end(problem);
    }
  }

  /** Commits; on a worker thread. The response must be complete by then. */
  public void commit(Runnable done) {
    if (!busy()) {
      return;
    }
    var open = transaction;
    if (open == null) {
      throw new IllegalStateException("no transaction was begun");
    }
    var commit =
        EngineCall.<Void>then((committed, problem) -> {
          if (problem == null) {
            ended();
            done.run();
          } else if (EvitaException.from(problem).code() == ErrorCode.COMMIT_UNKNOWN) {
            ended();
            reply.fail(problem);
          } else {
            reply.work().committing(false);
            end(problem);
          }
        });
    call = commit;
    reply.work().committing(true);
    commit.start(open::commit);
  }

  private synchronized void ended() {
    state = State.ENDED;
  }

  /** Rolls back at the client's request. */
  public void rollback(Runnable done) {
    if (!busy()) {
      return;
    }
    ended();
    var open = transaction;
    if (open == null) {
      done.run();
      return;
    }
    var undo = EngineCall.<Void>then((nothing, unimportant) -> done.run());
    call = undo;
    undo.start(open::rollback);
  }

  @Override
  public int statements() {
    return executed.get();
  }

  /** May be called any number of times: the watchdog repeats it after the deadline. */
  @Override
  public void cancel(ErrorCode reason) {
    Execution statement;
    boolean waits;
    synchronized (this) {
      if (cancelled == null) {
        cancelled = reason;
      }
      statement = running;
      waits = state == State.IDLE;
      if (waits) {
        state = State.ENDED;
      }
    }
    if (waits) {
      end(undone(reason));
    } else if (statement != null) {
      statement.cancel(reason);
    } else if (reason == ErrorCode.DEADLINE_EXCEEDED || reason == ErrorCode.SHUTTING_DOWN) {
      abandon(reason);
    }
  }

  /** Reports failures to begin, commit or roll back. */
  private void abandon(ErrorCode reason) {
    var now = System.nanoTime();
    if (overdueNanos == 0) {
      overdueNanos = now | 1;
    }
    var open = transaction;
    if (open != null) {
      open.abandon();
    }
    var stuck = call;
    if (stuck != null && now - overdueNanos > EngineCall.GRACE.toNanos()) {
      var committing = reply.work().committing();
      stuck.abandon(committing ? Work.failure(ErrorCode.COMMIT_UNKNOWN) : undone(reason));
    }
  }
}

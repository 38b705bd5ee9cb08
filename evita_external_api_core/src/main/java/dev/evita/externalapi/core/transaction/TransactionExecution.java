// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core.transaction;

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
import dev.evita.externalapi.core.limits.Quota;
import dev.evita.externalapi.core.work.Cancellation;
import dev.evita.externalapi.core.work.EngineCall;
import dev.evita.externalapi.core.work.RetryPolicy;
import dev.evita.externalapi.core.work.Statements;
import dev.evita.externalapi.core.work.StepLoop;
import dev.evita.externalapi.core.work.Work;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Statements one after another, in one transaction, which this run owns.
 *
 * <pre>
 *   begin --> statement --ended--> statement ... --none left--> finish --> commit --> done
 *                 |                                                |          |
 *                 '---- failure, cancel ----> rollback --> failed <'----------'
 *   begin &lt;-- pause ({@link RetryPolicy}) &lt;-- lost to others --'
 * </pre>
 *
 * <p>It waits for nobody: whatever the engine answers later is continued on the engine's thread.
 * For the server, the whole of it is one {@link Execution}: a cancel reaches the statement that
 * runs, or is seen before the next one. To begin, to commit and to roll back are no statements;
 * where the deadline passes meanwhile, they are abandoned and, after {@link EngineCall#GRACE},
 * given up. A commit that was given up is told as {@code COMMIT_UNKNOWN}. To be run on a worker, as
 * locks may be waited for; once. A transaction that lost to another is begun anew, where {@link
 * Task#restart} allows it.
 */
public final class TransactionExecution implements RowSink, Cancellation, Runnable {

  /** A statement; what its methods throw undoes the transaction. */
  public interface Statement {

    Prepared prepared();

    Arguments arguments();

    /**
     * A row.
     *
     * @param row valid during this call only
     * @param held counts what is held of it for the answer
     */
    void row(Row row, Quota held);

    /** All rows were given, and so many were changed. */
    void completed(long affected);
  }

  /** What is to be done, and what becomes of it. Called by one thread at a time. */
  public interface Task {

    /** How the transaction is begun. */
    default TransactionOptions options() {
      return TransactionOptions.DEFAULT;
    }

    /**
     * The next statement, once the one before has ended; null where there is none left. What it
     * throws undoes the transaction.
     */
    @Nullable Statement next();

    /** All statements have ended: writes the answer, into memory. What it throws undoes them. */
    void finish();

    /**
     * Whether what was done is kept. Else its constraints are checked as a commit does, and it is
     * rolled back. Called after {@link #finish}.
     */
    default boolean keeps() {
      return true;
    }

    /** It is done, and kept unless {@link #keeps} said no: the answer may leave. */
    void done();

    /** Nothing of it was kept. */
    void failed(Throwable problem);

    /**
     * Returns to the state before the first {@link #next}, as the transaction lost to another one
     * and nothing of it was kept. What it throws is the failure of the task.
     *
     * @return false where the work cannot be repeated: {@link #failed} follows
     */
    default boolean restart() {
      return false;
    }
  }

  private final Work work;
  private final Statements statements;
  private final Task task;
  private final Quota held;
  private final int maxHeldRows;
  private final StepLoop loop = new StepLoop(this::step);
  private final AtomicInteger executed = new AtomicInteger();

  private @Nullable Statement statement;
  private @Nullable Throwable failure;
  private volatile @Nullable Transaction transaction;
  private volatile @Nullable EngineCall<?> call;
  private volatile @Nullable Execution execution;
  private volatile @Nullable ErrorCode cancelled;
  private volatile long overdueNanos;
  private volatile @Nullable ScheduledFuture<?> pause;
  private @Nullable RetryPolicy retries;

  /**
   * @param work for which it runs, and with which it is cancelled
   * @param held counts what is held for the answer
   */
  public TransactionExecution(Work work, Statements statements, Quota held, Task task) {
    this.work = work;
    this.statements = statements;
    this.task = task;
    this.held = held;
    this.maxHeldRows = work.limits().maxHeldRows();
  }

  @Override
  public void run() {
    work.started(this);
    begin();
  }

  private void begin() {
    var begin =
        EngineCall.<Transaction>then(
            (begun, problem) -> {
              if (begun == null) {
                failed(problem == null ? undone(ErrorCode.CANCELLED) : problem);
              } else {
                call = null;
                transaction = begun;
                loop.run();
              }
            },
            Transaction::rollback);
    call = begin;
    begin.start(() -> statements.begin(task.options()));
  }

  /** Starts the next statement; answers false where there is none. */
  private boolean step() {
    var next = next();
    var problem = failure;
    if (problem != null) {
      rollback(problem);
      return false;
    }
    if (next == null) {
      finish();
      return false;
    }
    start(next);
    return true;
  }

  private @Nullable Statement next() {
    try {
      var reason = cancelled;
      if (failure == null && reason != null) {
        failure = undone(reason);
      }
      return failure == null ? task.next() : null;
    } catch (RuntimeException | StackOverflowError e) {
      failure = e;
      return null;
    }
  }

  private void start(Statement next) {
    statement = next;
    executed.incrementAndGet();
    try {
      next.prepared().run(next.arguments(), transaction, this);
    } catch (RuntimeException | StackOverflowError e) {
      if (statement != null) {
        end(e);
      }
    }
  }

  @Override
  public void started(Execution running) {
    execution = running;
    var reason = cancelled;
    if (reason != null) {
      running.cancel(reason);
    }
  }

  @Override
  public int maxHeldRows() {
    return maxHeldRows;
  }

  @Override
  public Demand row(Row row) {
    try {
      current().row(row, held);
      return Demand.MORE;
    } catch (RuntimeException | StackOverflowError e) {
      failure = e;
      return Demand.STOP;
    }
  }

  private Statement current() {
    var running = statement;
    if (running == null) {
      throw new IllegalStateException("no statement runs");
    }
    return running;
  }

  @Override
  public void completed(long affected) {
    if (failure == null) {
      try {
        current().completed(affected);
      } catch (RuntimeException | StackOverflowError e) {
        failure = e;
      }
    }
    end(null);
  }

  @Override
  public void failed(EvitaException problem) {
    end(problem);
  }

  private void end(@Nullable Throwable problem) {
    if (failure == null) {
      failure = problem;
    }
    execution = null;
    statement = null;
    loop.ended();
  }

  /** All statements are done. The answer is complete before the commit, and leaves after it. */
  private void finish() {
    try {
      task.finish();
    } catch (RuntimeException | StackOverflowError e) {
      rollback(e);
      return;
    }
    var commit =
        EngineCall.<Void>then((done, problem) -> {
          if (problem == null) {
            work.mustNotRestart();
            task.done();
          } else if (EvitaException.from(problem).code() == ErrorCode.COMMIT_UNKNOWN) {
            task.failed(problem);
          } else {
            // By now it has ended and nothing is changed; an engine may still have to be told.
            work.committing(false);
            rollback(problem);
          }
        });
    work.committing(task.keeps());
    call = commit;
    commit.start(task.keeps() ? owned()::commit : this::rollBackChecked);
  }

  /** What is not kept fails all the same where its commit would. */
  private CompletionStage<Void> rollBackChecked() {
    var owned = owned();
    return owned.checkConstraints().thenCompose(checked -> owned.rollback());
  }

  private Transaction owned() {
    var open = transaction;
    if (open == null) {
      throw new IllegalStateException("no transaction was begun");
    }
    return open;
  }

  private void rollback(Throwable problem) {
    var undo = EngineCall.<Void>then((done, unimportant) -> failed(problem));
    call = undo;
    undo.start(owned()::rollback);
  }

  /** Nothing was kept: begins anew after a pause, or fails. */
  private void failed(Throwable problem) {
    var lost = EvitaException.from(problem).code() == ErrorCode.SERIALIZATION_FAILURE;
    if (!lost || cancelled != null) {
      task.failed(problem);
      return;
    }
    var policy = retries == null ? new RetryPolicy() : retries;
    retries = policy;
    var dispatcher = work.dispatcher();
    var delay = policy.delayNanos(dispatcher.now(), work.deadlineNanos());
    if (delay == RetryPolicy.NEVER) {
      task.failed(problem);
      return;
    }
    if (!restart(problem)) {
      return;
    }
    transaction = null;
    call = null;
    failure = null;
    held.restart();
    try {
      pause = dispatcher.resumeLater(work, delay, this::beginAgain);
    } catch (RejectedExecutionException e) {
      task.failed(problem); // the server has stopped
    }
  }

  /** Answers whether the work can be repeated; else it has failed. */
  private boolean restart(Throwable problem) {
    var cause = problem;
    try {
      if (task.restart()) {
        return true;
      }
    } catch (RuntimeException e) {
      cause = e;
    }
    task.failed(cause);
    return false;
  }

  private void beginAgain() {
    pause = null;
    var reason = cancelled;
    if (reason == null) {
      begin();
    } else {
      task.failed(undone(reason));
    }
  }

  private static EvitaException undone(ErrorCode reason) {
    return new EvitaException(
        reason,
        reason == ErrorCode.DEADLINE_EXCEEDED
            ? "The transaction took longer than allowed (request-timeout) and was undone"
            : "The transaction was cancelled and undone");
  }

  /** How many were begun. */
  @Override
  public int statements() {
    return executed.get();
  }

  /** May come any number of times: the watchdog repeats it while the deadline has passed. */
  @Override
  public void cancel(ErrorCode reason) {
    if (cancelled == null) {
      cancelled = reason;
    }
    var running = execution;
    var waiting = pause;
    if (running != null) {
      running.cancel(reason);
    } else if (waiting != null && waiting.cancel(false)) {
      task.failed(undone(reason));
    } else if (reason == ErrorCode.DEADLINE_EXCEEDED || reason == ErrorCode.SHUTTING_DOWN) {
      abandon(reason);
    }
  }

  /** A client that leaves is no reason to leave open whether its write is kept; the deadline is. */
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
      stuck.giveUp(work.committing() ? Work.failure(ErrorCode.COMMIT_UNKNOWN) : undone(reason));
    }
  }
}

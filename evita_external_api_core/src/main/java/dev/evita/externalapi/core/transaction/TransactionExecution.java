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
import dev.evita.externalapi.core.work.GroupCommit;
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
 * The execution of successive statements in one transaction, which it owns.
 *
 * <pre>
 * begin --> statement --ended--> statement ... --none left--> finish --> commit --> done
 *               |                                                |          |
 *               '---- failure, cancel ----> rollback --> failed <'----------'
 * begin &lt;-- pause ({@link RetryPolicy}) &lt;-- conflict -------'
 * </pre>
 *
 * <p>It never waits: it is continued on the engine's thread. For the server, it is one {@link
 * Execution}: a cancellation reaches the statement in progress, or is checked before the next one.
 * Begin, commit and rollback are no statements; if the deadline passes meanwhile, they are
 * cancelled and, after {@link EngineCall#GRACE}, abandoned. An abandoned commit is reported as
 * {@code COMMIT_UNKNOWN}. To be run on a worker, as it may wait for locks; once. A transaction that
 * failed by a conflict is restarted if {@link Task#restart} allows it.
 */
public final class TransactionExecution implements RowSink, Cancellation, Runnable {

  /** A statement; exceptions of its methods roll the transaction back. */
  public interface Statement {

    Prepared prepared();

    Arguments arguments();

    /**
     * Receives a row.
     *
     * @param row valid during this call only
     * @param held counts what is buffered of it for the response
     */
    void row(Row row, Quota held);

    /** All rows were received; the number of changed rows. */
    void completed(long affected);
  }

  /** The statements, and the handling of their outcome. Called by one thread at a time. */
  public interface Task {

    /** The options of the transaction. */
    default TransactionOptions options() {
      return TransactionOptions.DEFAULT;
    }

    /**
     * The next statement, once the previous one has ended; null if there is none left. An exception
     * rolls the transaction back.
     */
    @Nullable Statement next();

    /** All statements have ended: writes the response, into memory. An exception rolls back. */
    void finish();

    /**
     * Whether to commit. If not, constraints are checked as by a commit, and the transaction is
     * rolled back. Called after {@link #finish}.
     */
    default boolean keeps() {
      return true;
    }

    /**
     * Whether the transaction may share its commit with others, if it has the default options: it
     * is kept, and consists of inserts, updates, deletes and selects that end by themselves.
     */
    default boolean sharesCommit() {
      return false;
    }

    /** The transaction has ended as decided by {@link #keeps}: the response may be sent. */
    void done();

    /** The transaction was rolled back. */
    void failed(Throwable problem);

    /**
     * Returns to the state before the first {@link #next}, as the transaction failed by a conflict
     * and was rolled back. An exception is the failure of the task.
     *
     * @return false if the work cannot be repeated: {@link #failed} follows
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
   * @param work on whose behalf it runs, and with which it is cancelled
   * @param held counts what is buffered for the response
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
    begin.start(() -> sharesCommit() ? statements.beginShared() : statements.begin(task.options()));
  }

  /** One that failed with others is repeated alone. */
  private boolean sharesCommit() {
    return retries == null
        && task.sharesCommit()
        && task.options().equals(TransactionOptions.DEFAULT);
  }

  /** Starts the next statement; returns false if there is none. */
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
      next.prepared().run(next.arguments(), statementsIn(transaction), this);
    } catch (RuntimeException | StackOverflowError e) {
      if (statement != null) {
        end(e);
      }
    }
  }

  private static @Nullable Transaction statementsIn(@Nullable Transaction open) {
    return open instanceof GroupCommit.Member member ? member.real() : open;
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
      throw new IllegalStateException("no statement is executing");
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

  /** All statements have ended. The response is complete before the commit, and sent after it. */
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
            // It has ended without changes; an engine may still need the notification.
            work.committing(false);
            rollback(problem);
          }
        });
    work.committing(task.keeps());
    call = commit;
    commit.start(task.keeps() ? owned()::commit : this::rollBackChecked);
  }

  /** A transaction that is rolled back on purpose fails wherever its commit would. */
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
    if (transaction instanceof GroupCommit.Member member) {
      member.failed(problem);
    }
    var undo = EngineCall.<Void>then((done, unimportant) -> failed(problem));
    call = undo;
    undo.start(owned()::rollback);
  }

  /** The transaction was rolled back: restarts it after a pause, or fails. */
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
      task.failed(problem); // the server was closed
    }
  }

  /** Returns whether the work can be repeated; else it has failed. */
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
            ? "The transaction took longer than allowed (request-timeout) and was rolled back"
            : "The transaction was cancelled and rolled back");
  }

  /** The number of statements begun. */
  @Override
  public int statements() {
    return executed.get();
  }

  /** May be called any number of times: the watchdog repeats it while the deadline has passed. */
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

  /**
   * Only the deadline abandons a commit: a disconnected client must not leave its outcome unknown.
   */
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
      stuck.abandon(work.committing() ? Work.failure(ErrorCode.COMMIT_UNKNOWN) : undone(reason));
    }
  }
}

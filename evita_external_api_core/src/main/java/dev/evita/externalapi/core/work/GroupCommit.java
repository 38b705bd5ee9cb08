// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core.work;

import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import dev.evita.api.Transaction;
import dev.evita.api.TransactionOptions;
import dev.evita.externalapi.core.carpool.Carpool;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Group commit: transactions that wait for one another execute in one transaction of the engine,
 * one after another, each after a savepoint, and are made durable by one commit.
 *
 * <pre>
 * begin --none in progress--> the engine's transaction --> member --commit--> the next that waits
 *    '----else--> waits             ^                        |                (after a savepoint)
 *                                   |                     rollback --> to its savepoint, the next
 *                                   '--- none waits, or it is time: commit, then all are completed
 * </pre>
 *
 * <p>A member fails alone. If the engine's transaction is lost with the writes of others, they fail
 * with {@code SERIALIZATION_FAILURE}, upon which they are repeated alone; if the outcome of its
 * commit is unknown, all fail with {@code COMMIT_UNKNOWN}. Thread-safe.
 */
public final class GroupCommit {

  private static final int MAX_MEMBERS = 64;

  /** After this time, no further member begins: the first one waits for its commit. */
  private static final long LONGEST_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  private final Supplier<CompletionStage<Transaction>> engine;
  private final Carpool carpool;
  private final ArrayDeque<Member> waiting = new ArrayDeque<>();
  private @Nullable Group group;

  /**
   * @param engine begins a transaction with the default options
   * @param carpool limits and counts the members that wait, and executes groups
   */
  GroupCommit(Supplier<CompletionStage<Transaction>> engine, Carpool carpool) {
    this.engine = engine;
    this.carpool = carpool;
  }

  /** Begins a transaction, which may wait for its turn; {@code OVERLOADED} if too many wait. */
  CompletionStage<Transaction> begin() {
    var member = new Member();
    Group first = null;
    if (!carpool.admit()) {
      return CompletableFuture.failedFuture(carpool.overloaded());
    }
    synchronized (this) {
      waiting.add(member);
      if (group == null) {
        first = new Group();
        group = first;
      }
    }
    if (first != null) {
      first.begin();
    }
    return member.begun;
  }

  /**
   * Runs what continues a member, on another thread: it may do anything, while this thread has the
   * group's transaction or the next group.
   */
  private void detach(Runnable continuation) {
    try {
      carpool.execute(continuation);
    } catch (RejectedExecutionException e) {
      continuation.run(); // the server was closed
    }
  }

  private synchronized @Nullable Member next() {
    var next = waiting.poll();
    if (next != null) {
      carpool.leave();
    }
    return next;
  }

  /** A group has ended: the next one begins, on another thread, if members wait. */
  private void ended() {
    Group next = null;
    synchronized (this) {
      group = null;
      if (!waiting.isEmpty()) {
        next = new Group();
        group = next;
      }
    }
    if (next != null) {
      try {
        carpool.execute(next::begin);
      } catch (RejectedExecutionException e) {
        next.begin(); // the server was closed
      }
    }
  }

  /** Members that share a transaction. Used by one thread at a time. */
  private final class Group {
    private final long since = System.nanoTime();
    private final List<Member> written = new ArrayList<>();
    private final StepLoop loop = new StepLoop(this::step);
    private volatile @Nullable Transaction transaction;
    private boolean lost;
    private int members;

    void begin() {
      CompletionStage<Transaction> begun;
      try {
        begun = engine.get();
      } catch (RuntimeException e) {
        begun = CompletableFuture.failedFuture(e);
      }
      var unused = begun.whenComplete(this::begun);
    }

    private void begun(@Nullable Transaction opened, @Nullable Throwable problem) {
      if (opened != null) {
        transaction = opened;
        loop.run();
        return;
      }
      var first = next();
      if (first != null) {
        var reason = problem == null ? new IllegalStateException("no transaction") : problem;
        detach(() -> first.begun.completeExceptionally(reason));
      }
      ended();
    }

    private Transaction open() {
      var opened = transaction;
      if (opened == null) {
        throw new IllegalStateException("the group has not begun");
      }
      return opened;
    }

    /** Begins the next member, or ends the group. */
    private boolean step() {
      var full = members == MAX_MEMBERS || System.nanoTime() - since > LONGEST_NANOS;
      var next = lost || (full && !written.isEmpty()) ? null : next();
      if (next == null) {
        end();
        return false;
      }
      members++;
      next.group = this;
      if (written.isEmpty()) {
        next.begun.complete(next); // nothing of others could be lost
      } else {
        var unused =
            open()
                .savepoint()
                .whenComplete((point, problem) -> {
                  if (point == null) {
                    var reason =
                        problem == null ? new IllegalStateException("no savepoint") : problem;
                    lost = true;
                    detach(() -> next.begun.completeExceptionally(reason));
                    loop.ended();
                  } else {
                    next.savepoint = point;
                    next.begun.complete(next);
                  }
                });
      }
      return true;
    }

    private void rollBack(Throwable reason) {
      var unused = open().rollback().whenComplete((undone, problem) -> complete(reason));
    }

    private void end() {
      if (lost || written.isEmpty()) {
        rollBack(lostTogether());
        return;
      }
      var unused =
          open()
              .commit()
              .whenComplete((done, problem) -> {
                if (problem == null
                    || EvitaException.from(problem).code() == ErrorCode.COMMIT_UNKNOWN) {
                  complete(problem);
                } else {
                  rollBack(written.size() == 1 ? problem : lostTogether());
                }
              });
    }

    private static EvitaException lostTogether() {
      return new EvitaException(
          ErrorCode.SERIALIZATION_FAILURE,
          "The transaction was rolled back, as another one that it shared a commit with failed");
    }

    /** The next group begins before the members continue, which may take a while. */
    private void complete(@Nullable Throwable problem) {
      ended();
      for (var member : written) {
        detach(() -> {
          if (problem == null) {
            member.committed.complete(null);
          } else {
            member.committed.completeExceptionally(problem);
          }
        });
      }
    }

    /** A member has written. */
    void written(Member member) {
      written.add(member);
      loop.ended();
    }

    /** Undoes a member alone. */
    CompletionStage<Void> undo(Member member) {
      var undone = new CompletableFuture<Void>();
      var point = member.savepoint;
      if (point == null) {
        // Nobody else has written; those that wait need a new transaction.
        var unused =
            open()
                .rollback()
                .whenComplete((done, problem) -> {
                  ended();
                  detach(() -> undone.complete(null));
                });
      } else if (member.failedByConflict) {
        lost = true;
        detach(() -> undone.complete(null));
        loop.ended();
      } else {
        var unused =
            point
                .rollback()
                .whenComplete((done, problem) -> {
                  lost = problem != null;
                  detach(() -> undone.complete(null));
                  loop.ended();
                });
      }
      return undone;
    }
  }

  /** A transaction of a member; see {@link #real} for its statements. */
  public static final class Member implements Transaction {
    private final CompletableFuture<Transaction> begun = new CompletableFuture<>();
    private final CompletableFuture<Void> committed = new CompletableFuture<>();
    private volatile @Nullable Group group;
    private @Nullable Savepoint savepoint;
    private boolean failedByConflict;
    private boolean over;

    private Group group() {
      var mine = group;
      if (mine == null) {
        throw new IllegalStateException("the transaction has not begun");
      }
      return mine;
    }

    /** The engine's transaction, for its statements. */
    public Transaction real() {
      return group().open();
    }

    /**
     * A statement has failed: after a conflict, some databases have rolled back the whole
     * transaction.
     */
    public void failed(Throwable problem) {
      failedByConflict |= EvitaException.from(problem).code().category() != ErrorCode.Category.USER;
    }

    @Override
    public TransactionOptions options() {
      return TransactionOptions.DEFAULT;
    }

    @Override
    public CompletionStage<Void> commit() {
      if (!over) {
        over = true;
        group().written(this);
      }
      return committed;
    }

    @Override
    public CompletionStage<Void> checkConstraints() {
      return real().checkConstraints();
    }

    @Override
    public CompletionStage<Void> rollback() {
      if (over) {
        return CompletableFuture.completedFuture(null);
      }
      over = true;
      return group().undo(this);
    }

    /** A savepoint or commit that does not return is abandoned for all members. */
    @Override
    public void abandon() {
      var mine = group;
      if (mine != null) {
        mine.open().abandon();
      }
    }

    @Override
    public CompletionStage<Savepoint> savepoint() {
      return real().savepoint();
    }
  }
}

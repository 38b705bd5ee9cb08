// SPDX-License-Identifier: Apache-2.0
package dev.evita.api.testkit;

import dev.evita.api.Arguments;
import dev.evita.api.Engine;
import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import dev.evita.api.Execution;
import dev.evita.api.Operation;
import dev.evita.api.Prepared;
import dev.evita.api.RowShape;
import dev.evita.api.RowSink;
import dev.evita.api.Transaction;
import dev.evita.api.TransactionOptions;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Counts an engine's transactions and statements, and lets a step fail or hang on demand: step 0 is
 * the begin of a transaction, the following are its statements, {@link #COMMIT} is its commit.
 */
public final class FaultyEngine extends ForwardingEngine {

  /** The step of the commit. */
  public static final int COMMIT = -1;

  private static final int NONE = -2;

  private final AtomicInteger open = new AtomicInteger();
  private final AtomicInteger begun = new AtomicInteger();
  private final AtomicInteger statements = new AtomicInteger();
  private final CountDownLatch hanging = new CountDownLatch(1);
  private final CountDownLatch ended = new CountDownLatch(1);
  private final AtomicInteger commits = new AtomicInteger();
  private final AtomicInteger losing = new AtomicInteger();
  private volatile EvitaException.Code code = ErrorCode.DATABASE_ERROR;
  private volatile int failing = NONE;
  private volatile int hangingAt = NONE;

  /** Wraps an engine without failures. */
  public FaultyEngine(Engine engine) {
    super(engine);
  }

  /** Makes this step of each transaction fail. */
  public FaultyEngine failing(int step) {
    failing = step;
    return this;
  }

  /** Sets the code of failures; {@code DATABASE_ERROR} by default. */
  public FaultyEngine failingBy(EvitaException.Code failure) {
    code = failure;
    return this;
  }

  /** Makes the commits of the next so many transactions fail by a conflict. */
  public FaultyEngine losing(int transactions) {
    losing.set(transactions);
    return this;
  }

  /** Makes this statement of each transaction end only when it is cancelled. */
  public FaultyEngine hanging(int step) {
    hangingAt = step;
    return this;
  }

  /** Waits until a statement hangs. */
  public void awaitHanging() {
    await(hanging);
  }

  /** Waits until a transaction has ended. */
  public void awaitEnd() {
    await(ended);
  }

  /** The number of committed transactions. */
  public int commits() {
    return commits.get();
  }

  private static void await(CountDownLatch latch) {
    try {
      if (!latch.await(30, TimeUnit.SECONDS)) {
        throw new IllegalStateException("it did not come");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /** The number of transactions that have neither been committed nor rolled back. */
  public int openTransactions() {
    return open.get();
  }

  /** The number of transactions begun. */
  public int transactions() {
    return begun.get();
  }

  /** The number of statements executed in transactions. */
  public int statements() {
    return statements.get();
  }

  private EvitaException failure() {
    return new EvitaException(code, "failed on demand");
  }

  @Override
  public Prepared prepare(Operation operation) {
    return new WatchedPrepared(super.prepare(operation));
  }

  @Override
  public CompletionStage<Transaction> begin(TransactionOptions options) {
    if (failing == 0) {
      return CompletableFuture.failedFuture(failure());
    }
    return super.begin(options)
        .thenApply(transaction -> {
          open.incrementAndGet();
          begun.incrementAndGet();
          return new WatchedTransaction(transaction);
        });
  }

  private final class WatchedTransaction implements Transaction {
    private final Transaction transaction;
    private final AtomicInteger step = new AtomicInteger();
    private boolean ended;

    WatchedTransaction(Transaction transaction) {
      this.transaction = transaction;
    }

    @Override
    public TransactionOptions options() {
      return transaction.options();
    }

    @Override
    public CompletionStage<Void> commit() {
      if (failing == COMMIT) {
        return rollback().thenCompose(done -> CompletableFuture.<Void>failedFuture(failure()));
      }
      if (losing.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
        var lost = new EvitaException(ErrorCode.SERIALIZATION_FAILURE, "lost on demand");
        return rollback().thenCompose(done -> CompletableFuture.<Void>failedFuture(lost));
      }
      commits.incrementAndGet();
      end();
      return transaction.commit();
    }

    @Override
    public CompletionStage<Void> checkConstraints() {
      return transaction.checkConstraints();
    }

    @Override
    public CompletionStage<Void> rollback() {
      end();
      return transaction.rollback();
    }

    private void end() {
      if (!ended) {
        ended = true;
        open.decrementAndGet();
        FaultyEngine.this.ended.countDown();
      }
    }

    @Override
    public void abandon() {
      transaction.abandon();
    }

    @Override
    public CompletionStage<Savepoint> savepoint() {
      return transaction.savepoint();
    }
  }

  private final class WatchedPrepared extends ForwardingPrepared {

    WatchedPrepared(Prepared prepared) {
      super(prepared);
    }

    @Override
    public void run(Arguments arguments, @Nullable Transaction transaction, RowSink sink) {
      if (!(transaction instanceof WatchedTransaction watched)) {
        super.run(arguments, transaction, sink);
        return;
      }
      statements.incrementAndGet();
      var step = watched.step.incrementAndGet();
      if (step == failing) {
        sink.failed(failure());
      } else if (step == hangingAt) {
        sink.started(new Hanging(sink));
        hanging.countDown();
      } else {
        super.run(arguments, watched.transaction, sink);
      }
    }
  }

  /** A statement that waits forever for a lock. */
  private record Hanging(RowSink sink, AtomicInteger cancels) implements Execution {

    Hanging(RowSink sink) {
      this(sink, new AtomicInteger());
    }

    @Override
    public RowShape shape() {
      return RowShape.NONE;
    }

    @Override
    public int statements() {
      return 1;
    }

    @Override
    public void resume() {}

    @Override
    public void cancel(ErrorCode reason) {
      if (cancels.incrementAndGet() == 1) {
        sink.failed(new EvitaException(reason, "cancelled"));
      }
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.evita.api.testkit;

import dev.evita.api.Arguments;
import dev.evita.api.Engine;
import dev.evita.api.Operation;
import dev.evita.api.Prepared;
import dev.evita.api.RowSink;
import dev.evita.api.Transaction;
import dev.evita.api.TransactionOptions;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Holds executions back until it is released, as a busy database would. Closes the engine. */
public final class HeldEngine extends ForwardingEngine {

  private final Semaphore gate = new Semaphore(Integer.MAX_VALUE);
  private final AtomicInteger executions = new AtomicInteger();
  private final AtomicInteger transactions = new AtomicInteger();

  /** Wraps an engine; holds nothing back yet. */
  public HeldEngine(Engine engine) {
    super(engine);
  }

  /** Holds back all executions that begin from now on. */
  public void hold() {
    gate.drainPermits();
  }

  /** Lets all executions go on. */
  public void release() {
    gate.release(Integer.MAX_VALUE - gate.availablePermits());
  }

  /** The number of executions that have begun. */
  public int executions() {
    return executions.get();
  }

  /** The number of transactions that have begun. */
  public int transactions() {
    return transactions.get();
  }

  @Override
  public CompletionStage<Transaction> begin(TransactionOptions options) {
    transactions.incrementAndGet();
    return super.begin(options);
  }

  @Override
  public Prepared prepare(Operation operation) {
    return new HeldPrepared(super.prepare(operation));
  }

  private final class HeldPrepared extends ForwardingPrepared {

    HeldPrepared(Prepared prepared) {
      super(prepared);
    }

    @Override
    public boolean bounded(Arguments arguments) {
      return false; // an execution that is held must not occupy an I/O thread
    }

    @Override
    public void run(Arguments arguments, @Nullable Transaction transaction, RowSink sink) {
      executions.incrementAndGet();
      gate.acquireUninterruptibly();
      gate.release();
      super.run(arguments, transaction, sink);
    }
  }
}

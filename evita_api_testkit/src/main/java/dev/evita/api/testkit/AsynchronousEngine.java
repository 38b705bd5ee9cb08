// SPDX-License-Identifier: Apache-2.0
package dev.evita.api.testkit;

import dev.evita.api.Arguments;
import dev.evita.api.Capability;
import dev.evita.api.Demand;
import dev.evita.api.Engine;
import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import dev.evita.api.Execution;
import dev.evita.api.Operation;
import dev.evita.api.Prepared;
import dev.evita.api.Row;
import dev.evita.api.RowShape;
import dev.evita.api.RowSink;
import dev.evita.api.Transaction;
import dev.evita.api.TransactionOptions;
import java.util.EnumSet;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Makes an engine that answers on the calling thread answer later, on a thread of its own, as a
 * distributed engine does. For tests of callers, which must be right for both kinds.
 *
 * <p>It closes the engine that it stands over.
 */
public final class AsynchronousEngine extends ForwardingEngine {

  private final Executor threads =
      Executors.newCachedThreadPool(task -> {
        var thread = new Thread(task, "later");
        thread.setDaemon(true);
        return thread;
      });

  /** Stands over an engine from now on. */
  public AsynchronousEngine(Engine engine) {
    super(engine);
  }

  @Override
  public String name() {
    return super.name() + ", later";
  }

  @Override
  public Set<Capability> capabilities() {
    var capabilities = EnumSet.noneOf(Capability.class);
    capabilities.addAll(super.capabilities());
    capabilities.remove(Capability.IN_PROCESS);
    return capabilities;
  }

  @Override
  public Prepared prepare(Operation operation) {
    return new LaterPrepared(super.prepare(operation));
  }

  @Override
  public CompletionStage<Transaction> begin(TransactionOptions options) {
    return later(() -> super.begin(options)).thenApply(LaterTransaction::new);
  }

  private <T> CompletionStage<T> later(Supplier<CompletionStage<T>> step) {
    return CompletableFuture.supplyAsync(step, threads).thenCompose(Function.identity());
  }

  private final class LaterTransaction implements Transaction {

    private final Transaction transaction;

    LaterTransaction(Transaction transaction) {
      this.transaction = transaction;
    }

    @Override
    public TransactionOptions options() {
      return transaction.options();
    }

    @Override
    public CompletionStage<Void> commit() {
      return later(transaction::commit);
    }

    @Override
    public CompletionStage<Void> checkConstraints() {
      return later(transaction::checkConstraints);
    }

    @Override
    public CompletionStage<Void> rollback() {
      return later(transaction::rollback);
    }

    @Override
    public void abandon() {
      transaction.abandon();
    }

    @Override
    public CompletionStage<Savepoint> savepoint() {
      return later(transaction::savepoint);
    }
  }

  private final class LaterPrepared extends ForwardingPrepared {

    LaterPrepared(Prepared prepared) {
      super(prepared);
    }

    @Override
    public boolean bounded(Arguments arguments) {
      return false;
    }

    @Override
    public void run(Arguments arguments, @Nullable Transaction transaction, RowSink sink) {
      var own = transaction instanceof LaterTransaction later ? later.transaction : transaction;
      var run = new LaterRun(sink);
      run.drive(() -> super.run(arguments, own, run));
    }
  }

  /** Between engine and sink: resumes on a thread of its own, and never while the engine runs. */
  private final class LaterRun implements RowSink, Execution {

    private final RowSink sink;
    private @Nullable Execution execution;
    private boolean running;
    private boolean resumed;

    LaterRun(RowSink sink) {
      this.sink = sink;
    }

    void drive(Runnable step) {
      synchronized (this) {
        if (running) {
          resumed = true;
          return;
        }
        running = true;
      }
      threads.execute(() -> {
        step.run();
        while (goesOn()) {
          execution().resume();
        }
      });
    }

    private synchronized boolean goesOn() {
      running = resumed;
      resumed = false;
      return running;
    }

    private synchronized Execution execution() {
      return Objects.requireNonNull(execution, "the engine did not call started");
    }

    @Override
    public void started(Execution started) {
      synchronized (this) {
        execution = started;
      }
      sink.started(this);
    }

    @Override
    public Demand row(Row row) {
      return sink.row(row);
    }

    @Override
    public int maxHeldRows() {
      return sink.maxHeldRows();
    }

    @Override
    public void completed(long affected) {
      sink.completed(affected);
    }

    @Override
    public void failed(EvitaException failure) {
      sink.failed(failure);
    }

    @Override
    public RowShape shape() {
      return execution().shape();
    }

    @Override
    public int statements() {
      return execution().statements();
    }

    @Override
    public void resume() {
      drive(() -> execution().resume());
    }

    @Override
    public void cancel(ErrorCode reason) {
      execution().cancel(reason);
    }
  }
}

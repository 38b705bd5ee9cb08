// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.graphql;

import dev.evita.api.Arguments;
import dev.evita.api.Capability;
import dev.evita.api.Catalog;
import dev.evita.api.CommitListener;
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
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Stands over an engine, and lets a test say what becomes of its runs. Closes it. */
record InterceptedEngine(Engine engine, Interceptor interceptor, CountDownLatch ran)
    implements Engine {

  InterceptedEngine(Engine engine, Interceptor interceptor) {
    this(engine, interceptor, new CountDownLatch(1));
  }

  /** Its statements end only when they are cancelled, and then the engine fails. */
  static InterceptedEngine failingAtCancel(Engine engine) {
    return new InterceptedEngine(
        engine,
        (operation, sink) -> {
          sink.started(new Broken(sink));
          return true;
        });
  }

  /** Waits until something has been run. */
  void awaitRun() throws InterruptedException {
    if (!ran.await(30, TimeUnit.SECONDS)) {
      throw new AssertionError("nothing was run");
    }
  }

  /** Answers a run instead of the engine. */
  @FunctionalInterface
  interface Interceptor {

    /** Whether it has told the sink, or will; if not, the engine runs it. */
    boolean run(Operation operation, RowSink sink);
  }

  @Override
  public String name() {
    return engine.name();
  }

  @Override
  public Set<Capability> capabilities() {
    return engine.capabilities();
  }

  @Override
  public Catalog catalog() {
    return engine.catalog();
  }

  @Override
  public Catalog refresh() {
    return engine.refresh();
  }

  @Override
  public Prepared prepare(Operation operation) {
    return new Intercepted(engine.prepare(operation), this);
  }

  @Override
  public CompletionStage<Transaction> begin(TransactionOptions options) {
    return engine.begin(options);
  }

  @Override
  public Registration watch(CommitListener listener) {
    return engine.watch(listener);
  }

  @Override
  public void close() {
    engine.close();
  }

  private record Intercepted(Prepared prepared, InterceptedEngine by) implements Prepared {

    @Override
    public Operation operation() {
      return prepared.operation();
    }

    @Override
    public RowShape shape() {
      return prepared.shape();
    }

    @Override
    public boolean bounded(Arguments arguments) {
      return prepared.bounded(arguments);
    }

    @Override
    public void run(Arguments arguments, @Nullable Transaction transaction, RowSink sink) {
      if (!by.interceptor.run(operation(), sink)) {
        prepared.run(arguments, transaction, sink);
      }
      by.ran.countDown();
    }
  }

  private record Broken(RowSink sink) implements Execution {
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
      sink.failed(new EvitaException(reason, "cancelled"));
      throw new IllegalStateException("failed on demand");
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.graphql;

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
import dev.evita.api.testkit.ForwardingEngine;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Wraps an engine; a test may intercept its executions. Closes the engine. */
public final class InterceptedEngine extends ForwardingEngine {

  private final Interceptor interceptor;
  private final CountDownLatch ran = new CountDownLatch(1);

  public InterceptedEngine(Engine engine, Interceptor interceptor) {
    super(engine);
    this.interceptor = interceptor;
  }

  /** Its statements end only when they are cancelled, and then the engine fails. */
  public static InterceptedEngine failingAtCancel(Engine engine) {
    return new InterceptedEngine(
        engine,
        (operation, sink) -> {
          sink.started(new Broken(sink));
          return true;
        });
  }

  /** Waits until something has been run. */
  public void awaitRun() throws InterruptedException {
    if (!ran.await(30, TimeUnit.SECONDS)) {
      throw new AssertionError("nothing was run");
    }
  }

  /** Replaces an execution of the engine. */
  @FunctionalInterface
  public interface Interceptor {

    /** Whether it has notified the sink, or will; if not, the engine executes it. */
    boolean run(Operation operation, RowSink sink);
  }

  @Override
  public Prepared prepare(Operation operation) {
    return new Intercepted(super.prepare(operation));
  }

  private final class Intercepted extends ForwardingPrepared {

    Intercepted(Prepared prepared) {
      super(prepared);
    }

    @Override
    public void run(Arguments arguments, @Nullable Transaction transaction, RowSink sink) {
      if (!interceptor.run(operation(), sink)) {
        super.run(arguments, transaction, sink);
      }
      ran.countDown();
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

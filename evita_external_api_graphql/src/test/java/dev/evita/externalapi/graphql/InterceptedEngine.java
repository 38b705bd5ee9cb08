// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.graphql;

import dev.evita.api.Arguments;
import dev.evita.api.Capability;
import dev.evita.api.Catalog;
import dev.evita.api.CommitListener;
import dev.evita.api.Engine;
import dev.evita.api.Operation;
import dev.evita.api.Prepared;
import dev.evita.api.RowShape;
import dev.evita.api.RowSink;
import dev.evita.api.Transaction;
import dev.evita.api.TransactionOptions;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** Stands over an engine, and lets a test say what becomes of its runs. Closes it. */
record InterceptedEngine(Engine engine, Interceptor interceptor) implements Engine {

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
    return new Intercepted(engine.prepare(operation), interceptor);
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

  private record Intercepted(Prepared prepared, Interceptor interceptor) implements Prepared {

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
      if (!interceptor.run(operation(), sink)) {
        prepared.run(arguments, transaction, sink);
      }
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.evita.api.testkit;

import dev.evita.api.Arguments;
import dev.evita.api.Capability;
import dev.evita.api.Catalog;
import dev.evita.api.CommitListener;
import dev.evita.api.Engine;
import dev.evita.api.Health;
import dev.evita.api.Operation;
import dev.evita.api.Prepared;
import dev.evita.api.RowShape;
import dev.evita.api.RowSink;
import dev.evita.api.StatementPlan;
import dev.evita.api.Transaction;
import dev.evita.api.TransactionOptions;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** Wraps an engine and delegates all calls; subclasses override some of them. Closes the engine. */
public abstract class ForwardingEngine implements Engine {

  private final Engine engine;

  /** Wraps an engine. */
  protected ForwardingEngine(Engine engine) {
    this.engine = engine;
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
    return engine.prepare(operation);
  }

  @Override
  public List<StatementPlan> explain(Operation operation, Arguments arguments) {
    return engine.explain(operation, arguments);
  }

  @Override
  public CompletionStage<Transaction> begin(TransactionOptions options) {
    return engine.begin(options);
  }

  @Override
  public Health health() {
    return engine.health();
  }

  @Override
  public boolean writesOneAtATime() {
    return engine.writesOneAtATime();
  }

  @Override
  public int waiting() {
    return engine.waiting();
  }

  @Override
  public Registration watch(CommitListener listener) {
    return engine.watch(listener);
  }

  @Override
  public void close() {
    engine.close();
  }

  /** The same for prepared operations. */
  public abstract static class ForwardingPrepared implements Prepared {

    private final Prepared prepared;

    /** Wraps a prepared operation. */
    protected ForwardingPrepared(Prepared prepared) {
      this.prepared = prepared;
    }

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
      prepared.run(arguments, transaction, sink);
    }
  }
}

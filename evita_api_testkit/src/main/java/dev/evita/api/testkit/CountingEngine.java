// SPDX-License-Identifier: Apache-2.0
package dev.evita.api.testkit;

import dev.evita.api.Arguments;
import dev.evita.api.Capability;
import dev.evita.api.Catalog;
import dev.evita.api.CommitListener;
import dev.evita.api.Engine;
import dev.evita.api.Operation;
import dev.evita.api.Prepared;
import dev.evita.api.RowShape;
import dev.evita.api.RowSink;
import dev.evita.api.Select;
import dev.evita.api.Transaction;
import dev.evita.api.TransactionOptions;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Stands over an engine and counts what is run. Closes it.
 *
 * @param selects how many selects
 * @param operations how many operations of any kind
 */
public record CountingEngine(Engine engine, AtomicInteger selects, AtomicInteger operations)
    implements Engine {

  /** Begins to count. */
  public CountingEngine(Engine engine) {
    this(engine, new AtomicInteger(), new AtomicInteger());
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
    return new Counted(engine.prepare(operation), this);
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

  private record Counted(Prepared prepared, CountingEngine counts) implements Prepared {

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
      counts.operations.incrementAndGet();
      if (operation() instanceof Select) {
        counts.selects.incrementAndGet();
      }
      prepared.run(arguments, transaction, sink);
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.evita.api.testkit;

import dev.evita.api.Arguments;
import dev.evita.api.Engine;
import dev.evita.api.Operation;
import dev.evita.api.Prepared;
import dev.evita.api.RowSink;
import dev.evita.api.Select;
import dev.evita.api.Transaction;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Wraps an engine and counts executions. Closes it. */
public final class CountingEngine extends ForwardingEngine {

  private final AtomicInteger selects = new AtomicInteger();
  private final AtomicInteger operations = new AtomicInteger();

  /** Starts counting. */
  public CountingEngine(Engine engine) {
    super(engine);
  }

  /** The number of executed selects. */
  public AtomicInteger selects() {
    return selects;
  }

  /** The number of executed operations of any kind. */
  public AtomicInteger operations() {
    return operations;
  }

  @Override
  public Prepared prepare(Operation operation) {
    return new Counted(super.prepare(operation));
  }

  private final class Counted extends ForwardingPrepared {

    Counted(Prepared prepared) {
      super(prepared);
    }

    @Override
    public void run(Arguments arguments, @Nullable Transaction transaction, RowSink sink) {
      operations.incrementAndGet();
      if (operation() instanceof Select) {
        selects.incrementAndGet();
      }
      super.run(arguments, transaction, sink);
    }
  }
}

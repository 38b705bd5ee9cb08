// SPDX-License-Identifier: Apache-2.0
package dev.evita.server;

import dev.evita.api.Arguments;
import dev.evita.api.Demand;
import dev.evita.api.Engine;
import dev.evita.api.EvitaException;
import dev.evita.api.Operation;
import dev.evita.api.Prepared;
import dev.evita.api.Row;
import dev.evita.api.RowSink;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/** Runs operations whose rows nobody wants, and waits for their end: for start-up only. */
final class BlockingExecution {

  private BlockingExecution() {}

  static void run(Engine engine, Operation operation, Arguments arguments) {
    run(engine.prepare(operation), arguments);
  }

  static void run(Prepared prepared, Arguments arguments) {
    var sink = new EndOnly();
    prepared.run(arguments, null, sink);
    try {
      sink.end.join();
    } catch (CompletionException e) {
      throw EvitaException.from(e);
    }
  }

  private static final class EndOnly implements RowSink {
    private final CompletableFuture<Long> end = new CompletableFuture<>();

    @Override
    public Demand row(Row row) {
      return Demand.MORE;
    }

    @Override
    public void completed(long affected) {
      end.complete(affected);
    }

    @Override
    public void failed(EvitaException failure) {
      end.completeExceptionally(failure);
    }
  }
}

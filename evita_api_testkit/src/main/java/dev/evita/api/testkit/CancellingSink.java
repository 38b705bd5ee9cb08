// SPDX-License-Identifier: Apache-2.0
package dev.evita.api.testkit;

import dev.evita.api.Demand;
import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import dev.evita.api.Execution;
import dev.evita.api.Row;
import dev.evita.api.RowSink;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

/** Cancels its run as soon as that begins. */
final class CancellingSink implements RowSink {

  private final CompletableFuture<ErrorCode> end = new CompletableFuture<>();
  private final AtomicInteger rows = new AtomicInteger();

  @Override
  public void started(Execution execution) {
    execution.cancel(ErrorCode.SHUTTING_DOWN);
  }

  @Override
  public Demand row(Row row) {
    rows.incrementAndGet();
    return Demand.MORE;
  }

  @Override
  public void completed(long affected) {
    end.completeExceptionally(new AssertionError("completed after " + rows + " rows"));
  }

  @Override
  public void failed(EvitaException failure) {
    end.complete(failure.code());
  }

  void await() {
    EngineDriver.await(end);
  }

  ErrorCode code() {
    return EngineDriver.await(end);
  }

  int rows() {
    return rows.get();
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.evita.api.testkit;

import dev.evita.api.Demand;
import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import dev.evita.api.Execution;
import dev.evita.api.Row;
import dev.evita.api.RowSink;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Cancels its execution as soon as that begins, or with its first row, and then stops. */
final class CancellingSink implements RowSink {

  private final CompletableFuture<EvitaException.Code> end = new CompletableFuture<>();
  private final AtomicInteger rows = new AtomicInteger();
  private final boolean withRow;
  private @Nullable Execution execution;

  CancellingSink(boolean withRow) {
    this.withRow = withRow;
  }

  @Override
  public void started(Execution execution) {
    this.execution = execution;
    if (!withRow) {
      execution.cancel(ErrorCode.SHUTTING_DOWN);
    }
  }

  @Override
  public Demand row(Row row) {
    rows.incrementAndGet();
    if (withRow) {
      Objects.requireNonNull(execution).cancel(ErrorCode.SHUTTING_DOWN);
      return Demand.STOP;
    }
    return Demand.MORE;
  }

  @Override
  public void completed(long affected) {
    if (withRow) {
      end.complete(ErrorCode.SHUTTING_DOWN); // the cancellation came too late
    } else {
      end.completeExceptionally(new AssertionError("completed after " + rows + " rows"));
    }
  }

  @Override
  public void failed(EvitaException failure) {
    end.complete(failure.code());
  }

  void await() {
    EngineDriver.await(end);
  }

  EvitaException.Code code() {
    return EngineDriver.await(end);
  }

  int rows() {
    return rows.get();
  }
}

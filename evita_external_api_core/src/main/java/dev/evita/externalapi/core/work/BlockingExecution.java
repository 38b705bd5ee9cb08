// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core.work;

import dev.evita.api.Arguments;
import dev.evita.api.Demand;
import dev.evita.api.EvitaException;
import dev.evita.api.Execution;
import dev.evita.api.Prepared;
import dev.evita.api.Row;
import dev.evita.api.RowSink;
import dev.evita.api.Transaction;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Executes an operation and waits for its end, on a thread that may block. */
public final class BlockingExecution implements RowSink {

  private final CompletableFuture<Long> end = new CompletableFuture<>();
  private final Scope scope;
  private final Consumer<Row> rows;
  private @Nullable RuntimeException failure;

  /**
   * The surroundings of an execution.
   *
   * @param transaction null for autocommit
   * @param started is passed the execution, which may be cancelled
   * @param maxHeldRows see {@link RowSink#maxHeldRows}
   */
  public record Scope(
      @Nullable Transaction transaction, Consumer<Execution> started, int maxHeldRows) {

    private static final Scope AUTOCOMMIT = new Scope(null, execution -> {}, Integer.MAX_VALUE);
  }

  private BlockingExecution(Scope scope, Consumer<Row> rows) {
    this.scope = scope;
    this.rows = rows;
  }

  /** Executes in autocommit; see the other method. */
  public static long run(Prepared prepared, Arguments arguments, Consumer<Row> rows) {
    return run(prepared, arguments, Scope.AUTOCOMMIT, rows);
  }

  /**
   * Executes.
   *
   * @param rows is passed each row, on a thread of the engine; what it throws ends the execution
   * @return see {@link RowSink#completed}
   * @throws EvitaException of the engine
   */
  public static long run(Prepared prepared, Arguments arguments, Scope scope, Consumer<Row> rows) {
    var sink = new BlockingExecution(scope, rows);
    prepared.run(arguments, scope.transaction(), sink);
    try {
      return sink.end.join();
    } catch (CompletionException e) {
      throw EvitaException.from(e);
    }
  }

  @Override
  public void started(Execution execution) {
    scope.started().accept(execution);
  }

  @Override
  public int maxHeldRows() {
    return scope.maxHeldRows();
  }

  @Override
  public Demand row(Row row) {
    try {
      rows.accept(row);
      return Demand.MORE;
    } catch (RuntimeException e) {
      failure = e;
      return Demand.STOP;
    }
  }

  @Override
  public void completed(long affected) {
    var problem = failure;
    if (problem == null) {
      end.complete(affected);
    } else {
      end.completeExceptionally(problem);
    }
  }

  @Override
  public void failed(EvitaException problem) {
    end.completeExceptionally(problem);
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.graphql;

import dev.evita.api.Arguments;
import dev.evita.api.Call;
import dev.evita.api.Capability;
import dev.evita.api.Catalog;
import dev.evita.api.Engine;
import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import dev.evita.api.Execution;
import dev.evita.api.Operation;
import dev.evita.api.Prepared;
import dev.evita.api.RowShape;
import dev.evita.api.RowSink;
import dev.evita.api.Select;
import dev.evita.api.TableName;
import dev.evita.api.Transaction;
import dev.evita.api.TransactionOptions;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Reads of tables that are lists, and calls that echo their argument: slow, plain, and able to
 * respond later or to fail in the middle, which a real engine does not do on demand.
 */
public final class MemoryEngine implements Engine {

  private static final Set<Capability> CAPABILITIES =
      Set.copyOf(
          EnumSet.complementOf(
              EnumSet.of(
                  Capability.IN_PROCESS,
                  Capability.WATCH,
                  Capability.REGULAR_EXPRESSIONS,
                  Capability.ARRAYS,
                  Capability.JSON_CONTAINMENT)));

  private final Catalog catalog;
  private final Map<TableName, List<Map<String, @Nullable Object>>> rows = new HashMap<>();
  private final AtomicInteger prepared = new AtomicInteger();
  private Executor executor = Runnable::run;
  private boolean bounded = true;
  private int failAfter = Integer.MAX_VALUE;

  public MemoryEngine(Catalog catalog) {
    this.catalog = catalog;
  }

  MemoryEngine add(TableName table, Map<String, @Nullable Object> row) {
    rows.computeIfAbsent(table, name -> new ArrayList<>()).add(row);
    return this;
  }

  public List<Map<String, @Nullable Object>> rows(TableName table) {
    return rows.getOrDefault(table, List.of());
  }

  /** Executes on this executor's threads. */
  public MemoryEngine answeringOn(Executor threads) {
    this.executor = threads;
    this.bounded = false;
    return this;
  }

  /** Fails each run after so many rows. */
  MemoryEngine failingAfter(int count) {
    this.failAfter = count;
    return this;
  }

  /** How many operations were compiled. */
  public int preparations() {
    return prepared.get();
  }

  @Override
  public String name() {
    return "memory";
  }

  @Override
  public Set<Capability> capabilities() {
    return CAPABILITIES;
  }

  @Override
  public Catalog catalog() {
    return catalog;
  }

  @Override
  public Catalog refresh() {
    return catalog;
  }

  @Override
  public Prepared prepare(Operation operation) {
    prepared.incrementAndGet();
    return new Compiled(operation);
  }

  @Override
  public CompletionStage<Transaction> begin(TransactionOptions options) {
    return CompletableFuture.completedFuture(new Nothing(options));
  }

  @Override
  public void close() {}

  private List<MemoryRow> evaluate(Operation operation, Arguments arguments) {
    return switch (operation) {
      case Select select -> new MemorySelect(rows, arguments).rows(select);
      case Call call -> {
        var values = new Object[call.outputs().size()];
        call.arguments().values().stream()
            .findFirst()
            .ifPresent(argument -> java.util.Arrays.fill(values, arguments.get(argument)));
        yield List.of(new MemoryRow(values));
      }
      default -> throw new IllegalArgumentException("not a read: " + operation);
    };
  }

  /** A transaction of reads and echoes, which leave nothing to undo. */
  private record Nothing(TransactionOptions options) implements Transaction {

    @Override
    public CompletionStage<Void> commit() {
      return CompletableFuture.completedFuture(null);
    }

    @Override
    public CompletionStage<Void> rollback() {
      return CompletableFuture.completedFuture(null);
    }

    @Override
    public CompletionStage<Savepoint> savepoint() {
      return CompletableFuture.failedFuture(
          new EvitaException(ErrorCode.UNSUPPORTED_OPERATION, "memory has no savepoints"));
    }
  }

  private final class Compiled implements Prepared {
    private final Operation operation;

    Compiled(Operation operation) {
      this.operation = operation;
    }

    @Override
    public Operation operation() {
      return operation;
    }

    @Override
    public RowShape shape() {
      return RowShape.NONE;
    }

    @Override
    public boolean bounded(Arguments arguments) {
      return bounded;
    }

    @Override
    public void run(Arguments arguments, @Nullable Transaction transaction, RowSink sink) {
      var running = new Running(sink, evaluate(operation, arguments));
      executor.execute(() -> {
        sink.started(running);
        running.push();
      });
    }
  }

  private final class Running implements Execution {
    private final RowSink sink;
    private final List<MemoryRow> left;
    private int given;

    Running(RowSink sink, List<MemoryRow> left) {
      this.sink = sink;
      this.left = left;
    }

    void push() {
      while (given < left.size()) {
        if (given == failAfter) {
          sink.failed(new EvitaException(ErrorCode.DATABASE_ERROR, "The database failed"));
          return;
        }
        switch (sink.row(left.get(given++))) {
          case MORE -> {}
          case PAUSE -> {
            return;
          }
          case STOP -> {
            sink.completed(given);
            return;
          }
        }
      }
      sink.completed(given);
    }

    @Override
    public RowShape shape() {
      return RowShape.NONE;
    }

    @Override
    public int statements() {
      return 1;
    }

    @Override
    public void resume() {
      executor.execute(this::push);
    }

    @Override
    public void cancel(ErrorCode reason) {}
  }
}

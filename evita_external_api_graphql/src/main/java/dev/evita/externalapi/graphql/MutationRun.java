// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.graphql;

import dev.evita.api.Demand;
import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import dev.evita.api.Execution;
import dev.evita.api.Row;
import dev.evita.api.RowShape;
import dev.evita.api.RowSink;
import dev.evita.api.Transaction;
import dev.evita.api.TransactionOptions;
import dev.evita.externalapi.core.Exchange;
import dev.evita.externalapi.core.JsonWriter;
import dev.evita.externalapi.core.ResponseBody;
import dev.evita.externalapi.core.Statements;
import graphql.language.SourceLocation;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One mutation: its root fields one after another, in one transaction, which it owns.
 *
 * <pre>
 *             .---------- next statement ----------.
 *             v                                    |
 *   begin -> RUNNING -- ended on this stack --> ENDED ---- no statement left ---> commit -> answer
 *               |                                  |                                |
 *               '-- returned --> RETURNED -- ends  |                                | failed
 *                                            later-'---- failure, cancel ---> rollback -> errors
 * </pre>
 *
 * <p>It waits for nobody: whatever the engine answers later, goes on from the engine's thread. The
 * answer is written before the commit and leaves after it. For the server, the whole of it is one
 * {@link Execution}: a cancel reaches the statement that runs, or is seen before the next one.
 */
final class MutationRun implements RowSink, HeldAnswer, Execution, Runnable {

  private enum State {
    RUNNING,
    ENDED,
    RETURNED
  }

  private final Exchange exchange;
  private final Outlet outlet;
  private final Statements statements;
  private final Variant variant;
  private final List<MutationWork> works;
  private final int maxRows;
  private final int maxHeldRows;
  private final long maxBytes;
  private final AtomicReference<State> state = new AtomicReference<>(State.ENDED);

  private @Nullable Transaction transaction;
  private MutationWork.@Nullable Statement statement;
  private @Nullable EvitaException failure;
  private int field;
  private int rows;
  private long bytes;
  private final AtomicInteger executed = new AtomicInteger();
  private volatile @Nullable Execution execution;
  private volatile @Nullable ErrorCode cancelled;

  /**
   * @param rows how many were counted before, towards the same limit
   */
  MutationRun(Exchange exchange, Outlet outlet, Statements statements, Planned planned, int rows) {
    this.exchange = exchange;
    this.outlet = outlet;
    this.statements = statements;
    this.variant = planned.variant();
    this.works = planned.works();
    this.rows = rows;
    this.maxRows = exchange.limits().maxRows();
    this.maxHeldRows = exchange.limits().maxHeldRows();
    this.maxBytes = exchange.limits().maxAnswerBytes();
  }

  @Override
  public void run() {
    exchange.started(this);
    var unused =
        attempt(() -> statements.begin(TransactionOptions.DEFAULT))
            .whenComplete((begun, problem) -> {
              if (problem == null) {
                transaction = begun;
                proceed();
              } else {
                answer(problem, null);
              }
            });
  }

  /** A stage that fails where asking for it fails. */
  private static <T> CompletionStage<T> attempt(Supplier<CompletionStage<T>> step) {
    try {
      return step.get();
    } catch (RuntimeException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  /** Runs statements until the engine answers later, or there are none left. */
  private void proceed() {
    do {
      var next = next();
      if (failure != null) {
        rollback(failure, null);
        return;
      }
      if (next == null) {
        finish();
        return;
      }
      state.set(State.RUNNING);
      start(next);
    } while (!state.compareAndSet(State.RUNNING, State.RETURNED));
  }

  private MutationWork.@Nullable Statement next() {
    try {
      var reason = cancelled;
      if (failure == null && reason != null) {
        failure = new EvitaException(reason, "The mutation was cancelled and undone");
      }
      while (failure == null && field < works.size()) {
        var next = works.get(field).next();
        if (next != null) {
          return next;
        }
        field++;
      }
    } catch (RuntimeException | StackOverflowError e) {
      failure = EvitaException.from(e);
    }
    return null;
  }

  private void start(MutationWork.Statement next) {
    statement = next;
    executed.incrementAndGet();
    try {
      next.prepared().run(next.arguments(), transaction, this);
    } catch (RuntimeException | StackOverflowError e) {
      if (statement != null) {
        failed(EvitaException.from(e));
      }
    }
  }

  @Override
  public void started(Execution running) {
    execution = running;
    var reason = cancelled;
    if (reason != null) {
      running.cancel(reason);
    }
  }

  @Override
  public int maxHeldRows() {
    return maxHeldRows;
  }

  @Override
  public Demand row(Row row) {
    try {
      current().row(row, this);
      return Demand.MORE;
    } catch (RuntimeException | StackOverflowError e) {
      failure = EvitaException.from(e);
      return Demand.STOP;
    }
  }

  private MutationWork.Statement current() {
    var running = statement;
    if (running == null) {
      throw new IllegalStateException("no statement runs");
    }
    return running;
  }

  /** All rows of the answer are held until the commit. */
  @Override
  public void count() {
    if (++rows > maxRows) {
      throw tooMany(maxRows, "max-rows");
    }
    if (rows > maxHeldRows) {
      throw tooMany(maxHeldRows, "max-held-rows");
    }
  }

  private static EvitaException tooMany(int limit, String key) {
    return new EvitaException(
        ErrorCode.TOO_MANY_ROWS,
        "The mutation answers more than "
            + limit
            + " rows, the limit of "
            + key
            + "; it was undone, ask for fewer");
  }

  @Override
  public void completed(long affected) {
    if (failure == null) {
      try {
        current().completed(affected);
      } catch (RuntimeException e) {
        failure = EvitaException.from(e);
      }
    }
    end();
  }

  @Override
  public void failed(EvitaException problem) {
    if (failure == null) {
      failure = problem;
    }
    end();
  }

  private void end() {
    execution = null;
    statement = null;
    if (!state.compareAndSet(State.RUNNING, State.ENDED)) {
      proceed();
    }
  }

  @Override
  public void hold(int more) {
    bytes += more;
    if (bytes > maxBytes) {
      throw new EvitaException(
          ErrorCode.ANSWER_TOO_LARGE,
          "The mutation answers more than "
              + maxBytes
              + " bytes, the limit of max-answer-bytes; it was undone, ask for less");
    }
  }

  /** All statements are done. The answer is complete before the commit, and leaves after it. */
  private void finish() {
    var body = outlet.open();
    var start = body.position();
    try {
      write(body.json());
    } catch (RuntimeException | StackOverflowError e) {
      body.rewind(start);
      rollback(e, body);
      return;
    }
    var unused =
        attempt(owned()::commit)
            .whenComplete((done, problem) -> {
              if (problem == null) {
                exchange.mustNotRestart();
                outlet.end(body, rows);
              } else {
                body.rewind(start);
                // By now it has ended and nothing is changed; an engine may still have to be told.
                rollback(problem, body);
              }
            });
  }

  private Transaction owned() {
    var open = transaction;
    if (open == null) {
      throw new IllegalStateException("no transaction was begun");
    }
    return open;
  }

  private void write(JsonWriter json) {
    json.raw("{\"data\":");
    for (int i = 0; i < works.size(); i++) {
      json.raw(variant.steps().get(i).before());
      works.get(i).write(json);
    }
    json.raw(variant.end());
    json.raw('}');
  }

  /**
   * @param body where the answer begins, if it was begun
   */
  private void rollback(Throwable problem, @Nullable ResponseBody body) {
    var unused =
        attempt(owned()::rollback).whenComplete((done, unimportant) -> answer(problem, body));
  }

  /** Null takes the place of all data: the fields before the one that failed are undone, too. */
  private void answer(Throwable failed, @Nullable ResponseBody begun) {
    var problem = EvitaException.from(failed);
    if (problem.code() == ErrorCode.CATALOG_CHANGED && exchange.restart()) {
      return;
    }
    var body = begun == null ? outlet.open() : begun;
    if (problem.code() == ErrorCode.CLIENT_GONE) {
      body.abort();
      return;
    }
    if (problem.code().category() == ErrorCode.Category.RESOURCES && outlet.refuse(body, problem)) {
      return;
    }
    outlet.failed(body);
    var step = field < works.size() ? variant.steps().get(field) : null;
    var at = step == null ? null : step.at();
    var error =
        GraphQlError.of(
            failed,
            at == null ? List.<SourceLocation>of() : List.of(at),
            step == null ? List.of() : List.copyOf(step.path()));
    var json = body.json();
    json.raw("{\"data\":null,");
    GraphQlError.write(json, List.of(error));
    json.raw('}');
    outlet.end(body, rows);
  }

  @Override
  public RowShape shape() {
    return RowShape.NONE;
  }

  @Override
  public int statements() {
    return executed.get();
  }

  /** Never paused: nothing leaves before all is done. */
  @Override
  public void resume() {}

  @Override
  public void cancel(ErrorCode reason) {
    if (cancelled == null) {
      cancelled = reason;
    }
    var running = execution;
    if (running != null) {
      running.cancel(reason);
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.evita.api.testkit.memory;

import dev.evita.api.Demand;
import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import dev.evita.api.Execution;
import dev.evita.api.RowShape;
import dev.evita.api.RowSink;
import java.util.Iterator;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Pushes rows into a sink, on the thread that runs or resumes it.
 *
 * <pre>
 * RUNNING -- row() returns PAUSE --> PAUSED -- resume() --> RUNNING
 * RUNNING -- last row, STOP, failure, cancel() --> ENDED      PAUSED -- cancel() --> ENDED
 * </pre>
 */
final class MemoryExecution implements Execution {

  /** The rows of an execution, found when it begins. */
  interface Source {
    /**
     * Reads or writes.
     *
     * @throws EvitaException if the statement fails
     */
    Result open();
  }

  /**
   * The rows to push.
   *
   * @param affected the number of rows that were written; -1 for reads
   */
  record Result(Iterator<@Nullable Object[]> rows, long affected) {}

  private enum State {
    RUNNING,
    PAUSED,
    ENDED
  }

  private final MemoryEngine engine;
  private final RowShape shape;
  private final RowSink sink;
  private final AtomicReference<State> state = new AtomicReference<>(State.RUNNING);
  private volatile @Nullable ErrorCode cancelled;
  private @Nullable Result result;
  private long pushed;

  MemoryExecution(MemoryEngine engine, RowShape shape, RowSink sink) {
    this.engine = engine;
    this.shape = shape;
    this.sink = sink;
  }

  void run(Source source) {
    engine.started(this);
    sink.started(this);
    if (cancelled == null) {
      try {
        result = source.open();
      } catch (EvitaException e) {
        fail(e);
        return;
      }
    }
    push();
  }

  private void push() {
    while (cancelled == null && result != null) {
      Demand demand;
      try {
        if (!result.rows().hasNext()) {
          break;
        }
        demand = sink.row(new MemoryRow(result.rows().next()));
      } catch (EvitaException e) {
        fail(e);
        return;
      }
      pushed++;
      if (demand == Demand.STOP) {
        break;
      }
      if (demand == Demand.PAUSE) {
        state.set(State.PAUSED);
        // A cancellation that came before may have found it running.
        if (cancelled == null || !state.compareAndSet(State.PAUSED, State.RUNNING)) {
          return;
        }
      }
    }
    end();
  }

  private void end() {
    var reason = cancelled;
    if (reason != null) {
      fail(new EvitaException(reason, "The execution was cancelled"));
    } else {
      state.set(State.ENDED);
      engine.ended(this);
      sink.completed(result == null || result.affected() < 0 ? pushed : result.affected());
    }
  }

  private void fail(EvitaException failure) {
    state.set(State.ENDED);
    engine.ended(this);
    sink.failed(failure);
  }

  @Override
  public RowShape shape() {
    return shape;
  }

  @Override
  public int statements() {
    return 1;
  }

  @Override
  public void resume() {
    if (state.compareAndSet(State.PAUSED, State.RUNNING)) {
      push();
    }
  }

  @Override
  public void cancel(ErrorCode reason) {
    synchronized (this) {
      if (cancelled != null) {
        return;
      }
      cancelled = reason;
    }
    if (state.compareAndSet(State.PAUSED, State.RUNNING)) {
      end();
    }
  }
}

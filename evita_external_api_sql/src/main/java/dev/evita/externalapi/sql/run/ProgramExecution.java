// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.sql.run;

import dev.evita.api.ErrorCode;
import dev.evita.api.Execution;
import dev.evita.api.RowShape;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The execution of a handler in Java. A cancellation reaches the query in progress; between
 * queries, code cannot be interrupted, so it is reported to its owner instead. Thread-safe.
 */
final class ProgramExecution implements Execution {

  private final BiConsumer<ProgramExecution, ErrorCode> cancelled;
  private @Nullable Execution query;
  private @Nullable ErrorCode reason;
  private int statements;
  private boolean ended;

  /**
   * @param cancelled receives this and the reason, once, while the handler runs
   */
  ProgramExecution(BiConsumer<ProgramExecution, ErrorCode> cancelled) {
    this.cancelled = cancelled;
  }

  /** A query of the handler begins. */
  void started(Execution next) {
    ErrorCode why;
    synchronized (this) {
      query = next;
      statements++;
      why = reason;
    }
    if (why != null) {
      next.cancel(why);
    }
  }

  /** The handler has returned. */
  synchronized void end() {
    ended = true;
  }

  /** Whether the handler has not returned yet. */
  synchronized boolean isRunning() {
    return !ended;
  }

  @Override
  public RowShape shape() {
    return RowShape.NONE;
  }

  @Override
  public synchronized int statements() {
    return statements;
  }

  @Override
  public void resume() {}

  @Override
  public void cancel(ErrorCode code) {
    Execution running;
    synchronized (this) {
      if (ended || reason != null) {
        return;
      }
      reason = code;
      running = query;
    }
    if (running != null) {
      running.cancel(code);
    }
    cancelled.accept(this, code);
  }
}

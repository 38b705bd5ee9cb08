// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core.work;

import java.util.concurrent.atomic.AtomicLongFieldUpdater;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Runs successive steps, each of which the engine may end at any time: before the call that began
 * the step returns, or later, on that thread or another. Many steps do not deepen the stack, and a
 * thread that does not return from a step blocks none of the following ones.
 *
 * <pre>
 * begin step n --ended on this stack----------> step n + 1, by this loop
 *      |   '-----ended on another thread------> step n + 1, by that thread; this loop ends
 *      '---returned ... ended, on any thread--> step n + 1, by that thread
 * </pre>
 *
 * <p>One step at a time: {@link #ended} is called once for each step that was begun.
 */
public final class StepLoop {

  private static final int ENDED = 1;
  private static final int RETURNED = 2;
  private static final int STATE_BITS = 2;

  private static final AtomicLongFieldUpdater<StepLoop> STATE =
      AtomicLongFieldUpdater.newUpdater(StepLoop.class, "state");

  private final BooleanSupplier step;
  private volatile @Nullable Thread thread;

  /** The number of the step, and its state. */
  private volatile long state = RETURNED;

  /**
   * @param step begins the next step; returns false if it did not, as there is none left, or it
   *     will be begun by {@link #run} later
   */
  public StepLoop(BooleanSupplier step) {
    this.step = step;
  }

  /** Begins steps until one is left to the engine, or none was begun. */
  public void run() {
    long running;
    do {
      running = ((state >> STATE_BITS) + 1) << STATE_BITS;
      thread = Thread.currentThread();
      state = running;
    } while (step.getAsBoolean() && endedHere(running));
  }

  private boolean endedHere(long running) {
    return !STATE.compareAndSet(this, running, running | RETURNED) && state == (running | ENDED);
  }

  /** The step has ended: begins the next one, by this call or by the loop that began the step. */
  @SuppressWarnings("ReferenceEquality") // compares identity
  public void ended() {
    var seen = state;
    var running = (seen & (ENDED | RETURNED)) == 0;
    if (running && thread == Thread.currentThread()) {
      state = seen | ENDED;
      return;
    }
    if (running) {
      // If this fails, the loop has returned from the step just now.
      STATE.compareAndSet(this, seen, seen | RETURNED);
    }
    run();
  }
}

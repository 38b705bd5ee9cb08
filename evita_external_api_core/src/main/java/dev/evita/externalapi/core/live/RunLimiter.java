// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core.live;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Limits the number of live queries and feeds that execute at one time; the others queue, each of
 * them once. So a commit that affects thousands of them neither fills the worker queue nor rejects
 * requests. Thread-safe.
 */
public final class RunLimiter {

  private final Deque<Runnable> waiting = new ArrayDeque<>();
  private final int mostAtOnce;
  private int running;

  RunLimiter(int mostAtOnce) {
    this.mostAtOnce = mostAtOnce;
  }

  /**
   * Runs a task once there is a free place, on this or another thread; {@link #done} must follow.
   */
  public void submit(Runnable start) {
    synchronized (this) {
      if (running == mostAtOnce) {
        waiting.add(start);
        return;
      }
      running++;
    }
    start.run();
  }

  /** Returns the place of a task that has ended. */
  public void done() {
    Runnable next;
    synchronized (this) {
      next = waiting.poll();
      if (next == null) {
        running--;
      }
    }
    if (next != null) {
      next.run();
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core.live;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Lets a few live queries and feeds run at a time; the others wait, each of them once. So a commit
 * that concerns thousands of them neither fills the queue for workers nor keeps requests out.
 * Thread-safe.
 */
public final class RunLimiter {

  private final Deque<Runnable> waiting = new ArrayDeque<>();
  private final int mostAtOnce;
  private int running;

  RunLimiter(int mostAtOnce) {
    this.mostAtOnce = mostAtOnce;
  }

  /** Runs this when it is its turn, on this or another thread; {@link #done} must follow. */
  public void ask(Runnable start) {
    synchronized (this) {
      if (running == mostAtOnce) {
        waiting.add(start);
        return;
      }
      running++;
    }
    start.run();
  }

  /** One that had its turn has ended. */
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

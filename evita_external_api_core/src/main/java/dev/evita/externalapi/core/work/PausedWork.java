// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core.work;

import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Work whose executions or transactions wait for slow consumers, in order of suspension, so that a
 * client that never reads cannot block the database for others. Thread-safe.
 */
final class PausedWork {

  private final int most;

  // Guarded by this.
  private final Set<Work> waiting = new LinkedHashSet<>();

  PausedWork(int most) {
    this.most = most;
  }

  /**
   * Adds work.
   *
   * @param now in nanoseconds, never 0
   * @return the longest-waiting work, to be aborted, if there is too much of it
   */
  synchronized @Nullable Work add(Work work, long now) {
    waiting.remove(work);
    work.pausedNanos(now == 0 ? 1 : now);
    waiting.add(work);
    return waiting.size() > most ? take() : null;
  }

  synchronized void remove(Work work) {
    waiting.remove(work);
    work.pausedNanos(0);
  }

  /**
   * Removes the longest-waiting work, to be aborted, if it was suspended at this time or earlier.
   */
  synchronized @Nullable Work takeEldest(long since) {
    return waiting.isEmpty() || waiting.iterator().next().pausedNanos() - since > 0 ? null : take();
  }

  private Work take() {
    var eldest = waiting.iterator().next();
    remove(eldest);
    return eldest;
  }
}

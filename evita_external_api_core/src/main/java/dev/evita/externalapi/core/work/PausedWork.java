// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core.work;

import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Work whose runs or transactions wait for their clients, in the order in which they began to, so
 * that one that never reads cannot keep the database from others. Thread-safe.
 */
final class PausedWork {

  private final int most;

  // Guarded by this.
  private final Set<Work> waiting = new LinkedHashSet<>();

  PausedWork(int most) {
    this.most = most;
  }

  /**
   * One more.
   *
   * @param now in nanoseconds, never 0
   * @return the one that has waited longest, to be ended, where there are too many
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

  /** The one that has waited longest, to be ended, if that is since then or earlier. */
  synchronized @Nullable Work takeEldest(long since) {
    return waiting.isEmpty() || waiting.iterator().next().pausedNanos() - since > 0 ? null : take();
  }

  private Work take() {
    var eldest = waiting.iterator().next();
    remove(eldest);
    return eldest;
  }
}

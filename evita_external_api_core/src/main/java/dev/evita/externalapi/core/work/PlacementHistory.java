// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core.work;

import java.util.concurrent.TimeUnit;

/**
 * What the dispatcher remembers of a compiled request: whether it may still run on an I/O thread.
 *
 * <p>"Bounded" is an estimate. A plan of which more than one run in ten holds an I/O thread too
 * long is demoted to worker threads: for a second at first, as a cold start or a starved machine
 * looks the same, and each time for twice as long, up to a minute.
 *
 * <p>Thread-safe; the counters are not exact, and lost updates do no harm.
 */
public final class PlacementHistory {

  private static final int FEWEST_STRIKES = 3;
  private static final int RUNS_PER_STRIKE = 10;
  private static final int WINDOW = 1_000;
  private static final long FIRST_DEMOTION = TimeUnit.SECONDS.toNanos(1);
  private static final long LONGEST_DEMOTION = TimeUnit.SECONDS.toNanos(60);

  private final String name;
  private int runs;
  private int strikes;
  private long demotion = FIRST_DEMOTION;
  private volatile boolean demoted;
  private volatile long demotedUntil;

  /**
   * @param name for the log
   */
  public PlacementHistory(String name) {
    this.name = name;
  }

  /**
   * @param now on the clock of {@link System#nanoTime}
   */
  boolean demoted(long now) {
    if (demoted && now - demotedUntil >= 0) {
      demoted = false;
    }
    return demoted;
  }

  /**
   * Counts a run on an I/O thread.
   *
   * @param overran whether it took longer than an I/O thread can spare
   * @return whether it is demoted from now on
   */
  boolean ran(long now, boolean overran) {
    if (++runs == WINDOW) {
      runs /= 2;
      strikes /= 2;
    }
    if (!overran || ++strikes < FEWEST_STRIKES || strikes * RUNS_PER_STRIKE < runs) {
      return false;
    }
    runs = 0;
    strikes = 0;
    demotedUntil = now + demotion;
    demotion = Math.min(2 * demotion, LONGEST_DEMOTION);
    demoted = true;
    return true;
  }

  @Override
  public String toString() {
    return name;
  }
}

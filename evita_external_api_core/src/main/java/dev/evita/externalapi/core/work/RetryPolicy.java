// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core.work;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/**
 * When a transaction that lost to another one (a deadlock, a serialization failure) is tried again:
 * up to {@link #MAX_ATTEMPTS} times within the deadline of its request, after a random part of a
 * pause that doubles each time. Of two that keep colliding, one so gets ahead of the other.
 *
 * <p>Used by one thread at a time.
 */
public final class RetryPolicy {

  static final int MAX_ATTEMPTS = 12;

  /** The answer of {@link #delayNanos} where it is not tried again. */
  public static final long NEVER = -1;

  private static final long FIRST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(2);
  private static final long LONGEST_PAUSE_NANOS = Duration.ofMillis(100).toNanos();

  private int attempts;

  /**
   * Counts a failed attempt.
   *
   * @param nowNanos the time on the clock of the deadline
   * @return how long to wait before the next attempt; {@link #NEVER} for no other
   */
  public long delayNanos(long nowNanos, long deadlineNanos) {
    attempts++;
    if (attempts >= MAX_ATTEMPTS) {
      return NEVER;
    }
    var longest = Math.min(FIRST_PAUSE_NANOS << (attempts - 1), LONGEST_PAUSE_NANOS);
    var delay = ThreadLocalRandom.current().nextLong(longest + 1);
    return nowNanos + delay - deadlineNanos < 0 ? delay : NEVER;
  }
}

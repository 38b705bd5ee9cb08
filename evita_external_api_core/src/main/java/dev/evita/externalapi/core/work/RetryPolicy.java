// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core.work;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/**
 * Retry with back-off for transactions that failed by a conflict (a deadlock, a serialization
 * failure): up to {@link #MAX_ATTEMPTS} attempts within the deadline of the request. The delay is a
 * random part of a maximum that doubles each time, so that of two colliding transactions one gets
 * ahead.
 *
 * <p>Used by one thread at a time.
 */
public final class RetryPolicy {

  static final int MAX_ATTEMPTS = 12;

  /** The result of {@link #delayNanos} if there is no further attempt. */
  public static final long NEVER = -1;

  private static final long FIRST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(2);
  private static final long LONGEST_PAUSE_NANOS = Duration.ofMillis(100).toNanos();

  private int attempts;

  /**
   * Counts a failed attempt.
   *
   * @param nowNanos the time on the clock of the deadline
   * @return the delay before the next attempt; {@link #NEVER} if there is none
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

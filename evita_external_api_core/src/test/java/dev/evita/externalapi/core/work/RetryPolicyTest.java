// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core.work;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Delays between the attempts of a conflicting transaction. */
final class RetryPolicyTest {

  private static final long FAR = TimeUnit.MINUTES.toNanos(1);

  @Test
  void delay_grows_isBounded_andEnds() {
    var policy = new RetryPolicy();
    for (int attempt = 1; attempt < RetryPolicy.MAX_ATTEMPTS; attempt++) {
      var longest = Math.min(2L << (attempt - 1), 100);
      assertThat(policy.delayNanos(0, FAR)).isBetween(0L, TimeUnit.MILLISECONDS.toNanos(longest));
    }
    assertThat(policy.delayNanos(0, FAR)).isEqualTo(RetryPolicy.NEVER);
  }

  @Test
  void delay_isRandom() {
    var seen = new java.util.HashSet<Long>();
    for (int i = 0; i < 100; i++) {
      seen.add(new RetryPolicy().delayNanos(0, FAR));
    }
    assertThat(seen).hasSizeGreaterThan(10);
  }

  @Test
  void delay_pastTheDeadline_isNever() {
    assertThat(new RetryPolicy().delayNanos(FAR, FAR)).isEqualTo(RetryPolicy.NEVER);
    assertThat(new RetryPolicy().delayNanos(FAR + 1, FAR)).isEqualTo(RetryPolicy.NEVER);
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core.work;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

final class PlacementHistoryTest {

  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

  private final PlacementHistory plan = new PlacementHistory("test");

  @Test
  void ran_overrunsAmongManyRuns_staysOnTheIoThread() {
    for (int i = 0; i < 100_000; i++) {
      assertThat(plan.ran(0, i % 50 == 0)).isFalse();
    }
    assertThat(plan.demoted(0)).isFalse();
  }

  @Test
  void ran_threeOverrunsOfThree_isDemotedForASecondThenTwo() {
    assertThat(plan.ran(0, true)).isFalse();
    assertThat(plan.ran(0, true)).isFalse();
    assertThat(plan.ran(0, true)).isTrue();
    assertThat(plan.demoted(SECOND - 1)).isTrue();
    assertThat(plan.demoted(SECOND)).isFalse();
    for (int i = 0; i < 3; i++) {
      plan.ran(SECOND, true);
    }
    assertThat(plan.demoted(3 * SECOND - 1)).isTrue();
    assertThat(plan.demoted(3 * SECOND)).isFalse();
  }

  @Test
  void ran_overAndOver_isNeverDemotedForLongerThanAMinute() {
    var now = 0L;
    for (int i = 0; i < 60; i++) {
      plan.ran(now, true);
      now = plan.demoted(now) ? now + 60 * SECOND : now;
      assertThat(plan.demoted(now)).isFalse();
    }
  }
}

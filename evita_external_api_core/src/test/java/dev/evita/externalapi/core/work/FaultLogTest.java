// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core.work;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import dev.evita.externalapi.core.LogRecords;
import org.junit.jupiter.api.Test;

final class FaultLogTest {

  private final FaultLog faults = new FaultLog(System::nanoTime);

  private static EvitaException failure(ErrorCode code) {
    return new EvitaException(code, "failed");
  }

  @Test
  void exhaustedPool_isLoggedOnceThenCounted() {
    try (var log = new LogRecords()) {
      for (int i = 0; i < 3; i++) {
        assertThat(faults.report(failure(ErrorCode.POOL_EXHAUSTED)).code())
            .isEqualTo(ErrorCode.POOL_EXHAUSTED);
      }
      faults.logCounts();
      assertThat(log.messages())
          .containsExactly(
              "WARNING POOL_EXHAUSTED: failed",
              "WARNING 2 more occurrences of POOL_EXHAUSTED: failed");
    }
  }

  @Test
  void deadline_isNotLogged() {
    try (var log = new LogRecords()) {
      var unused = faults.report(failure(ErrorCode.DEADLINE_EXCEEDED));
      faults.logCounts();
      assertThat(log.messages()).isEmpty();
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.evita.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Correct responses of all programs that are compared over a database, each in its own process as
 * when it is measured.
 */
@Tag("benchmarks")
@Timeout(value = 2, unit = TimeUnit.MINUTES)
final class ShopContestantIT {

  @ParameterizedTest
  @EnumSource
  void answersEachRequestRight_andTellsWhatItAllocates(ShopContestant contestant)
      throws IOException, InterruptedException {
    assertThat(contestant.version()).isNotEmpty();
    try (var server = contestant.start(ServerProcess.Cores.ALL, ServerProcess.HEAP);
        var monitor = server.monitor()) {
      var before = monitor.allocatedBytes();
      contestant.requireRight(server.port());
      assertThat(monitor.allocatedBytes()).isGreaterThan(before);
      assertThat(server.residentMegabytes()).isPositive();
    }
  }
}

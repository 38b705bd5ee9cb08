// SPDX-License-Identifier: Apache-2.0
package dev.evita.benchmarks.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The short form of the fault suite: each fault once on each database, in a random order. */
@Tag("benchmarks")
@Timeout(600)
final class FaultSuiteIT {

  @TempDir private Path folder;

  @ParameterizedTest
  @EnumSource(FaultSuite.Choice.class)
  void eachFaultOnce_breaksNoPromise(FaultSuite.Choice choice) throws Exception {
    var seed = new Random().nextInt(1_000_000);
    System.out.println(choice + ", seed " + seed);
    var result =
        FaultSuite.run(
            choice, EnumSet.allOf(Fault.class), Duration.ZERO, seed, folder.resolve("server.log"));
    assertThat(result.violations()).isEmpty();
    assertThat(result.acknowledged()).isPositive();
  }
}

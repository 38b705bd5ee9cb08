// SPDX-License-Identifier: Apache-2.0
package dev.evita.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine.TypeConversionException;

/** Options that would measure nothing are refused before the start. */
@Tag("benchmarks")
final class BenchmarkOptionsTest {

  @ParameterizedTest
  @CsvSource({
    "load, --rounds, 0",
    "load, --time, -1",
    "load, --connections, '16,0'",
    "load, --rates, many",
    "load, --latency-rounds, -1",
    "load, --share, 0",
    "load, --candidates, ''",
    "footprint, --connections, 0",
    "footprint, --idle, -1",
    "jmh, --forks, 0",
    "jmh, --iterations, 0",
    "shop, --rounds, 0",
    "shop, --contestants, ''",
    "wrk, --rounds, 0",
    "wrk, --races, nothing",
    "live, --touched, 0",
    "schema, --tables, a",
    "streams, --rounds, 0",
    "floor, --seconds, 0",
    "soak, --minutes, 0"
  })
  void execute_argumentThatMeasuresNothing_endsWithStatus2(
      String comparison, String option, String value) {
    assertThat(BenchmarkOptions.execute(new Benchmarks(), comparison, option, value)).isEqualTo(2);
  }

  @Test
  void positive_zero_isRefusedWithTheValueAndWhatWasExpected() {
    assertThatThrownBy(() -> new BenchmarkOptions.Positive().convert("0"))
        .isInstanceOf(TypeConversionException.class)
        .hasMessage("'0'; expected a whole number, 1 or more");
  }

  @Test
  void require_missingProgram_isRefusedWithHowToInstallIt() {
    assertThatThrownBy(() -> Programs.require("sh", "no-such-program"))
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining("PATH: no-such-program; install with: apt-get install");
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.evita.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The carpool demonstration for a second each. The benchmark itself checks responses and the number
 * of changed rows, and reports a program as not run if they are wrong.
 */
@Tag("benchmarks")
@Timeout(value = 10, unit = TimeUnit.MINUTES)
final class CarpoolDemonstrationIT {

  @TempDir Path results;

  @Test
  void carpool_handlerAndDemonstration_countVisits() throws IOException, InterruptedException {
    assumeThat(Programs.installed("wrk")).isTrue();
    var programs = new ArrayList<>(List.of(CarpoolProgram.EVITA));
    if (Programs.installed("npm")) {
      programs.add(CarpoolProgram.EXPRESS_SINGLE);
      programs.add(CarpoolProgram.EXPRESS_MULTIPLE);
    }
    if (Programs.installed("npm") && Programs.installed("haproxy")) {
      programs.add(CarpoolProgram.EXPRESS_3_MULTIPLE);
    }
    var names = programs.stream().map(CarpoolProgram::name).collect(Collectors.joining(","));
    var run =
        BenchmarkProcess.run(
            results, "carpool", "--programs=" + names, "--rounds=1", "--time=1", "--connections=8");

    var titles = programs.stream().map(CarpoolProgram::title).toList();
    assertThat(run.report().get("notRun").propertyNames())
        .as(run.output())
        .doesNotContainAnyElementsOf(titles);
    assertThat(run.report().get("servers").valueStream())
        .as(run.output())
        .hasSize(programs.size())
        .allSatisfy(server ->
            assertThat(server.at("/figures/req~1s, 8 connections/value").asDouble()).isPositive());
  }
}

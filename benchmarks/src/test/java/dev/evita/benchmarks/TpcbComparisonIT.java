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
 * The TPC-B comparison for a second each, as anybody runs it. The benchmark itself checks responses
 * and balances, and reports a program as not run if they are wrong.
 */
@Tag("benchmarks")
@Timeout(value = 10, unit = TimeUnit.MINUTES)
final class TpcbComparisonIT {

  @TempDir Path results;

  @Test
  void tpcb_ourServersAndTheCheapestPrograms_keepBalancesEqual()
      throws IOException, InterruptedException {
    assumeThat(List.of("wrk", "taskset")).allMatch(Programs::installed);
    var programs = new ArrayList<>(List.of(TpcbProgram.EVITA, TpcbProgram.EVITA_H2));
    if (Programs.installed("go")) {
      programs.add(TpcbProgram.GO_PGX);
    }
    if (Programs.installed("npm")) {
      programs.add(TpcbProgram.EXPRESS_PG);
    }
    var names = programs.stream().map(TpcbProgram::name).collect(Collectors.joining(","));
    var run =
        BenchmarkProcess.run(
            results,
            "tpcb",
            "--load=wrk",
            "--programs=" + names,
            "--scale=1",
            "--warm-up=1",
            "--rounds=1",
            "--time=1",
            "--connections=8");
    var report = run.report();
    var titles = programs.stream().map(TpcbProgram::title).toList();
    assertThat(report.get("notRun").propertyNames())
        .as(run.output())
        .doesNotContainAnyElementsOf(titles);
    assertThat(report.get("servers").valueStream())
        .as(run.output())
        .hasSize(programs.size())
        .allSatisfy(server ->
            assertThat(server.at("/figures/req~1s, 8 connections/value").asDouble()).isPositive())
        .allSatisfy(server ->
            assertThat(server.at("/figures/errors %, 8 connections/value").asDouble()).isZero());
    assertThat(run.file("svg")).content().contains("<svg", "Evita");
  }
}

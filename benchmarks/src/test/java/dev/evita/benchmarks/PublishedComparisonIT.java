// SPDX-License-Identifier: Apache-2.0
package dev.evita.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The published comparison as anybody runs it, for a second each. */
@Tag("benchmarks")
@Timeout(value = 10, unit = TimeUnit.MINUTES)
final class PublishedComparisonIT {

  @TempDir Path results;

  @Test
  void smoke_everyCandidateAnswersTheEcho_inBothWays() throws IOException, InterruptedException {
    var command =
        List.of(
            ServerProcess.javaCommand(),
            "-cp",
            System.getProperty("java.class.path"),
            Benchmarks.class.getName(),
            "jmh",
            "--smoke",
            "--results",
            results.toString());
    var process = new ProcessBuilder(command).redirectErrorStream(true).start();
    var output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(output).isZero();

    var report = JsonMapper.shared().readTree(Files.readString(file("smoke.json")));
    assertThat(report.get("notRun").propertyNames()).isSubsetOf("Quarkus (native)");
    for (var candidate : Candidate.values()) {
      var ways = candidate == Candidate.CEILING ? 1 : 2;
      assertThat(perSecond(report, candidate))
          .as(candidate.title())
          .hasSize(candidate.missing().isPresent() ? 0 : ways)
          .allSatisfy(rate -> assertThat(rate).isPositive());
    }
    assertThat(file("smoke.md")).content().contains("| Netty | ", "| 32310 | 198 | ");
    assertThat(file("smoke.svg")).content().contains("<svg", "Evita");
  }

  private Path file(String name) throws IOException {
    try (var files = Files.walk(results)) {
      return files.filter(file -> file.endsWith(name)).findAny().orElseThrow();
    }
  }

  private static List<Double> perSecond(JsonNode report, Candidate candidate) {
    var titles =
        Stream.of(true, false).map(cache -> new Contestant(candidate, cache).title()).toList();
    return report
        .get("servers")
        .valueStream()
        .filter(server -> titles.contains(server.get("server").asString()))
        .map(server -> server.at("/figures/ops~1s/value").asDouble())
        .toList();
  }
}

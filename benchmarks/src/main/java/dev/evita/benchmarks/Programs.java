// SPDX-License-Identifier: Apache-2.0
package dev.evita.benchmarks;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;

/** Programs of this machine that measuring needs. */
final class Programs {

  /** The package of Debian and Ubuntu that brings it. */
  private static final Map<String, String> PACKAGES =
      Map.of(
          "wrk", "wrk",
          "h2load", "nghttp2-client",
          "taskset", "util-linux",
          "curl", "curl",
          "haproxy", "haproxy",
          "pgbouncer", "pgbouncer");

  private Programs() {}

  static boolean installed(String program) {
    var path = Objects.requireNonNullElse(System.getenv("PATH"), "");
    return Arrays.stream(path.split(":", -1))
        .anyMatch(directory -> Files.isExecutable(Path.of(directory, program)));
  }

  static void require(String... programs) {
    require(List.of(programs));
  }

  /**
   * To be asked before any server is started.
   *
   * @throws RefusedException if one is missing, with how to install it
   */
  static void require(Collection<String> programs) {
    var missing = programs.stream().distinct().filter(each -> !installed(each)).toList();
    if (!missing.isEmpty()) {
      throw new RefusedException(
          "missing on the PATH: %s; install with: apt-get install %s"
              .formatted(
                  String.join(", ", missing),
                  missing.stream()
                      .map(each -> PACKAGES.getOrDefault(each, each))
                      .collect(Collectors.joining(" "))));
    }
  }

  /** The first line that {@code wrk} or {@code h2load} says of itself. */
  static String version(String program) throws IOException, InterruptedException {
    // wrk takes no other, and ends with 1 after it.
    var option = program.equals("wrk") ? "-v" : "--version";
    var process = new ProcessBuilder(program, option).redirectErrorStream(true).start();
    var said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    process.waitFor();
    return said.strip().lines().findFirst().orElse(program).replaceAll(" (\\[|Copyright).*", "");
  }
}

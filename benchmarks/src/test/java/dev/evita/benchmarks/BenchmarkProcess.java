// SPDX-License-Identifier: Apache-2.0
package dev.evita.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A benchmark that was run in a process of its own, as by {@code -Dbench}. */
record BenchmarkProcess(Path results, String name, String output) {

  /** Runs it, and fails if it does not succeed. */
  static BenchmarkProcess run(Path results, String name, String... options)
      throws IOException, InterruptedException {
    var command =
        new ArrayList<>(
            List.of(
                ServerProcess.javaCommand(),
                "-cp",
                System.getProperty("java.class.path"),
                Benchmarks.class.getName(),
                name,
                "--results=" + results));
    command.addAll(Arrays.asList(options));
    var process = new ProcessBuilder(command).redirectErrorStream(true).start();
    var output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(output).isZero();
    return new BenchmarkProcess(results, name, output);
  }

  JsonNode report() throws IOException {
    return JsonMapper.shared().readTree(Files.readString(file("json")));
  }

  /** The result of this extension. */
  Path file(String extension) throws IOException {
    try (var files = Files.walk(results)) {
      return files.filter(file -> file.endsWith(name + "." + extension)).findAny().orElseThrow();
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.evita.benchmarks;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Grafana's k6, which the article used: virtual users in a closed loop. */
final class K6 {

  private static final String RELEASE = "v1.8.1";
  private static final Path BUILT = Path.of("target", "k6").toAbsolutePath();
  private static final String SCRIPT = "tpcb.js";

  private final String program;

  private K6(String program) {
    this.program = program;
  }

  /**
   * Returns the k6 on the PATH, or one built by Go's module proxy.
   *
   * @throws RefusedException if there is neither k6 nor Go, or the build fails
   */
  static K6 find() throws IOException, InterruptedException {
    if (Programs.installed("k6")) {
      return new K6("k6");
    }
    var built = BUILT.resolve("k6");
    if (!Files.isExecutable(built)) {
      build();
    }
    return new K6(built.toString());
  }

  private static void build() throws IOException, InterruptedException {
    if (!Programs.installed("go")) {
      throw new RefusedException(
          "missing on the PATH: k6, and go to build it; install one of them, or use --load wrk");
    }
    System.out.println("go install go.k6.io/k6@" + RELEASE);
    var build = new ProcessBuilder("go", "install", "go.k6.io/k6@" + RELEASE);
    build.environment().put("GOBIN", BUILT.toString());
    var process = ChildProcesses.add(build.redirectErrorStream(true).start());
    var output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (process.waitFor() != 0) {
      throw new RefusedException("k6 cannot be built; use --load wrk: " + output);
    }
    ChildProcesses.remove(process);
  }

  String version() throws IOException, InterruptedException {
    return Programs.version(program);
  }

  /**
   * What the users do.
   *
   * @param pauseSeconds between a response and the next request; 0 for none
   * @param scale of pgbench
   */
  record Settings(int users, int seconds, double pauseSeconds, int scale) {}

  /** Runs the transaction with random accounts, tellers, branches and deltas. */
  LoadResult run(int port, Settings settings) throws IOException, InterruptedException {
    var directory = Files.createTempDirectory("evita-k6");
    var script = directory.resolve(SCRIPT);
    try (InputStream source = K6.class.getResourceAsStream(SCRIPT)) {
      Files.copy(Objects.requireNonNull(source, SCRIPT), script);
    }
    var summary = directory.resolve("summary.json");
    var before = ProcessorTime.endedChildrenMicros();
    run(
        script,
        Map.of(
            "URL", "http://127.0.0.1:" + port + "/transaction",
            "USERS", String.valueOf(settings.users()),
            "DURATION", settings.seconds() + "s",
            "PAUSE", String.valueOf(settings.pauseSeconds()),
            "SCALE", String.valueOf(settings.scale()),
            "SUMMARY", summary.toString()));
    var micros = ProcessorTime.endedChildrenMicros() - before;
    var metrics = JsonMapper.shared().readTree(Files.readString(summary)).get("metrics");
    Files.delete(script);
    Files.delete(summary);
    Files.delete(directory);
    return result(metrics, micros);
  }

  private void run(Path script, Map<String, String> environment)
      throws IOException, InterruptedException {
    var command = new ArrayList<>(List.of(program, "run", "--quiet", "--no-color"));
    environment.forEach((name, value) -> command.addAll(List.of("--env", name + "=" + value)));
    command.add(script.toString());
    var builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().put("K6_NO_USAGE_REPORT", "true");
    var process = ChildProcesses.add(builder.start());
    var output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    var status = process.waitFor();
    ChildProcesses.remove(process);
    if (status != 0) {
      throw new IOException("k6 ended with " + status + ": " + output);
    }
  }

  private static LoadResult result(JsonNode metrics, double micros) {
    var requests = values(metrics, "http_reqs");
    var durations = values(metrics, "http_req_duration");
    // Counted by the script: k6's own http_req_failed is a rate.
    var failed = metrics.has("failures") ? values(metrics, "failures").get("count").asLong() : 0;
    return new LoadResult(
        requests.get("count").asLong(),
        failed,
        0,
        requests.get("rate").asDouble(),
        micros,
        new LoadResult.Latency(
            durations.get("min").asDouble(),
            durations.get("max").asDouble(),
            durations.get("avg").asDouble(),
            durations.get("med").asDouble(),
            durations.get("p(90)").asDouble(),
            durations.get("p(95)").asDouble(),
            durations.get("p(99)").asDouble()));
  }

  private static JsonNode values(JsonNode metrics, String name) {
    return metrics.get(name).get("values");
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.evita.benchmarks;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/**
 * {@code wrk} on one thread with a Lua script that makes the requests, and reports latencies and
 * failures. In contrast to {@link Wrk}, failed requests are counted and do not end the run.
 */
final class WrkScript implements AutoCloseable {

  private static final String REPORT =
      """

      done = function(summary, latency, requests)
        local errors = summary.errors
        io.write(string.format("figures %%d %%d %%d %%d %%f %%d %%d %%d %%d %%d %%d\\n",
          summary.requests, errors.status,
          errors.connect + errors.read + errors.write + errors.timeout, summary.duration,
          latency.mean, latency.min, latency.max, latency:percentile(50),
          latency:percentile(90), latency:percentile(95), latency:percentile(99)))
      end
      """
          .replace("%%", "%");

  private static final String FIGURES = "figures ";
  private static final double MICROS_PER_SECOND = 1e6;
  private static final double MICROS_PER_MILLI = 1e3;

  private final Path script;
  private final ServerProcess.Cores cores;
  private final int connections;

  /**
   * @param lua that defines {@code request}, and {@code init} if need be
   */
  WrkScript(ServerProcess.Cores cores, int connections, String lua) throws IOException {
    this.script = Files.createTempFile("evita-wrk", ".lua");
    this.cores = cores;
    this.connections = connections;
    Files.writeString(script, lua + REPORT);
  }

  /**
   * Sends requests for some seconds.
   *
   * @param target path and query; the script may replace it
   */
  LoadResult run(int port, String target, int seconds) throws IOException, InterruptedException {
    var before = ProcessorTime.endedChildrenMicros();
    var command =
        cores.command(
            List.of(
                "wrk",
                "-t1",
                "-c" + connections,
                "-d" + seconds + "s",
                "--timeout",
                "60s",
                "-s",
                script.toString(),
                "http://127.0.0.1:" + port + target));
    var process = ChildProcesses.add(new ProcessBuilder(command).redirectErrorStream(true).start());
    var output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    var status = process.waitFor();
    ChildProcesses.remove(process);
    var micros = ProcessorTime.endedChildrenMicros() - before;
    var line = output.lines().filter(each -> each.startsWith(FIGURES)).findFirst();
    if (status != 0 || line.isEmpty()) {
      throw new IOException("wrk: " + output);
    }
    var figures = line.get().substring(FIGURES.length()).split(" ");
    return result(Arrays.stream(figures).mapToDouble(Double::parseDouble).toArray(), micros);
  }

  private LoadResult result(double[] figures, double micros) {
    var broken = (long) figures[2];
    var requests = (long) figures[0] + broken;
    return new LoadResult(
        requests,
        (long) figures[1] + broken,
        connections,
        figures[0] / (figures[3] / MICROS_PER_SECOND),
        micros,
        new LoadResult.Latency(
            figures[5] / MICROS_PER_MILLI,
            figures[6] / MICROS_PER_MILLI,
            figures[4] / MICROS_PER_MILLI,
            figures[7] / MICROS_PER_MILLI,
            figures[8] / MICROS_PER_MILLI,
            figures[9] / MICROS_PER_MILLI,
            figures[10] / MICROS_PER_MILLI));
  }

  @Override
  public void close() throws IOException {
    Files.delete(script);
  }
}

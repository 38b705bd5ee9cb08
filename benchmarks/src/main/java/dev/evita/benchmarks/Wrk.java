// SPDX-License-Identifier: Apache-2.0
package dev.evita.benchmarks;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.regex.Pattern;

/** {@code wrk}. */
final class Wrk implements Load {

  private static final Pattern COUNT = Pattern.compile("([0-9]+) requests in");
  private static final Pattern RATE = Pattern.compile("Requests/sec:\\s+([0-9.]+)");

  private final int connections;
  private final Path script;

  Wrk(int connections) throws IOException {
    this.connections = connections;
    this.script = Files.createTempFile("evita-wrk", ".lua");
  }

  /** Whether this machine has it. */
  static boolean installed() {
    return Arrays.stream(System.getenv("PATH").split(":", -1))
        .anyMatch(directory -> Files.isExecutable(Path.of(directory, "wrk")));
  }

  @Override
  public Result run(int port, Ask ask, int seconds) throws IOException, InterruptedException {
    var lua = new StringBuilder("wrk.method='" + ask.method() + "'\n");
    ask.headers()
        .forEach((name, value) ->
            lua.append("wrk.headers['").append(name).append("']='").append(value).append("'\n"));
    if (!ask.body().isEmpty()) {
      lua.append("wrk.body=[[").append(ask.body()).append("]]\n");
    }
    Files.writeString(script, lua);
    var command = "taskset -c 1 wrk -t1 -c%d -d%ds -s %s http://127.0.0.1:%d%s";
    var process =
        new ProcessBuilder(
                command.formatted(connections, seconds, script, port, ask.target()).split(" "))
            .redirectErrorStream(true)
            .start();
    var output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    var count = COUNT.matcher(output);
    var rate = RATE.matcher(output);
    if (process.waitFor() != 0 || !count.find() || !rate.find() || output.contains("Non-2xx")) {
      throw new IOException(ask + ": " + output);
    }
    return new Result(Long.parseLong(count.group(1)), Double.parseDouble(rate.group(1)));
  }

  @Override
  public void close() throws IOException {
    Files.delete(script);
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.evita.benchmarks;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;

/** {@code wrk}. */
final class Wrk implements Load {

  private static final Pattern COUNT = Pattern.compile("([0-9]+) requests in");
  private static final Pattern RATE = Pattern.compile("Requests/sec:\\s+([0-9.]+)");

  private static final Pattern ERRORS =
      Pattern.compile(
          "Socket errors: connect ([0-9]+), read ([0-9]+), write ([0-9]+), timeout ([0-9]+)");

  /** Some servers close a connection after so many requests by design; Tomcat is the strictest. */
  private static final int REQUESTS_OF_A_CONNECTION = 100;

  private static final int REQUESTS = 8_192;

  private final int connections;
  private final Path script;

  Wrk(int connections) throws IOException {
    this.connections = connections;
    this.script = Files.createTempFile("evita-wrk", ".lua");
  }

  @Override
  public Result run(int port, HttpProbe ask, int seconds) throws IOException, InterruptedException {
    var lua = new StringBuilder("wrk.method='" + ask.method() + "'\n");
    // By name, as clients ask and as it was published; Undertow checks an address at length.
    lua.append("wrk.headers['Host']='localhost:").append(port).append("'\n");
    ask.headers()
        .forEach((name, value) ->
            lua.append("wrk.headers['").append(name).append("']='").append(value).append("'\n"));
    if (!ask.body().isEmpty()) {
      lua.append("wrk.body=[[").append(ask.body()).append("]]\n");
    }
    if (ask.varies()) {
      lua.append(varying(ask));
    }
    Files.writeString(script, lua);
    // A server that is not warm may take longer than the two seconds that wrk waits by default.
    var command = "taskset -c 1 wrk -t1 --timeout 30s -c%s -d%ss -s %s http://127.0.0.1:%s%s";
    var process =
        new ProcessBuilder(
                command
                    .formatted(
                        String.valueOf(connections),
                        String.valueOf(seconds),
                        script,
                        String.valueOf(port),
                        ask.target())
                    .split(" "))
            .redirectErrorStream(true)
            .start();
    var output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    var count = COUNT.matcher(output);
    var rate = RATE.matcher(output);
    if (process.waitFor() != 0 || !count.find() || !rate.find() || output.contains("Non-2xx")) {
      throw new IOException(ask + ": " + output);
    }
    var requests = Long.parseLong(count.group(1));
    var broken = broken(output);
    if (broken > requests / REQUESTS_OF_A_CONNECTION + connections) {
      throw new IOException(ask + ": more connections broke than any server closes: " + output);
    }
    return new Result(requests, Double.parseDouble(rate.group(1)), broken);
  }

  /** The requests are made before the first is sent, as the client shares the machine. */
  private static String varying(HttpProbe ask) {
    return """
    local requests = {}
    local next = 0
    init = function(args)
      for i = 1, %d do
        local key = tostring(math.random(%d, %d))
        local body = wrk.body and wrk.body:gsub('%d', key)
        requests[i] = wrk.format(nil, (('%s'):gsub('%d', key)), nil, body)
      end
    end
    request = function()
      next = next %% #requests + 1
      return requests[next]
    end
    """
        .formatted(
            REQUESTS,
            HttpProbe.LEAST_KEY,
            HttpProbe.MOST_KEY,
            HttpProbe.KEY,
            ask.target(),
            HttpProbe.KEY);
  }

  /**
   * Connections that broke while they were read or written.
   *
   * @throws IOException if some were not taken, or an answer did not come in time: then the rate is
   *     not that of as many connections as it is told to be
   */
  static long broken(String output) throws IOException {
    var errors = ERRORS.matcher(output);
    if (!errors.find()) {
      return 0;
    }
    if (Long.parseLong(errors.group(1)) + Long.parseLong(errors.group(4)) > 0) {
      throw new IOException(
          errors.group() + "; expected no connect errors, no timeouts: " + output);
    }
    return Long.parseLong(errors.group(2)) + Long.parseLong(errors.group(3));
  }

  @Override
  public void close() throws IOException {
    Files.delete(script);
  }
}

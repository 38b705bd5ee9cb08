// SPDX-License-Identifier: Apache-2.0
package dev.evita.benchmarks;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;

/** Runs {@code wrk} on core 1. */
final class Wrk implements AutoCloseable {

  private static final Pattern COUNT = Pattern.compile("([0-9]+) requests in");
  private static final Pattern RATE = Pattern.compile("Requests/sec:\\s+([0-9.]+)");

  /** How many requests were answered, and how many in a second. */
  record Result(long requests, double perSecond) {}

  private final int connections;
  private final Path script;

  Wrk(int connections) throws IOException {
    this.connections = connections;
    this.script = Files.createTempFile("evita-wrk", ".lua");
  }

  /** The answer to one such request. */
  static String answer(int port, Ask ask) throws IOException, InterruptedException {
    var request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + ask.target()))
            .version(HttpClient.Version.HTTP_1_1)
            .header("content-type", "application/json")
            .method(ask.method(), HttpRequest.BodyPublishers.ofString(ask.body()))
            .build();
    try (var client = HttpClient.newHttpClient()) {
      return client.send(request, HttpResponse.BodyHandlers.ofString()).body();
    }
  }

  /**
   * Asks for some seconds, as fast as answers come.
   *
   * @throws IOException if an answer was not 2xx
   */
  Result run(int port, Ask ask, int seconds) throws IOException, InterruptedException {
    var body =
        ask.body().isEmpty()
            ? ""
            : "wrk.headers['Content-Type']='application/json'\nwrk.body=[[" + ask.body() + "]]\n";
    Files.writeString(script, "wrk.method='" + ask.method() + "'\n" + body);
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

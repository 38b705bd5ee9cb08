// SPDX-License-Identifier: Apache-2.0
package dev.evita.benchmarks;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Pattern;

/**
 * The server-bound comparison: servers in processes of their own on core 0, {@code wrk} on core 1,
 * one server under load at a time, in turn over the rounds so that the machine's drift cancels.
 * Prints each round, the medians, and their ratio to the first server.
 *
 * <p>Arguments: rounds, seconds per round, connections.
 */
final class WrkComparison {

  /** A server: its main class, and the GraphQL query that it is sent. */
  private record Candidate(String name, Class<?> main, String query) {}

  private static final List<Candidate> CANDIDATES =
      List.of(
          new Candidate("ceiling: constant answer", CeilingServer.class, EchoEngine.QUERY),
          new Candidate("evita: echo", EchoServer.class, EchoEngine.QUERY),
          new Candidate("evita: products_by_pk", ShopServer.class, Shop.BY_PK),
          new Candidate("evita: list of 20, two relationships", ShopServer.class, Shop.LIST));
  private static final Pattern RATE = Pattern.compile("Requests/sec:\\s+([0-9.]+)");

  private final int rounds;
  private final int seconds;
  private final int connections;
  private final Map<Candidate, List<Double>> rates = new LinkedHashMap<>();

  private WrkComparison(String[] arguments) {
    rounds = Integer.parseInt(arguments[0]);
    seconds = Integer.parseInt(arguments[1]);
    connections = Integer.parseInt(arguments[2]);
  }

  public static void main(String[] arguments) throws IOException, InterruptedException {
    new WrkComparison(arguments).compare();
  }

  private void compare() throws IOException, InterruptedException {
    var ports = new LinkedHashMap<Candidate, Integer>();
    var processes = new ArrayList<Process>();
    var script = Files.createTempFile("evita-wrk", ".lua");
    try {
      for (var candidate : CANDIDATES) {
        var port = freePort();
        processes.add(start(candidate, port));
        ports.put(candidate, port);
      }
      for (var port : ports.values()) {
        awaitListening(port);
      }
      System.out.printf(
          "%d servers, %d rounds of %d s and one to warm up: about %d minutes%n",
          ports.size(), rounds, seconds, 1 + ports.size() * (rounds + 1) * (seconds + 1) / 60);
      for (int round = 0; round <= rounds; round++) {
        for (var entry : ports.entrySet()) {
          measure(entry.getKey(), entry.getValue(), round, script);
        }
      }
      print();
    } finally {
      processes.forEach(Process::destroy);
      Files.delete(script);
    }
  }

  private static int freePort() throws IOException {
    try (var socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }

  private static Process start(Candidate candidate, int port) throws IOException {
    var java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    var command =
        new ArrayList<>(
            List.of("taskset", "-c", "0", java, "-Xms512m", "-Xmx512m", "-Dio.threads=1"));
    command.addAll(
        List.of(
            "-cp",
            System.getProperty("java.class.path"),
            candidate.main().getName(),
            String.valueOf(port)));
    return new ProcessBuilder(command)
        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
        .redirectError(ProcessBuilder.Redirect.INHERIT)
        .start();
  }

  private static void awaitListening(int port) throws IOException {
    var deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
    while (true) {
      try (var socket = new Socket()) {
        socket.connect(new InetSocketAddress("127.0.0.1", port), 1000);
        return;
      } catch (IOException e) {
        if (System.nanoTime() > deadline) {
          throw e;
        }
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(100));
      }
    }
  }

  private void measure(Candidate candidate, int port, int round, Path script)
      throws IOException, InterruptedException {
    var body = "{\"query\":\"" + candidate.query().replace("\"", "\\\"") + "\"}";
    Files.writeString(
        script,
        "wrk.method='POST'\nwrk.headers['Content-Type']='application/json'\nwrk.body=[[%s]]\n"
            .formatted(body));
    var command = "taskset -c 1 wrk -t1 -c%d -d%ds -s %s http://127.0.0.1:%d/graphql";
    var process =
        new ProcessBuilder(command.formatted(connections, seconds, script, port).split(" "))
            .redirectErrorStream(true)
            .start();
    var output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    var rate = RATE.matcher(output);
    if (process.waitFor() != 0 || !rate.find() || output.contains("Non-2xx")) {
      throw new IllegalStateException(candidate.name() + ": " + output);
    }
    var perSecond = Double.parseDouble(rate.group(1));
    System.out.printf("round %d  %-40s %,10.0f req/s%n", round, candidate.name(), perSecond);
    if (round > 0) {
      rates.computeIfAbsent(candidate, key -> new ArrayList<>()).add(perSecond);
    }
  }

  private void print() {
    System.out.printf(
        "%n| server | median req/s | lowest to highest | ratio |%n|---|---|---|---|%n");
    var first = median(rates.values().iterator().next());
    rates.forEach((candidate, measured) -> {
      var sorted = sorted(measured);
      System.out.printf(
          "| %s | %,.0f | %,.0f to %,.0f | %.2f |%n",
          candidate.name(),
          median(measured),
          sorted[0],
          sorted[sorted.length - 1],
          median(measured) / first);
    });
  }

  private static double median(List<Double> values) {
    var sorted = sorted(values);
    return sorted[sorted.length / 2];
  }

  private static double[] sorted(List<Double> values) {
    var array = values.stream().mapToDouble(Double::doubleValue).toArray();
    Arrays.sort(array);
    return array;
  }
}

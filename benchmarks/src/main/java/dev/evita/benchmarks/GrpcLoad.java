// SPDX-License-Identifier: Apache-2.0
package dev.evita.benchmarks;

import java.io.IOException;
import java.nio.channels.Selector;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Calls of gRPC with another key each time, which {@code h2load} cannot send: one {@link
 * GrpcClient} for each connection, all on one thread of a process of its own on core 1. The rate is
 * taken once that process is warm.
 */
final class GrpcLoad implements Load {

  private static final long WARM_UP_NANOS = 2_000_000_000;

  private final int connections;

  GrpcLoad(int connections) {
    this.connections = connections;
  }

  @Override
  public Result run(int port, HttpProbe ask, int seconds) throws IOException, InterruptedException {
    var command =
        ServerProcess.javaHere(
            ServerProcess.Cores.SECOND,
            GrpcLoad.class.getName(),
            List.of(),
            String.valueOf(port),
            String.valueOf(connections),
            String.valueOf(seconds),
            ask.target(),
            HexFormat.of().formatHex(ask.body().getBytes(StandardCharsets.ISO_8859_1)));
    var process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    var output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (process.waitFor() != 0) {
      throw new IOException(ask + ": " + output);
    }
    var numbers = output.strip().split(" ");
    return new Result(Long.parseLong(numbers[0]), Double.parseDouble(numbers[1]), 0);
  }

  /** Arguments: port, connections, seconds, target, message with its prefix in hexadecimal. */
  public static void main(String[] arguments) throws IOException {
    var body = new String(HexFormat.of().parseHex(arguments[4]), StandardCharsets.ISO_8859_1);
    var ask = new HttpProbe("POST", arguments[3], Map.of(), body).varying();
    var port = Integer.parseInt(arguments[0]);
    try (var selector = Selector.open()) {
      for (int i = 0; i < Integer.parseInt(arguments[1]); i++) {
        var client = new GrpcClient(port, ask);
        client.register(selector);
        client.call();
      }
      var warmUp = calls(selector, WARM_UP_NANOS);
      var nanos = Long.parseLong(arguments[2]) * 1_000_000_000L;
      var calls = calls(selector, nanos);
      System.out.printf(Locale.ROOT, "%d %.1f%n", warmUp + calls, calls * 1e9 / nanos);
    }
  }

  /** Returns the calls completed in a time, with one call in progress per client. */
  private static long calls(Selector selector, long nanos) throws IOException {
    var calls = 0L;
    var begun = System.nanoTime();
    while (System.nanoTime() - begun < nanos) {
      selector.select();
      for (var key : selector.selectedKeys()) {
        var client = (GrpcClient) key.attachment();
        if (client.answered()) {
          calls++;
          client.call();
        }
      }
      selector.selectedKeys().clear();
    }
    return calls;
  }

  @Override
  public void close() {}
}

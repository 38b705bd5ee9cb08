// SPDX-License-Identifier: Apache-2.0
package dev.evita.benchmarks;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Calls of gRPC with another key each time, which {@code h2load} cannot send: one {@link
 * GrpcClient} for each connection, in a process of its own on core 1.
 */
final class GrpcLoad implements Load {

  private final int connections;

  GrpcLoad(int connections) {
    this.connections = connections;
  }

  @Override
  public Result run(int port, Ask ask, int seconds) throws IOException, InterruptedException {
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
  public static void main(String[] arguments) throws InterruptedException {
    var body = new String(HexFormat.of().parseHex(arguments[4]), StandardCharsets.ISO_8859_1);
    var ask = new Ask("POST", arguments[3], Map.of(), body).varying();
    var port = Integer.parseInt(arguments[0]);
    var begun = System.nanoTime();
    var end = begun + Long.parseLong(arguments[2]) * 1_000_000_000L;
    var calls = new AtomicLong();
    var failure = new AtomicReference<IOException>();
    var threads = new ArrayList<Thread>();
    for (int i = 0; i < Integer.parseInt(arguments[1]); i++) {
      threads.add(
          Thread.ofPlatform()
              .start(() -> {
                try (var client = new GrpcClient(port, ask)) {
                  for (; System.nanoTime() < end; calls.incrementAndGet()) {
                    if (client.send() == 0) {
                      throw new IOException("an answer had no message");
                    }
                  }
                } catch (IOException e) {
                  failure.set(e);
                }
              }));
    }
    for (var thread : threads) {
      thread.join();
    }
    if (failure.get() != null) {
      throw new IllegalStateException(failure.get());
    }
    var took = (System.nanoTime() - begun) / 1e9;
    System.out.printf(Locale.ROOT, "%d %.1f%n", calls.get(), calls.get() / took);
  }

  @Override
  public void close() {}
}

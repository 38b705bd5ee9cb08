// SPDX-License-Identifier: Apache-2.0
package dev.evita.benchmarks;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** {@code h2load} of nghttp2, for HTTP/2, gRPC, and HTTP/1.1 beside them. */
final class H2Load implements Load {

  private static final int STREAMS = 8;
  private static final Pattern COUNTS =
      Pattern.compile("([0-9]+) succeeded, ([0-9]+) failed, ([0-9]+) errored");
  private static final Pattern RATE = Pattern.compile("finished in [^,]+, ([0-9.]+) req/s");

  private final Kind kind;
  private final int connections;
  private final Path body;

  H2Load(Kind kind, int connections) throws IOException {
    this.kind = kind;
    this.connections = connections;
    this.body = Files.createTempFile("evita-h2load", ".bin");
  }

  @Override
  public Result run(int port, HttpProbe ask, int seconds) throws IOException, InterruptedException {
    if (ask.varies()) {
      var calls = kind == Kind.GRPC_STREAMS ? connections * STREAMS : connections;
      return new GrpcLoad(calls).run(port, ask, seconds);
    }
    Files.write(body, ask.body().getBytes(StandardCharsets.ISO_8859_1));
    var command = new ArrayList<>(List.of("taskset", "-c", "1", "h2load", "-t1", "-D" + seconds));
    command.addAll(concurrency());
    if (!ask.body().isEmpty()) {
      command.addAll(List.of("-d", body.toString()));
    }
    ask.headers().forEach((name, value) -> command.addAll(List.of("-H", name + ": " + value)));
    command.add("--connect-to=127.0.0.1:" + port);
    command.add("http://localhost:" + port + ask.target());
    var process = new ProcessBuilder(command).redirectErrorStream(true).start();
    var output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    var counts = COUNTS.matcher(output);
    var rate = RATE.matcher(output);
    if (process.waitFor() != 0
        || !counts.find()
        || !rate.find()
        || Long.parseLong(counts.group(2)) + Long.parseLong(counts.group(3)) > 0) {
      throw new IOException(ask + ": " + output);
    }
    return new Result(Long.parseLong(counts.group(1)), Double.parseDouble(rate.group(1)), 0);
  }

  private List<String> concurrency() {
    return switch (kind) {
      case H1 -> List.of("--h1", "-c" + connections);
      case H1_MANY -> List.of("--h1", "-c" + connections * STREAMS);
      case H2C, GRPC -> List.of("-c" + connections);
      case H2C_STREAMS, GRPC_STREAMS -> List.of("-c" + connections, "-m" + STREAMS);
      case WRK -> throw new IllegalStateException("wrk is another program");
    };
  }

  @Override
  public void close() throws IOException {
    Files.delete(body);
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core;

import dev.evita.externalapi.core.limits.Limits;
import java.time.Duration;
import java.util.function.UnaryOperator;

/** A server over an empty engine, with {@link TestApi}, on a free port. */
final class TestServer implements AutoCloseable {

  final EmptyEngine engine = new EmptyEngine();
  final TestApi api = new TestApi();
  final ExternalApiServer server;

  private TestServer(ServerOptions options) {
    server =
        ExternalApiServer.over(engine).options(options).provider(api).withoutDiscovery().start();
  }

  static TestServer start() {
    return start(options -> options);
  }

  static TestServer start(UnaryOperator<ServerOptions.Builder> change) {
    var base = ServerOptions.builder().ioThreads(2).workerThreads(4).drain(Duration.ofSeconds(5));
    return new TestServer(change.apply(base).build());
  }

  /** Small limits that tests can reach quickly. */
  static Limits limits(Duration idle, Duration request) {
    return limits(1 << 16, idle, request, 1_000);
  }

  static Limits limits(int maxBodyBytes, Duration idle, Duration request, int connections) {
    return Limits.builder()
        .maxBodyBytes(maxBodyBytes)
        .maxHeaderBytes(8 << 10)
        .maxUrlBytes(4 << 10)
        .maxConnections(connections)
        .idleTimeout(idle)
        .requestTimeout(request)
        .maxRows(1_000)
        .maxHeldRows(1_000)
        .maxAnswerBytes(1 << 20)
        .build();
  }

  int port() {
    return server.port();
  }

  RawClient connect() {
    return RawClient.connect(port());
  }

  @Override
  public void close() {
    api.release.release(1_000_000);
    server.close();
  }
}

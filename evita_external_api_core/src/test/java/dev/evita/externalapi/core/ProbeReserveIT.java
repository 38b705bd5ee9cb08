// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evita.externalapi.core.limits.Limits;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Probes while {@code max-connections} is reached. They used to wait with all others until a
 * connection ended (17 s were seen), and Kubernetes restarted servers that were merely busy.
 */
@Tag("long")
@Timeout(60)
final class ProbeReserveIT {

  private static final String HOST = "Host: localhost\r\n";
  private static final String PROBE = get("/system/readiness");
  private static final int MAX = 4;

  /** Connections beyond {@code max-connections} that are accepted for probes. */
  private static final int RESERVE = 16;

  private static final int WINDOW = 65_535;

  @TempDir private Path folder;

  private final List<RawClient> clients = new ArrayList<>();

  @AfterEach
  void close() {
    clients.forEach(RawClient::close);
  }

  private static String get(String target) {
    return "GET " + target + " HTTP/1.1\r\n" + HOST + "\r\n";
  }

  private static TestServer start() {
    return TestServer.start(options -> options.limits(limits()));
  }

  private static Limits limits() {
    return TestServer.limits(1 << 16, Duration.ofSeconds(60), Duration.ofSeconds(60), MAX);
  }

  private RawClient connect(TestServer fixture) {
    var client = fixture.connect();
    clients.add(client);
    return client;
  }

  /** Uses up all connections. */
  private void fill(TestServer fixture) {
    for (int i = 0; i < MAX; i++) {
      assertThat(connect(fixture).send(get("/echo")).read().status()).isEqualTo(200);
    }
  }

  @Test
  void probe_connectionsExhausted_getsResponse() {
    try (var fixture = start()) {
      fill(fixture);
      var probe = connect(fixture).send(PROBE + get("/system/liveness"));
      assertThat(probe.read().status()).isEqualTo(200);
      assertThat(probe.read().status()).isEqualTo(200);
      assertThat(connect(fixture).send(get("/system/nothing")).read().status()).isEqualTo(404);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "GET /echo HTTP/1.1\r\n" + HOST + "\r\n",
        "POST /echo HTTP/1.1\r\n" + HOST + "Content-Length: 50000\r\n\r\nabc",
        "POST /system/liveness HTTP/1.1\r\n" + HOST + "Content-Length: 0\r\n\r\n",
        "GET /nowhere HTTP/1.0\r\n\r\n"
      })
  void otherRequest_connectionsExhausted_isRejectedAndClosed(String request) {
    try (var fixture = start()) {
      fill(fixture);
      assertThat(connect(fixture).send(request).readToEnd())
          .matches("(?s)HTTP/1\\.[01] 503 .*")
          .contains("Retry-After: 1\r\n")
          .contains("Connection: close\r\n")
          .contains("Content-Type: application/problem+json\r\n")
          .contains("\"code\":\"TOO_MANY_CONNECTIONS\"")
          .contains("max-connections");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "GET /system/live",
        "GET /system/liveness HTTP/1.1\r\n" + HOST,
        "GET /system/liveness HTTP/1.1\r\n" + HOST + "Content-Length: 5\r\n\r\n",
        "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
        "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\4\0\0\0\0\0"
      })
  void reserve_silentConnections_areClosedWithinASecond(String bytes) {
    try (var fixture = start()) {
      fill(fixture);
      var silent = new ArrayList<RawClient>();
      for (int i = 0; i < RESERVE; i++) {
        silent.add(connect(fixture).send(bytes));
      }
      // The next one waits until they are closed, within the client's timeout of three seconds.
      assertThat(connect(fixture).send(PROBE).read().status()).isEqualTo(200);
      silent.forEach(RawClient::readToEnd);
    }
  }

  @Test
  void probes_onOneConnection_keepItOpen() {
    try (var fixture = start()) {
      fill(fixture);
      var probe = connect(fixture);
      var silent = connect(fixture);
      var silentEnd = CompletableFuture.supplyAsync(silent::readToEnd);
      while (!silentEnd.isDone()) {
        assertThat(probe.send(PROBE).read().status()).isEqualTo(200);
      }
      assertThat(probe.send(PROBE).read().status()).isEqualTo(200);
      assertThat(probe.readToEnd()).isEmpty();
    }
  }

  @Test
  void reserve_connectionsFreed_servesAllRequests() {
    try (var fixture = start()) {
      fill(fixture);
      var probe = connect(fixture).send(PROBE);
      assertThat(probe.read().status()).isEqualTo(200);
      clients.getFirst().close();
      while (fixture.server.connections() == MAX) {
        Thread.onSpinWait();
      }
      assertThat(probe.send(get("/echo")).read().status()).isEqualTo(200);
    }
  }

  // ---- HTTP/2 ----

  @Test
  void probe_overHttp2_getsResponse() {
    try (var fixture = start()) {
      fill(fixture);
      try (var probe = RawHttp2.connect(fixture.port(), WINDOW)) {
        probe.get("/system/readiness").await("END 1");
        assertThat(probe.read(0)).isEqualTo("{\"status\":\"UP\"}");
      }
    }
  }

  @Test
  void otherStream_overHttp2_isRejectedAndClosesTheConnection() {
    try (var fixture = start()) {
      fill(fixture);
      try (var client = RawHttp2.connect(fixture.port(), WINDOW)) {
        client.get(1, "/system/readiness", "localhost", null).await("END 1");
        client.get(3, "/echo", "localhost", null).await("GOAWAY 3 0");
        client.await("END 3");
        assertThat(client.read(0)).contains("\"status\":503,\"code\":\"TOO_MANY_CONNECTIONS\"");
        client.awaitClosed();
      }
    }
  }

  @Test
  void upgradeToHttp2_isRejected() {
    try (var fixture = start()) {
      fill(fixture);
      var upgrade =
          get("/echo")
              .replace(
                  HOST,
                  HOST
                      + "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\n"
                      + "HTTP2-Settings: AAMAAABk\r\n");
      assertThat(connect(fixture).send(upgrade).readToEnd()).contains("TOO_MANY_CONNECTIONS");
    }
  }

  // ---- TLS ----

  @Test
  void probe_overTls_getsResponseOthersAreRejected() throws Exception {
    var tls = TestCertificate.selfSigned("CN=localhost").writeTo(folder);
    try (var fixture = TestServer.start(options -> options.limits(limits()).tls(tls))) {
      for (int i = 0; i < MAX; i++) {
        var client = RawClient.connectTls(fixture.port());
        clients.add(client);
        assertThat(client.send(get("/echo")).read().status()).isEqualTo(200);
      }
      for (int i = 0; i < RESERVE; i++) {
        connect(fixture); // without a handshake
      }
      try (var probe = RawClient.connectTls(fixture.port());
          var other = RawClient.connectTls(fixture.port())) {
        assertThat(probe.send(PROBE).read().status()).isEqualTo(200);
        assertThat(other.send(get("/echo")).readToEnd()).startsWith("HTTP/1.1 503 ");
      }
      awaitConnections(fixture, MAX);
      clients.forEach(RawClient::close);
      awaitConnections(fixture, 0);
    }
  }

  private static void awaitConnections(TestServer fixture, int count) {
    while (fixture.server.connections() != count) {
      Thread.onSpinWait();
    }
  }

  // ---- nothing is lost ----

  @Test
  void connections_allKinds_releasePlacesAndBuffers() {
    var pool = new CountingPool();
    try (var server =
        ExternalApiServer.over(new EmptyEngine())
            .options(ServerOptions.builder().limits(limits()).ioThreads(2).build())
            .provider(new TestApi())
            .provider(new OpenApi())
            .withoutDiscovery()
            .buffers(() -> pool)
            .start()) {
      for (int i = 0; i < 200; i++) {
        oneOfEachKind(server.port());
      }
      while (server.connections() > 0 || pool.taken.get() > 0) {
        Thread.onSpinWait();
      }
      var all = new ArrayList<RawClient>();
      for (int i = 0; i < MAX; i++) {
        all.add(RawClient.connect(server.port()).send(get("/echo")));
        assertThat(all.getLast().read().status()).isEqualTo(200);
      }
      all.forEach(RawClient::close);
    }
  }

  /** Opens five connections, of which at least one is of the reserve. */
  private static void oneOfEachKind(int port) {
    var upgrade =
        HOST
            + "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\nUpgrade: websocket\r\n"
            + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n";
    var requests =
        List.of(
            "",
            "GET /ec",
            get("/echo") + get("/echo"),
            get("/socket").replace(HOST, upgrade),
            "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\4\0\0\0\0\0",
            get("/rows?n=500"));
    var open = new ArrayList<RawClient>();
    try {
      for (var request : requests) {
        open.add(RawClient.connect(port).send(request));
      }
      open.get(2).read();
    } catch (UncheckedIOException e) {
      // rejected, and closed while it was sending
    } finally {
      open.forEach(RawClient::close);
    }
  }
}

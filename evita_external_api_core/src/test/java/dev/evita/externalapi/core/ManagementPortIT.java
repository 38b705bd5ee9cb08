// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.evita.api.EvitaException;
import dev.evita.externalapi.core.error.HttpErrorCode;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Probes on a separate port, whatever the state of the main port. */
@Timeout(60)
final class ManagementPortIT {

  private static final String HOST = "Host: localhost\r\n";
  private static final int WINDOW = 65_535;
  private static final String STOPPING = "{\"status\":\"DOWN\",\"code\":\"SHUTTING_DOWN\"";

  @TempDir private Path folder;

  private static TestServer start() {
    return start(options -> options);
  }

  private static TestServer start(UnaryOperator<ServerOptions.Builder> change) {
    return TestServer.start(options -> change.apply(options.managementPort(0)));
  }

  private static int port(TestServer fixture) {
    return fixture.server.managementPort().getAsInt();
  }

  private static String get(String target) {
    return "GET " + target + " HTTP/1.1\r\n" + HOST + "\r\n";
  }

  private static RawClient.Answer ask(TestServer fixture, String request) {
    try (var client = RawClient.connect(port(fixture)).send(request)) {
      return client.read();
    }
  }

  private static int status(TestServer fixture, String request) {
    return ask(fixture, request).status();
  }

  @Test
  void managementPort_default_isAbsent() {
    try (var fixture = TestServer.start()) {
      assertThat(fixture.server.managementPort()).isEmpty();
      assertThat(fixture.server.managementUri()).isEmpty();
    }
  }

  @ParameterizedTest
  @CsvSource({
    "GET, /system/liveness, 200",
    "GET, /system/readiness, 200",
    "OPTIONS, /system/readiness, 204",
    "POST, /system/readiness, 405",
    "GET, /system, 404",
    "GET, /, 404",
    "GET, /echo, 404"
  })
  void managementPort_servesOnlySystemPaths(String method, String path, int status) {
    try (var fixture = start()) {
      assertThat(fixture.server.managementUri())
          .hasValueSatisfying(uri -> assertThat(uri).hasPort(port(fixture)).hasHost("127.0.0.1"));
      var request = method + " " + path + " HTTP/1.1\r\n" + HOST + "Content-Length: 0\r\n\r\n";
      assertThat(status(fixture, request)).isEqualTo(status);
      // The main port serves them as well.
      try (var client = fixture.connect().send(get("/system/readiness") + get("/echo"))) {
        assertThat(client.read().status()).isEqualTo(200);
        assertThat(client.read().status()).isEqualTo(200);
      }
    }
  }

  @Test
  void managementPort_apiCall_isNotServed() {
    var calls = new CallApi();
    try (var server =
            ExternalApiServer.over(new EmptyEngine())
                .options(ServerOptions.builder().managementPort(0).build())
                .provider(calls)
                .withoutDiscovery()
                .start();
        var client = RawHttp2.connect(server.managementPort().getAsInt(), WINDOW)) {
      client.call(1, "/read").data(1, 5, true).await("END 1");
      assertThat(client.read(0)).contains("\"status\":404");
      assertThat(calls.opened.availablePermits()).isZero();
    }
  }

  // ---- when the main port does not answer ----

  @Test
  void probe_allIoThreadsBlocked_getsResponse() {
    try (var fixture = start()) {
      var stuck = new ArrayList<RawClient>();
      // Two I/O threads, to which connections are assigned at random.
      while (fixture.api.begun.availablePermits() < 2) {
        stuck.add(fixture.connect().send(get("/stuck")));
        Thread.onSpinWait();
      }
      assertThat(status(fixture, get("/system/liveness"))).isEqualTo(200);
      awaitStatus(fixture, 503);
      fixture.api.release.release(1_000_000);
      awaitStatus(fixture, 200);
      stuck.forEach(RawClient::close);
    }
  }

  private static void awaitStatus(TestServer fixture, int readiness) {
    while (status(fixture, get("/system/readiness")) != readiness) {
      Thread.onSpinWait();
    }
  }

  @Test
  void probe_connectionsExhausted_getsResponse() {
    var limits = TestServer.limits(1 << 16, Duration.ofSeconds(60), Duration.ofSeconds(60), 1);
    try (var fixture = start(options -> options.limits(limits))) {
      var open = new ArrayList<RawClient>();
      for (int i = 0; i < 100; i++) {
        open.add(fixture.connect());
      }
      assertThat(status(fixture, get("/system/readiness"))).isEqualTo(200);
      open.forEach(RawClient::close);
    }
  }

  // ---- the end ----

  @Test
  void readiness_duringDrain_returns503() {
    var fixture = start();
    var port = port(fixture);
    try (var busy = fixture.connect().send(get("/held"));
        var open = RawClient.connect(port).send(get("/system/readiness"))) {
      fixture.api.begun.acquireUninterruptibly();
      assertThat(open.read().status()).isEqualTo(200);
      var stopped = CompletableFuture.runAsync(fixture.server::close);
      while (open.send(get("/system/readiness")).read().status() != 503) {
        Thread.onSpinWait();
      }
      awaitRefused(fixture.port());
      assertThat(ask(fixture, get("/system/readiness")).body()).startsWith(STOPPING);
      assertThat(ask(fixture, get("/system/liveness")).status()).isEqualTo(200);
      try (var http2 = RawHttp2.connect(port, WINDOW)) {
        http2.get("/system/readiness").await("END 1");
        assertThat(http2.read(0)).startsWith(STOPPING);
      }
      assertThat(stopped).isNotDone();
      fixture.api.release.release();
      assertThat(busy.read().status()).isEqualTo(200);
      stopped.join();
      awaitRefused(port);
    }
    awaitNoThread();
  }

  private static void awaitRefused(int port) {
    while (true) {
      try {
        RawClient.connect(port).close();
      } catch (UncheckedIOException e) {
        return;
      }
    }
  }

  private static void awaitNoThread() {
    while (Thread.getAllStackTraces().keySet().stream()
        .anyMatch(thread -> thread.getName().startsWith("evita"))) {
      Thread.onSpinWait();
    }
  }

  // ---- the configuration ----

  @Test
  void start_portInUse_isNamedAndLeavesNothingOpen() {
    try (var first = TestServer.start()) {
      var failure =
          catchThrowableOfType(
              EvitaException.class,
              () -> TestServer.start(options -> options.managementPort(first.port())).close());
      assertThat(failure.code()).isEqualTo(HttpErrorCode.ADDRESS_IN_USE);
      assertThat(failure)
          .hasMessageContaining("127.0.0.1:" + first.port())
          .hasMessageContaining("--management-port");
    }
    awaitNoThread();
  }

  @Test
  void options_outOfRange_areRejectedByName() {
    assertThatThrownBy(() -> ServerOptions.builder().managementPort(65_536).build())
        .hasMessageStartingWith("management-port is 65536; expected a number from 0");
    assertThatThrownBy(() -> ServerOptions.builder().port(80).managementPort(80).build())
        .hasMessage("management-port is 80, as port is; expected another port");
    assertThatThrownBy(() -> start(options -> options.managementHost("no such host")).close())
        .hasMessageStartingWith("management-host is 'no such host'; expected an address");
  }

  @Test
  void managementPort_usesTlsOfTheMainPort() throws Exception {
    var tls = TestCertificate.selfSigned("CN=localhost").writeTo(folder);
    try (var fixture = start(options -> options.tls(tls));
        var client = RawClient.connectTls(port(fixture))) {
      assertThat(fixture.server.managementUri().orElseThrow()).hasScheme("https");
      assertThat(client.send(get("/system/readiness")).read().status()).isEqualTo(200);
    }
  }

  @Test
  void managementPort_ownAddress_isAllowedHost() {
    var probe = get("/system/readiness");
    var foreign = probe.replace("localhost", "evil.example");
    try (var fixture = start()) {
      assertThat(status(fixture, foreign)).isEqualTo(421);
    }
    try (var fixture = start(options -> options.managementHost("0.0.0.0"))) {
      assertThat(status(fixture, foreign)).isEqualTo(200);
      try (var client = fixture.connect().send(foreign)) {
        assertThat(client.read().status()).isEqualTo(421);
      }
    }
    try (var fixture = start(options -> options.allowedHosts(List.of("evil.example")))) {
      assertThat(status(fixture, foreign)).isEqualTo(200);
      assertThat(status(fixture, probe)).isEqualTo(421);
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import dev.evita.externalapi.core.error.HttpErrorCode;
import dev.evita.http.SocketOptions;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Start, shutdown and probes; nothing is leaked. */
@Timeout(120)
final class LifeIT {

  private static final String HOST = "Host: localhost\r\n";
  private static final String ECHO =
      "POST /echo HTTP/1.1\r\n" + HOST + "Content-Length: 3\r\n\r\nabc";

  private static String get(String target) {
    return "GET " + target + " HTTP/1.1\r\n" + HOST + "\r\n";
  }

  // ---- probes ----

  @Test
  void socketOptions_ofEmbedder_areApplied() {
    var sockets = SocketOptions.builder().backlog(1).sendBufferBytes(8 << 10).build();
    try (var server =
            ExternalApiServer.over(new EmptyEngine())
                .provider(new TestApi())
                .withoutDiscovery()
                .sockets(sockets)
                .start();
        var client = RawClient.connect(server.port())) {
      var rows = client.send("GET /rows?n=20000 HTTP/1.1\r\nHost: localhost\r\n\r\n").read();
      assertThat(rows.status()).isEqualTo(200);
      assertThat(rows.body()).hasSize(20_000 * 100 + 1);
    }
  }

  @Test
  void readiness_engineDown_returns503ButLiveness200() {
    try (var fixture = TestServer.start(options -> options.catalogRefresh(Duration.ofMillis(20)));
        var client = fixture.connect()) {
      assertThat(client.send(get("/system/readiness")).read().status()).isEqualTo(200);
      fixture.engine.reachable(false);
      awaitStatus(client, "/system/readiness", 503);
      var down = client.send(get("/system/readiness")).read();
      assertThat(down.body())
          .isEqualTo(
              "{\"status\":\"DOWN\",\"code\":\"DATABASE_UNREACHABLE\","
                  + "\"detail\":\"The database does not respond\"}");
      assertThat(client.send(get("/system/liveness")).read().status()).isEqualTo(200);
      fixture.engine.reachable(true);
      awaitStatus(client, "/system/readiness", 200);
    }
  }

  private static void awaitStatus(RawClient client, String target, int status) {
    while (client.send(get(target)).read().status() != status) {
      Thread.onSpinWait();
    }
  }

  // ---- stop ----

  @Test
  void close_requestInProgress_finishesItAndClosesItsConnection() {
    var fixture = TestServer.start();
    try (var busy = fixture.connect().send(get("/held"));
        var idle = fixture.connect().send(ECHO)) {
      assertThat(idle.read().status()).isEqualTo(200);
      fixture.api.begun.acquireUninterruptibly();
      var stopped = CompletableFuture.runAsync(fixture.server::close);
      awaitRefused(fixture.port());
      var late = idle.send(get("/echo")).read();
      assertThat(late.status()).isEqualTo(503);
      assertThat(late.has("Connection: close")).isTrue();
      assertThat(late.body()).contains("SHUTTING_DOWN");
      assertThat(stopped).isNotDone();
      fixture.api.release.release();
      var answer = busy.read();
      assertThat(answer.status()).isEqualTo(200);
      assertThat(answer.has("Connection: close")).isTrue();
      stopped.join();
    }
  }

  @Test
  void close_requestOutlivesDrain_cancelsIt() throws Exception {
    var fixture = TestServer.start(options -> options.drain(Duration.ofMillis(100)));
    try (var client = fixture.connect().send(get("/endless"))) {
      fixture.api.begun.acquireUninterruptibly();
      fixture.server.close();
      assertThat(fixture.api.cancelled.poll(20, TimeUnit.SECONDS))
          .isEqualTo(ErrorCode.SHUTTING_DOWN);
      assertThat(client.read().status()).isEqualTo(504); // the test statement's own status
    }
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

  @Test
  void close_idleServer_freesPortAndThreads() {
    var fixture = TestServer.start();
    var port = fixture.port();
    try (var client = fixture.connect().send(ECHO)) {
      assertThat(client.read().status()).isEqualTo(200);
      fixture.close();
      assertThat(client.readToEnd()).isEmpty();
    }
    fixture.close();
    try (var again = TestServer.start(options -> options.port(port));
        var client = again.connect().send(ECHO)) {
      assertThat(client.read().status()).isEqualTo(200);
    }
    awaitNoThread();
  }

  private static void awaitNoThread() {
    while (threads() > 0) {
      Thread.onSpinWait();
    }
  }

  private static long threads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().startsWith("evita"))
        .count();
  }

  @Test
  void start_portInUse_isNamed() {
    try (var first = TestServer.start()) {
      assertThatThrownBy(() -> TestServer.start(options -> options.port(first.port())))
          .isInstanceOf(EvitaException.class)
          .hasMessageContaining(Integer.toString(first.port()))
          .extracting(failure -> ((EvitaException) failure).code())
          .isEqualTo(HttpErrorCode.ADDRESS_IN_USE);
    }
    awaitNoThread();
  }

  @Test
  void servers_twoInOneProcess_shareNoState() {
    var first = TestServer.start();
    try (var second = TestServer.start();
        var client = second.connect()) {
      first.close();
      assertThat(client.send(ECHO).read().body()).isEqualTo("abc");
    }
  }

  @Test
  void servers_startedAndClosedOften_leaveNothing() throws Exception {
    cycle();
    awaitNoThread();
    var before = descriptors();
    for (int i = 0; i < 50; i++) {
      cycle();
    }
    awaitNoThread();
    assertThat(descriptors()).isLessThan(before + 10);
  }

  private static void cycle() {
    try (var fixture = TestServer.start();
        var client = fixture.connect().send(ECHO)) {
      assertThat(client.read().status()).isEqualTo(200);
    }
  }

  private static long descriptors() throws Exception {
    var open = Path.of("/proc/self/fd");
    if (!Files.isDirectory(open)) {
      return 0;
    }
    try (var list = Files.list(open)) {
      return list.count();
    }
  }

  // ---- buffers ----

  @Test
  void buffers_validAndInvalidRequests_areAllReturned() {
    var pool = new CountingPool();
    var api = new TestApi();
    var limits = TestServer.limits(Duration.ofSeconds(5), Duration.ofSeconds(2));
    try (var server =
        ExternalApiServer.over(new EmptyEngine())
            .options(ServerOptions.builder().limits(limits).ioThreads(2).workerThreads(4).build())
            .provider(api)
            .withoutDiscovery()
            .buffers(() -> pool)
            .start()) {
      var random = new Random(7);
      for (int i = 0; i < 1_000; i++) {
        oneConnection(server.port(), random);
      }
      while (pool.taken.get() > 0 || server.dispatcher().running() > 0) {
        Thread.onSpinWait();
      }
    }
    awaitNoThread();
    assertThat(pool.taken).hasValue(0);
  }

  /** Ten requests, of which the last is often malformed, too large, incomplete, or not read. */
  private static void oneConnection(int port, Random random) {
    var requests = new ArrayList<String>();
    for (int i = 0; i < 9; i++) {
      requests.add(
          switch (random.nextInt(4)) {
            case 0 -> ECHO;
            case 1 -> ECHO.replace("/echo", "/work");
            case 2 -> get("/rows?n=500");
            default ->
                "POST /echo HTTP/1.1\r\n"
                    + HOST
                    + "Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n";
          });
    }
    requests.add(
        switch (random.nextInt(8)) {
          case 0 -> "\u0016\u0003\u0001noise";
          case 1 -> "GET /echo HTTP/1.1\r\nHost: x";
          case 2 -> "POST /echo HTTP/1.1\r\n" + HOST + "Content-Length: 99999\r\n\r\nabc";
          case 3 ->
              "POST /echo HTTP/1.1\r\n" + HOST + "Transfer-Encoding: chunked\r\n\r\n3\r\nabcd";
          case 4 -> "POST /echo HTTP/1.1\r\n" + HOST + "Content-Length: 9\r\n\r\nabc";
          case 5 -> get("/rows?n=20000");
          case 6 -> get("/broken");
          default -> ECHO;
        });
    try (var client = RawClient.connect(port)) {
      client.send(String.join("", requests));
      if (random.nextBoolean()) {
        client.finish().readToEnd();
      }
    } catch (UncheckedIOException e) {
      // disconnected while it was sending
    }
  }
}

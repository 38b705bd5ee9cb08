// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.evita.api.ErrorCode;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpClient.Version;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests that exceed limits of size, time and number; and clients that disconnect. */
@Timeout(60)
final class LimitsIT {

  private static final String HOST = "Host: localhost\r\n";
  private static final Duration LONG = Duration.ofSeconds(60);
  private static final Duration SHORT = Duration.ofMillis(300);

  private static TestServer server(Duration idle, Duration request) {
    return TestServer.start(options -> options.limits(TestServer.limits(idle, request)));
  }

  private static String post(String path, String fieldsAndBody) {
    return "POST " + path + " HTTP/1.1\r\n" + HOST + fieldsAndBody;
  }

  private static String get(String target) {
    return "GET " + target + " HTTP/1.1\r\n" + HOST + "\r\n";
  }

  // ---- too much ----

  @Test
  void body_contentLengthTooLarge_returns413WhileTheClientSends() {
    try (var fixture = server(LONG, LONG);
        var client = fixture.connect()) {
      client.send(post("/echo", "Content-Length: 900000\r\n\r\n" + "x".repeat(900_000)));
      assertRefused(413, "BODY_TOO_LARGE", client.readToEnd());
    }
  }

  @Test
  void body_chunkedTooLarge_returns413WhileTheClientSends() {
    try (var fixture = server(LONG, LONG);
        var client = fixture.connect()) {
      var chunk = "4000\r\n" + "x".repeat(0x4000) + "\r\n";
      client.send(post("/echo", "Transfer-Encoding: chunked\r\n\r\n" + chunk.repeat(20)));
      assertRefused(413, "BODY_TOO_LARGE", client.readToEnd());
    }
  }

  @Test
  void body_withoutEnd_isDisconnected() {
    try (var fixture = server(LONG, LONG);
        var client = fixture.connect()) {
      client.send(post("/echo", "Content-Length: 900000000\r\n\r\n"));
      try {
        for (int i = 0; i < 10_000; i++) {
          client.send("x".repeat(10_000));
        }
        throw new AssertionError("took 100 MB");
      } catch (UncheckedIOException e) {
        assertThat(e).hasMessageMatching(".*(reset|Broken pipe).*");
      }
    }
  }

  @ParameterizedTest
  @EnumSource(Version.class)
  void body_ofExactlyTheLimit_isAcceptedOneByteMoreIsNot(Version version) throws Exception {
    try (var fixture = server(LONG, LONG);
        var client = HttpClient.newBuilder().version(version).build()) {
      var uri = fixture.server.uri().resolve("/echo");
      client.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.discarding());
      assertThat(status(client, uri, 1 << 16)).isEqualTo(200);
      assertThat(status(client, uri, (1 << 16) + 1)).isEqualTo(413);
      assertThat(status(client, uri, 1 << 16)).isEqualTo(200);
    }
  }

  private static int status(HttpClient client, URI uri, int bytes) throws Exception {
    var request =
        HttpRequest.newBuilder(uri).POST(BodyPublishers.ofByteArray(new byte[bytes])).build();
    return client.send(request, BodyHandlers.ofString()).statusCode();
  }

  @ParameterizedTest
  @ValueSource(ints = {9_000, 60_000, 500_000})
  void head_tooLarge_returns431(int bytes) {
    try (var fixture = server(LONG, LONG);
        var client = fixture.connect()) {
      client.sendInPieces("GET /echo HTTP/1.1\r\n" + HOST + "X: " + "x".repeat(bytes) + "\r\n\r\n");
      assertRefused(431, "HEADERS_TOO_LARGE", client.readToEnd());
    }
  }

  @Test
  void head_tooLargeWithoutEnd_isDisconnected() {
    try (var fixture = server(LONG, SHORT);
        var client = fixture.connect()) {
      client.sendInPieces("GET /echo HTTP/1.1\r\n" + HOST + "X: " + "x".repeat(60_000));
      assertRefused(431, "HEADERS_TOO_LARGE", client.readToEnd());
      assertThatThrownBy(
              () -> {
                while (true) {
                  client.send("x");
                }
              })
          .isInstanceOf(UncheckedIOException.class);
    }
  }

  @Test
  void head_tooManyFields_returns431() {
    try (var fixture = server(LONG, LONG);
        var client = fixture.connect()) {
      var head = new StringBuilder("GET /echo HTTP/1.1\r\n" + HOST);
      for (int i = 0; i < 300; i++) {
        head.append("X").append(i).append(": 1\r\n");
      }
      assertRefused(431, "HEADERS_TOO_LARGE", client.send(head + "\r\n").readToEnd());
    }
  }

  @Test
  void head_atTheLimitWithLargeBody_isAccepted() {
    try (var fixture = server(LONG, LONG);
        var client = fixture.connect()) {
      var field = "X: " + "x".repeat(8_000) + "\r\n";
      client.send(post("/echo", field + "Content-Length: 60000\r\n\r\n" + "x".repeat(60_000)));
      assertThat(client.read().body()).hasSize(60_000);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {4_200, 60_000, 500_000})
  void url_tooLong_returns414Or431(int bytes) {
    try (var fixture = server(LONG, LONG);
        var client = fixture.connect().sendInPieces(get("/echo?q=" + "x".repeat(bytes)))) {
      var answer = client.readToEnd();
      assertThat(answer).matches("(?s)HTTP/1.1 (414|431) .*").contains("Connection: close");
    }
  }

  // ---- too slow ----

  @Test
  void connection_idle_isClosedWithoutResponse() {
    try (var fixture = server(SHORT, LONG);
        var fresh = fixture.connect();
        var used = fixture.connect()) {
      used.send(get("/echo"));
      assertThat(used.read().status()).isEqualTo(200);
      assertThat(used.readToEnd()).isEmpty();
      assertThat(fresh.readToEnd()).isEmpty();
    }
  }

  @Test
  void head_incomplete_isDisconnected() {
    try (var fixture = server(LONG, SHORT);
        var client = fixture.connect().send("GET /echo HTTP/1.1\r\nHost: lo")) {
      assertThat(client.readToEnd()).isEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"Content-Length: 5\r\n\r\nab", "Transfer-Encoding: chunked\r\n\r\n3\r\na"})
  void body_incomplete_returns408(String body) {
    try (var fixture = server(LONG, SHORT);
        var client = fixture.connect().send(post("/echo", body))) {
      assertRefused(408, "REQUEST_TIMEOUT", client.readToEnd());
    }
  }

  @Test
  void upgrade_incompleteBody_isDisconnected() {
    try (var fixture = server(LONG, SHORT);
        var client = fixture.connect()) {
      client.send(
          post(
              "/echo",
              "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n"
                  + "Content-Length: 5\r\n\r\nab"));
      client.readToEnd();
    }
  }

  @Test
  void slowConsumer_isDisconnectedAndItsStatementCancelled() throws Exception {
    try (var fixture = server(LONG, Duration.ofSeconds(1));
        var client = RawClient.connect(fixture.port(), 4_096)) {
      client.send(get("/rows?n=1000000"));
      assertThat(fixture.api.cancelled.poll(20, TimeUnit.SECONDS))
          .isEqualTo(ErrorCode.DEADLINE_EXCEEDED);
      assertNothingRuns(fixture);
    }
  }

  @Test
  void slowConsumer_ofTheLastBytes_isDisconnected() {
    try (var fixture = server(LONG, Duration.ofSeconds(1));
        var client = RawClient.connect(fixture.port(), 4_096)) {
      // More than the socket takes, and written at once: there is no statement left to cancel.
      var body = "x".repeat(60_000);
      for (int i = 0; i < 2_000; i++) {
        client.send(post("/echo", "Content-Length: 60000\r\n\r\n"));
        client.send(body);
      }
      throw new AssertionError("took 120 MB without being read");
    } catch (UncheckedIOException e) {
      assertThat(e).hasMessageMatching(".*(reset|Broken pipe).*");
    }
  }

  @ParameterizedTest
  @EnumSource(Version.class)
  void statement_thatOutlivesTheDeadline_isCancelledAndAnswered504(Version version)
      throws Exception {
    try (var fixture = server(LONG, SHORT);
        var client = HttpClient.newBuilder().version(version).build()) {
      var request = HttpRequest.newBuilder(fixture.server.uri().resolve("/endless")).build();
      var response = client.send(request, BodyHandlers.ofString());
      assertThat(response.statusCode()).isEqualTo(504);
      assertThat(response.body()).contains("DEADLINE_EXCEEDED");
      assertThat(fixture.api.cancelled.poll(20, TimeUnit.SECONDS))
          .isEqualTo(ErrorCode.DEADLINE_EXCEEDED);
    }
  }

  @Test
  void request_queuedPastItsDeadline_returns504() {
    try (var fixture =
            TestServer.start(options ->
                options.limits(TestServer.limits(LONG, Duration.ofSeconds(1))).workerThreads(1));
        var first = fixture.connect().send(get("/held"));
        var second = fixture.connect()) {
      fixture.api.begun.acquireUninterruptibly();
      second.send(post("/work", "Content-Length: 0\r\n\r\n"));
      assertThat(second.read().status()).isEqualTo(504);
      // Work in progress without a statement cannot be ended.
      assertThat(first.readToEnd()).isEmpty();
    }
  }

  // ---- too many ----

  @Test
  void requests_beyondTheQueue_areRejectedImmediately() {
    try (var fixture = TestServer.start(options -> options.workerThreads(2).workerQueue(3))) {
      var admitted = new ArrayList<RawClient>();
      for (int i = 0; i < 5; i++) {
        admitted.add(fixture.connect().send(get("/held")));
      }
      fixture.api.begun.acquireUninterruptibly(2);
      awaitRunning(fixture, 5);
      try (var refused = fixture.connect().send(get("/held"))) {
        var answer = refused.read();
        assertThat(answer.status()).isEqualTo(503);
        assertThat(answer.has("Retry-After: 1")).isTrue();
        assertThat(answer.body()).contains("OVERLOADED");
      }
      fixture.api.release.release(5);
      for (var client : admitted) {
        assertThat(client.read().status()).isEqualTo(200);
        client.close();
      }
      try (var again = fixture.connect().send(post("/work", "Content-Length: 0\r\n\r\n"))) {
        assertThat(again.read().status()).isEqualTo(200);
      }
    }
  }

  // ---- gone ----

  @Test
  void client_disconnected_cancelsItsStatement() throws Exception {
    try (var fixture = server(LONG, LONG)) {
      var client = fixture.connect().send(get("/endless"));
      fixture.api.begun.acquireUninterruptibly();
      client.close();
      assertThat(fixture.api.cancelled.poll(20, TimeUnit.SECONDS)).isEqualTo(ErrorCode.CLIENT_GONE);
      assertNothingRuns(fixture);
    }
  }

  @Test
  void client_disconnectedOverHttp2_cancelsItsStatement() throws Exception {
    try (var fixture = server(LONG, LONG);
        var client = HttpClient.newBuilder().version(Version.HTTP_2).build()) {
      var uri = fixture.server.uri();
      client.send(HttpRequest.newBuilder(uri.resolve("/echo")).build(), BodyHandlers.discarding());
      var endless =
          client.sendAsync(
              HttpRequest.newBuilder(uri.resolve("/endless")).build(), BodyHandlers.ofString());
      fixture.api.begun.acquireUninterruptibly();
      endless.cancel(true);
      assertThat(fixture.api.cancelled.poll(20, TimeUnit.SECONDS)).isEqualTo(ErrorCode.CLIENT_GONE);
      assertNothingRuns(fixture);
      // The other streams of the connection continue.
      var again =
          client.send(
              HttpRequest.newBuilder(uri.resolve("/echo")).build(), BodyHandlers.ofString());
      assertThat(again.statusCode()).isEqualTo(200);
    }
  }

  @Test
  void client_pipeliningDuringARequest_getsBothResponses() {
    try (var fixture = server(LONG, LONG);
        var client = fixture.connect().send(get("/held"))) {
      fixture.api.begun.acquireUninterruptibly();
      client.send(post("/echo", "Content-Length: 3\r\n\r\nabc"));
      awaitProbe(fixture);
      fixture.api.release.release();
      assertThat(client.read().status()).isEqualTo(200);
      assertThat(client.read().body()).isEqualTo("abc");
    }
  }

  @Test
  void response_failingHalfWay_isAborted() {
    try (var fixture = server(LONG, LONG);
        var client = fixture.connect().send(get("/broken"))) {
      assertThat(client.readToEnd()).startsWith("HTTP/1.1 200 ").doesNotContain("\r\n0\r\n\r\n");
      assertNothingRuns(fixture);
    }
  }

  private static void assertRefused(int status, String code, String answer) {
    assertThat(answer)
        .startsWith("HTTP/1.1 " + status + " ")
        .contains("Connection: close\r\n")
        .contains("Content-Type: application/problem+json\r\n")
        .contains("\"code\":\"" + code + "\"");
  }

  private static void assertNothingRuns(TestServer fixture) {
    awaitRunning(fixture, 0);
  }

  private static void awaitRunning(TestServer fixture, int count) {
    while (fixture.server.dispatcher().running() != count) {
      Thread.onSpinWait();
    }
  }

  /** Waits until the same watchdog has detected another client that disconnected meanwhile. */
  private static void awaitProbe(TestServer fixture) {
    var gone = fixture.connect().send(get("/endless"));
    fixture.api.begun.acquireUninterruptibly();
    gone.close();
    try {
      assertThat(fixture.api.cancelled.poll(20, TimeUnit.SECONDS)).isEqualTo(ErrorCode.CLIENT_GONE);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}

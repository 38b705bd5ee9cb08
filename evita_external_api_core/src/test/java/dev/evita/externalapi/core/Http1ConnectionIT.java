// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Persistence, closing and upgrades of HTTP/1 connections. */
final class Http1ConnectionIT {

  private static final String HOST = "Host: localhost\r\n";
  private static final String LIVENESS = "/system/liveness";
  private static final String GET = "GET " + LIVENESS + " HTTP/1.1\r\n" + HOST;
  private static final String SOCKET =
      """
      Upgrade: websocket\r
      Sec-WebSocket-Version: 13\r
      Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r
      """;

  private static TestServer fixture;

  @BeforeAll
  static void start() {
    var limits = TestServer.limits(Duration.ofSeconds(60), Duration.ofSeconds(60));
    fixture = TestServer.start(options -> options.limits(limits));
  }

  @AfterAll
  static void stop() {
    fixture.close();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Connection: close\r\n",
        "Connection: Close\r\n",
        "Connection: close, TE\r\nTE: trailers\r\n",
        "Connection: TE , close\r\nTE: trailers\r\n",
        "Connection: TE\r\nConnection: close\r\nTE: trailers\r\n",
        "Connection: keep-alive\r\nConnection: x,close\r\n"
      })
  void connectionClose_anyPositionInTheList_closes(String fields) {
    try (var client = fixture.connect().send(GET + fields + "\r\n" + GET + "\r\n")) {
      assertThat(client.readToEnd())
          .startsWith("HTTP/1.1 200 OK\r\n")
          .contains("Connection: close\r\n")
          .as("a response to the request after it")
          .doesNotMatch("(?s).+HTTP/1\\.[01] \\d.*");
    }
  }

  @Test
  void connectionField_closeAsPrefix_keepsTheConnection() {
    try (var client = fixture.connect().send(GET + "Connection: closed, x-close\r\n\r\n")) {
      assertThat(client.read().status()).isEqualTo(200);
      assertThat(client.send(GET + "\r\n").read().status()).isEqualTo(200);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {LIVENESS, "/rows?n=2000", "/nowhere"})
  void http10_keepAlive_isConfirmed(String target) {
    var request = "GET " + target + " HTTP/1.0\r\nConnection: keep-alive\r\n\r\n";
    try (var client = fixture.connect().send(request)) {
      var head = client.readHead();
      if (head.contains("Content-Length: ")) {
        assertThat(head).containsIgnoringCase("Connection: keep-alive\r\n");
      } else {
        assertThat(head).contains("Connection: close\r\n");
      }
    }
  }

  @Test
  void http10_withoutKeepAlive_closes() {
    try (var client = fixture.connect().send("GET " + LIVENESS + " HTTP/1.0\r\n\r\n")) {
      assertThat(client.readToEnd()).contains("Connection: close\r\n");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Upgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n",
        "Connection: HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n",
        "Connection: upgrade\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n"
      })
  void h2c_notInConnectionField_isServedByHttp1(String fields) {
    try (var client = fixture.connect().send(GET + fields + "\r\n")) {
      assertThat(client.read().status()).isEqualTo(200);
    }
  }

  @Test
  void h2c_overHttp10_isServedByHttp1() {
    var request =
        "GET " + LIVENESS + " HTTP/1.0\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\n";
    try (var client = fixture.connect().send(request + "HTTP2-Settings: AAMAAABk\r\n\r\n")) {
      assertThat(client.read().status()).isEqualTo(200);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "HTTP/1.1, Connection: Upgrade, 101",
    "HTTP/1.1, Connection: keep-alive%2C upgrade, 101",
    "HTTP/1.1, X: y, 426",
    "HTTP/1.1, Connection: keep-alive, 426",
    "HTTP/1.0, Connection: Upgrade, 426"
  })
  void webSocket_onlyIfConnectionFieldNamesUpgrade_isOpened(
      String version, String field, int status) {
    try (var server =
            ExternalApiServer.over(new EmptyEngine())
                .port(0)
                .provider(new OpenApi())
                .withoutDiscovery()
                .start();
        var client = RawClient.connect(server.port())) {
      var fields = field.replace("%2C", ",") + "\r\n" + SOCKET;
      client.send("GET /socket " + version + "\r\n" + HOST + fields + "\r\n");
      assertThat(client.readHead()).startsWith(version + " " + status + " ");
    }
  }

  @Test
  void options_asterisk_listsMethods() {
    try (var client = fixture.connect().send("OPTIONS * HTTP/1.1\r\n" + HOST + "\r\n")) {
      var answer = client.read();
      assertThat(answer.status()).isEqualTo(204);
      assertThat(answer.head()).contains("Allow: GET, HEAD, OPTIONS, POST, PUT\r\n");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {";x=1", ";", "%3Bx", "/;x"})
  void path_withParameters_isNotFound(String parameters) {
    try (var client =
        fixture.connect().send("GET " + LIVENESS + parameters + " HTTP/1.1\r\n" + HOST + "\r\n")) {
      assertThat(client.read().status()).isEqualTo(404);
    }
  }

  @Test
  void reasonPhrase_contentTooLarge_followsRfc9110() {
    var request = "POST /echo HTTP/1.1\r\n" + HOST + "Content-Length: 70000\r\n\r\n";
    try (var client = fixture.connect().send(request)) {
      assertThat(client.readHead()).startsWith("HTTP/1.1 413 Content Too Large\r\n");
    }
  }

  @Test
  void rejectedRequest_withoutItsBody_releasesItsConnection() {
    var limits = TestServer.limits(1 << 16, Duration.ofSeconds(60), Duration.ofSeconds(60), 2);
    try (var small = TestServer.start(options -> options.limits(limits))) {
      for (int i = 0; i < 6; i++) {
        try (var client = small.connect().send("GET / HTTP/1.1\r\nContent-Length: 5\r\n\r\n")) {
          assertThat(client.readToEnd()).startsWith("HTTP/1.1 400 Bad Request\r\n");
        }
      }
      try (var client = small.connect().send(GET + "\r\n")) {
        assertThat(client.read().status()).isEqualTo(200);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Content-Length: 60000\r\n\r\n",
        "Content-Length: 60000\r\n\r\nabc",
        "Transfer-Encoding: chunked\r\n\r\n",
        "Expect: 100-continue\r\nContent-Length: 5\r\n\r\n"
      })
  void unknownPath_beforeItsBody_isRejectedImmediately(String fields) {
    try (var client = fixture.connect().send("POST /nowhere HTTP/1.1\r\n" + HOST + fields)) {
      assertThat(client.readToEnd())
          .startsWith("HTTP/1.1 404 Not Found\r\n")
          .contains("Connection: close\r\n");
    }
  }

  @Test
  void unknownPath_withBody_keepsTheConnection() {
    var request = "POST /nowhere HTTP/1.1\r\n" + HOST + "Content-Length: 3\r\n\r\nabc";
    try (var client = fixture.connect().send(request + GET + "\r\n")) {
      assertThat(client.read().status()).isEqualTo(404);
      assertThat(client.read().status()).isEqualTo(200);
    }
  }
}

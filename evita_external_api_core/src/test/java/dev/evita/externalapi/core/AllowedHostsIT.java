// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Host names that the server does not serve. A page whose name is rebound to 127.0.0.1 after it was
 * loaded (DNS rebinding) has the same origin as the server, for its browser and for {@code Cors}
 * alike: it could read and write.
 */
@Timeout(60)
final class AllowedHostsIT {

  private static final String OWN = "Host: localhost\r\n";
  private static final String FOREIGN = "Host: evil.example\r\n";
  private static final int WINDOW = 65_535;

  private static TestServer onLoopback() {
    return TestServer.start();
  }

  private static String get(String target, String fields) {
    return "GET " + target + " HTTP/1.1\r\n" + fields + "\r\n";
  }

  private static int status(TestServer fixture, String request) {
    try (var client = fixture.connect().send(request)) {
      return client.read().status();
    }
  }

  // ---- HTTP/1 ----

  @ParameterizedTest
  @ValueSource(
      strings = {
        "GET /echo HTTP/1.1\r\n" + FOREIGN + "\r\n",
        "GET /echo HTTP/1.1\r\nHost: evil.example:5555\r\n\r\n",
        "GET /echo HTTP/1.0\r\n" + FOREIGN + "\r\n",
        "GET /nowhere HTTP/1.1\r\n" + FOREIGN + "\r\n",
        "GET /system/readiness HTTP/1.1\r\n" + FOREIGN + "\r\n",
        "POST /work HTTP/1.1\r\n"
            + FOREIGN
            + "Origin: http://evil.example\r\nContent-Length: 3\r\n\r\nabc",
        "POST /work HTTP/1.1\r\n" + FOREIGN + "Transfer-Encoding: chunked\r\n\r\n3\r\nabc",
        "OPTIONS /echo HTTP/1.1\r\n"
            + FOREIGN
            + "Origin: http://evil.example\r\nAccess-Control-Request-Method: POST\r\n\r\n",
        "GET /echo HTTP/1.1\r\n"
            + FOREIGN
            + "Origin: http://evil.example\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
            + "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n",
        "GET /echo HTTP/1.1\r\n"
            + FOREIGN
            + "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\n"
            + "HTTP2-Settings: AAMAAABk\r\n\r\n",
        "GET http://evil.example/echo HTTP/1.1\r\n" + FOREIGN + "\r\n",
        "GET http://evil.example/echo HTTP/1.0\r\n\r\n",
        "GET http://evil.example HTTP/1.0\r\n\r\n",
        "GET http://localhost.evil.example/echo HTTP/1.1\r\n" + OWN + "\r\n",
        "GET http://localhost@evil.example/echo HTTP/1.1\r\n" + OWN + "\r\n",
        "GET http://evil.example?localhost/ HTTP/1.0\r\n\r\n",
        "GET http://localhost/evil.example HTTP/1.1\r\n" + FOREIGN + "\r\n"
      })
  void foreignHost_anyRequest_returns421AndCloses(String request) {
    try (var fixture = onLoopback();
        var client = fixture.connect().send(request)) {
      var answer = client.readToEnd();
      assertThat(answer)
          .matches("(?s)HTTP/1\\.[01] 421 Misdirected Request\r\n.*")
          .contains("Connection: close\r\n")
          .contains("Content-Type: application/problem+json\r\n")
          .contains("\"title\":\"Misdirected Request\",\"status\":421")
          .contains("\"code\":\"HOST_NOT_ALLOWED\"")
          .contains("evil.example")
          .contains("localhost, *.localhost, 127.0.0.0/8, [::1]")
          .contains("allowed-hosts");
    }
  }

  /** Undertow rejects an absolute target that does not contain the Host. */
  @ParameterizedTest
  @CsvSource({"http://evil.example/echo, localhost", "http://localhost/echo, evil.example"})
  void absoluteTarget_otherHostField_isRejected(String target, String host) {
    try (var fixture = onLoopback()) {
      assertThat(status(fixture, get(target, "Host: " + host + "\r\n"))).isIn(400, 421);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "localhost",
        "LocalHost:5555",
        "localhost.",
        "localhost.:80",
        "app.localhost",
        "a.b.localhost:1",
        "127.0.0.1",
        "127.255.3.4:65535",
        "[::1]",
        "[::1]:5555"
      })
  void loopbackName_anyForm_isServed(String host) {
    try (var fixture = onLoopback()) {
      var field = "Host: " + host + "\r\n";
      assertThat(status(fixture, get("/echo", field))).isEqualTo(200);
      assertThat(status(fixture, get("http://" + host + "/echo", field))).isEqualTo(200);
    }
  }

  @Test
  void http10_withoutHost_isServed() {
    try (var fixture = onLoopback()) {
      assertThat(status(fixture, "GET /echo HTTP/1.0\r\n\r\n")).isEqualTo(200);
    }
  }

  @Test
  void foreignHost_pipelined_endsThePipeline() {
    try (var fixture = onLoopback();
        var client = fixture.connect()) {
      client.send(get("/echo", OWN) + get("/echo", FOREIGN) + get("/echo", OWN));
      assertThat(client.read().status()).isEqualTo(200);
      assertThat(client.readToEnd())
          .startsWith("HTTP/1.1 421 ")
          .doesNotMatch("(?s).+HTTP/1\\.[01] \\d.*");
    }
  }

  /** RFC 9112, section 3.2.2: the target's host is that of the request, and so of its page. */
  @Test
  void absoluteTarget_otherHostField_determinesTheOrigin() {
    try (var server =
        ExternalApiServer.over(new EmptyEngine())
            .provider(new OpenApi())
            .withoutDiscovery()
            .start()) {
      var request =
          """
          GET http://app.localhost/socket HTTP/1.1\r
          Host: localhost\r
          Connection: Upgrade\r
          Upgrade: websocket\r
          Sec-WebSocket-Version: 13\r
          Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r
          Origin: http://%s\r
          \r
          """;
      try (var own = RawClient.connect(server.port());
          var foreign = RawClient.connect(server.port())) {
        assertThat(own.send(request.formatted("app.localhost")).readHead()).contains(" 101 ");
        assertThat(foreign.send(request.formatted("localhost")).readHead()).contains(" 403 ");
      }
    }
  }

  // ---- HTTP/2 ----

  @ParameterizedTest
  @CsvSource(
      nullValues = "-",
      value = {
        "evil.example, -",
        "evil.example:5555, localhost",
        "localhost, evil.example",
        "-, evil.example",
        "localhost@evil.example, -"
      })
  void foreignHost_overHttp2_returns421(String authority, String host) {
    try (var fixture = onLoopback();
        var client = RawHttp2.connect(fixture.port(), WINDOW)) {
      assertThat(client.get(1, "/echo", authority, host).read(1 << 20))
          .contains("\"status\":421,\"code\":\"HOST_NOT_ALLOWED\"")
          .contains("evil.example");
    }
    // The other streams of such a connection are served.
    try (var fixture = onLoopback();
        var client = RawHttp2.connect(fixture.port(), WINDOW)) {
      client.get(1, "/echo", authority, host).await("END 1");
      client.get(3, "/below/ok", "localhost", null).await("END 3");
      assertThat(client.read(0)).endsWith("/below/ok");
    }
  }

  @ParameterizedTest
  @CsvSource(
      nullValues = "-",
      value = {"localhost, -", "127.0.0.1:5555, 127.0.0.1:5555", "-, localhost:1", "-, -"})
  void loopbackName_overHttp2_isServed(String authority, String host) {
    try (var fixture = onLoopback();
        var client = RawHttp2.connect(fixture.port(), WINDOW)) {
      client.get(1, "/below/ok", authority, host).await("END 1");
      assertThat(client.read(0)).isEqualTo("/below/ok");
    }
  }

  // ---- the configuration ----

  @Test
  void nonLoopbackAddress_noAllowedHosts_servesAllHosts() {
    try (var fixture = TestServer.start(options -> options.host("0.0.0.0"))) {
      assertThat(status(fixture, get("/echo", FOREIGN))).isEqualTo(200);
    }
  }

  @Test
  void allowedHosts_configured_onlyTheseAreServed() {
    try (var fixture =
        TestServer.start(options ->
            options
                .host("0.0.0.0")
                .allowedHosts(List.of("db.example", "*.Apps.example", "[::2]")))) {
      for (var host : new String[] {"db.example", "DB.example.:80", "a.apps.example", "[::2]:1"}) {
        assertThat(status(fixture, get("/echo", "Host: " + host + "\r\n"))).isEqualTo(200);
      }
      for (var host : new String[] {"localhost", "apps.example", "a.db.example", "127.0.0.1"}) {
        assertThat(status(fixture, get("/echo", "Host: " + host + "\r\n"))).isEqualTo(421);
      }
    }
  }

  @Test
  void allowedHosts_asteriskOnLoopback_servesAllHosts() {
    try (var fixture = TestServer.start(options -> options.allowedHosts(List.of("*")))) {
      assertThat(status(fixture, get("/echo", FOREIGN))).isEqualTo(200);
    }
  }

  @Test
  void inProcessClient_withoutHost_isServed() {
    try (var fixture = TestServer.start(options -> options.allowedHosts(List.of("db.example")))) {
      var request = new InProcessClient.Request("GET", "/echo", Map.of("Host", "x"), new byte[0]);
      assertThat(fixture.server.client().send(request).status()).isEqualTo(200);
    }
  }
}

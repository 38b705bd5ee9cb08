// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.evita.api.EvitaException;
import dev.evita.externalapi.core.web.CorsOptions;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** CORS as browsers see it: over a socket, header by header. */
final class CorsIT {

  private static final String APP = "https://app.example";
  private static final String PREFLIGHT =
      """
      Access-Control-Request-Method: POST\r
      Access-Control-Request-Headers: content-type,authorization\r
      """;

  private static TestServer allowing(boolean credentials, String... origins) {
    var cors =
        CorsOptions.builder().corsOrigins(List.of(origins)).corsCredentials(credentials).build();
    return TestServer.start(options -> options.cors(cors));
  }

  private static RawClient.Answer ask(
      TestServer server, String method, String target, String headers) {
    try (var client = server.connect()) {
      return client
          .send(method + " " + target + " HTTP/1.1\r\nHost: localhost\r\n" + headers + "\r\n")
          .read();
    }
  }

  private static String origin(String origin) {
    return "Origin: " + origin + "\r\n";
  }

  @Test
  void cors_notConfigured_sendsNoHeaders() {
    try (var server = TestServer.start()) {
      var preflight = ask(server, "OPTIONS", "/echo", origin(APP) + PREFLIGHT);
      assertThat(preflight.head())
          .doesNotContainIgnoringCase("access-control")
          .doesNotContain("Vary");
      assertThat(ask(server, "GET", "/echo", origin(APP)).head())
          .doesNotContainIgnoringCase("access-control");
    }
  }

  @Test
  void origin_onlyIfAllowed_mayRead() {
    try (var server = allowing(false, APP, "http://localhost:3000")) {
      var allowed = ask(server, "GET", "/echo", origin(APP));
      assertThat(allowed.has("Access-Control-Allow-Origin: " + APP)).isTrue();
      assertThat(allowed.has("Vary: Origin")).isTrue();
      assertThat(allowed.head()).contains("Access-Control-Expose-Headers: ").contains("ETag");
      assertThat(allowed.head()).doesNotContain("Allow-Credentials");
      for (var other : List.of("https://evil.example", "https://app.example.evil", "null", "")) {
        var refused = ask(server, "GET", "/echo", origin(other));
        assertThat(refused.status()).isEqualTo(200);
        assertThat(refused.head()).doesNotContain("Access-Control");
        assertThat(refused.has("Vary: Origin")).isTrue();
      }
      // A cache must not give a response without the headers to an allowed page.
      assertThat(ask(server, "GET", "/echo", "").has("Vary: Origin")).isTrue();
    }
  }

  @Test
  void problem_allowedOrigin_isReadable() {
    try (var server = allowing(false, APP)) {
      for (var target : List.of("/nowhere", "/thrown", "/echo?" + "x".repeat(20_000))) {
        var answer = ask(server, "GET", target, origin(APP));
        assertThat(answer.status()).isGreaterThanOrEqualTo(400);
        assertThat(answer.has("Access-Control-Allow-Origin: " + APP)).isTrue();
      }
    }
  }

  @Test
  void preflight_allowedOrigin_returnsMethodsHeadersAndMaxAge() {
    try (var server = allowing(true, APP)) {
      var answer =
          ask(
              server,
              "OPTIONS",
              "/echo",
              origin(APP) + PREFLIGHT + "Access-Control-Request-Private-Network: true\r\n");
      assertThat(answer.status()).isEqualTo(204);
      assertThat(answer.has("Access-Control-Allow-Origin: " + APP)).isTrue();
      assertThat(answer.has("Access-Control-Allow-Credentials: true")).isTrue();
      assertThat(answer.has("Access-Control-Allow-Methods: GET, POST, PUT, HEAD, OPTIONS"))
          .isTrue();
      assertThat(answer.has("Access-Control-Allow-Headers: content-type,authorization")).isTrue();
      assertThat(answer.has("Access-Control-Allow-Private-Network: true")).isTrue();
      assertThat(answer.has("Access-Control-Max-Age: 600")).isTrue();
      var refused = ask(server, "OPTIONS", "/echo", origin("https://evil.example") + PREFLIGHT);
      assertThat(refused.head()).doesNotContain("Access-Control");
      var nowhere = ask(server, "OPTIONS", "/nowhere", origin(APP) + PREFLIGHT);
      assertThat(nowhere.status()).isEqualTo(404);
      assertThat(nowhere.head()).doesNotContain("Allow-Methods");
    }
  }

  @Test
  void anyOrigin_withoutCredentials_mayRead() {
    try (var server = allowing(false, "*")) {
      var answer = ask(server, "GET", "/echo", origin("https://any.example"));
      assertThat(answer.has("Access-Control-Allow-Origin: *")).isTrue();
      assertThat(answer.head()).doesNotContain("Credentials").doesNotContain("Vary");
    }
  }

  @Test
  void options_invalid_areRejectedByName() {
    for (var origin :
        List.of("app.example", "https://app.example/", "HTTPS://app.example", "null")) {
      assertThatThrownBy(() ->
              CorsOptions.builder().corsOrigins(List.of(origin)).corsMaxAge(Duration.ZERO).build())
          .isInstanceOf(EvitaException.class)
          .hasMessageContaining("cors-origins contains '" + origin + "'");
    }
    assertThatThrownBy(() ->
            CorsOptions.builder()
                .corsOrigins(List.of("*"))
                .corsCredentials(true)
                .corsMaxAge(Duration.ZERO)
                .build())
        .hasMessageContaining("cors-credentials");
    assertThatThrownBy(() ->
            CorsOptions.builder().corsOrigins(List.of("*", APP)).corsMaxAge(Duration.ZERO).build())
        .hasMessageContaining("cors-origins");
    assertThat(
            CorsOptions.builder()
                .corsOrigins(List.of("http://[::1]:3000", "app://local"))
                .corsCredentials(true)
                .corsMaxAge(Duration.ZERO)
                .build())
        .isNotNull();
  }

  /** Browsers let any page open any WebSocket: the server must check. */
  @Test
  void webSocket_foreignOrigin_isRejected() {
    var base = ServerOptions.builder();
    var cors = CorsOptions.builder().corsOrigins(List.of(APP)).corsMaxAge(Duration.ZERO).build();
    for (var options : List.of(base.build(), base.cors(cors).build())) {
      try (var server =
          ExternalApiServer.over(new EmptyEngine())
              .options(options)
              .provider(new OpenApi())
              .withoutDiscovery()
              .start()) {
        var configured = !options.cors().corsOrigins().isEmpty();
        assertThat(upgrade(server, "")).isEqualTo(101);
        assertThat(upgrade(server, origin("http://localhost"))).isEqualTo(101);
        assertThat(upgrade(server, origin("https://evil.example"))).isEqualTo(403);
        assertThat(upgrade(server, origin("http://localhost.evil"))).isEqualTo(403);
        assertThat(upgrade(server, origin(APP))).isEqualTo(configured ? 101 : 403);
      }
    }
  }

  private static int upgrade(ExternalApiServer server, String headers) {
    try (var client = RawClient.connect(server.port())) {
      var head =
          client
              .send(
                  """
                  GET /socket HTTP/1.1\r
                  Host: localhost\r
                  Upgrade: websocket\r
                  Connection: Upgrade\r
                  Sec-WebSocket-Version: 13\r
                  Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r
                  """
                      + headers
                      + "\r\n")
              .readHead();
      return Integer.parseInt(head.substring(9, 12));
    }
  }
}

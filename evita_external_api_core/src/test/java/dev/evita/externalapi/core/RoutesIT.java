// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Responses that the server gives for all APIs: methods, and responses without a body. */
final class RoutesIT {

  private static TestServer fixture;

  @BeforeAll
  static void start() {
    fixture = TestServer.start();
  }

  @AfterAll
  static void stop() {
    fixture.close();
  }

  private static String request(String method, String target) {
    return method + " " + target + " HTTP/1.1\r\nHost: localhost\r\n\r\n";
  }

  @Test
  void method_notAllowed_listsAllowedOnes() {
    try (var client = fixture.connect().send(request("DELETE", "/echo"))) {
      var answer = client.read();
      assertThat(answer.status()).isEqualTo(405);
      assertThat(answer.has("Allow: GET, POST, PUT, HEAD, OPTIONS")).isTrue();
      assertThat(answer.body()).contains("METHOD_NOT_ALLOWED");
    }
  }

  @Test
  void options_path_returnsAllowWithoutBody() {
    try (var client = fixture.connect().send(request("OPTIONS", "/work"))) {
      var answer = client.read();
      assertThat(answer.status()).isEqualTo(204);
      assertThat(answer.has("Allow: POST, OPTIONS")).isTrue();
      assertThat(client.send(request("GET", "/echo")).read().status()).isEqualTo(200);
    }
  }

  @Test
  void head_path_returnsHeadersOfGetWithoutBody() {
    try (var client = fixture.connect().send(request("HEAD", "/below/x"))) {
      client.send(request("GET", "/below/y"));
      // With a body, the next response would not begin where this one ends.
      assertThat(client.readHead()).startsWith("HTTP/1.1 200 ").contains("Content-Length: 8\r\n");
      assertThat(client.read().body()).isEqualTo("/below/y");
    }
  }

  @Test
  void head_streamedResponse_hasNoBody() {
    try (var client = fixture.connect().send(request("HEAD", "/rows?n=5000"))) {
      assertThat(client.readHead()).startsWith("HTTP/1.1 200 ");
      assertThat(client.send(request("GET", "/below/y")).read().body()).isEqualTo("/below/y");
    }
  }

  @Test
  void path_onlyBelowThePrefix_isFound() {
    try (var client = fixture.connect()) {
      assertThat(client.send(request("GET", "/below/a/b")).read().body()).isEqualTo("/below/a/b");
      assertThat(client.send(request("GET", "/belowx")).read().status()).isEqualTo(404);
    }
  }
}

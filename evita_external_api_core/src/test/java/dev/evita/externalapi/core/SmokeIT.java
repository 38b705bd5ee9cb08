// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evita.externalapi.core.InProcessClient.Request;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpClient.Version;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The same bodies in process, and over HTTP/1.1 and HTTP/2 (h2c by upgrade). */
final class SmokeIT {

  private static TestServer fixture;

  enum Way {
    IN_PROCESS,
    HTTP_1_1,
    HTTP_2;

    private record Answer(int status, String type, String text) {}

    private Answer send(String method, String target, String body)
        throws IOException, InterruptedException {
      var bytes = body.getBytes(StandardCharsets.UTF_8);
      return switch (this) {
        case IN_PROCESS -> {
          var request = new Request(method, target, Map.of("Content-Type", "text/plain"), bytes);
          var response = fixture.server.client().send(request);
          yield new Answer(
              response.status(), response.headers().get("Content-Type"), response.text());
        }
        case HTTP_1_1 -> socket(Version.HTTP_1_1, method, target, bytes);
        case HTTP_2 -> socket(Version.HTTP_2, method, target, bytes);
      };
    }

    private static Answer socket(Version version, String method, String target, byte[] body)
        throws IOException, InterruptedException {
      try (var client = HttpClient.newBuilder().version(version).build()) {
        HttpResponse<String> response = null;
        if (body.length > 10_000) {
          // Undertow declines an upgrade with a large body.
          var upgrade = HttpRequest.newBuilder(fixture.server.uri().resolve("/echo")).build();
          client.send(upgrade, BodyHandlers.discarding());
        }
        // The second request is the first one that an upgraded connection carries from its
        // beginning.
        for (int i = 0; i < 2; i++) {
          var request =
              HttpRequest.newBuilder(URI.create(fixture.server.uri() + target))
                  .method(method, BodyPublishers.ofByteArray(body))
                  .build();
          response = client.send(request, BodyHandlers.ofString());
          assertThat(response.version()).isEqualTo(version);
        }
        return new Answer(
            response.statusCode(),
            response.headers().firstValue("Content-Type").orElse(""),
            response.body());
      }
    }
  }

  @BeforeAll
  static void start() {
    fixture = TestServer.start();
  }

  @AfterAll
  static void stop() {
    fixture.close();
  }

  @ParameterizedTest
  @EnumSource
  void echo_onIoThread_returnsBody(Way way) throws Exception {
    var answer = way.send("POST", "/echo", "grüße");
    assertThat(answer).isEqualTo(new Way.Answer(200, "text/plain", "grüße"));
  }

  @ParameterizedTest
  @EnumSource
  void echo_largeBody_returnsAllOfIt(Way way) throws Exception {
    var body = "0123456789".repeat(90_000);
    assertThat(way.send("POST", "/echo", body).text()).isEqualTo(body);
  }

  @ParameterizedTest
  @EnumSource
  void work_onWorker_returnsBody(Way way) throws Exception {
    assertThat(way.send("POST", "/work", "hello").text()).isEqualTo("hello");
  }

  @ParameterizedTest
  @EnumSource
  void rows_few_areComplete(Way way) throws Exception {
    assertThat(way.send("GET", "/rows?n=2", "").text())
        .isEqualTo("[\"" + TestApi.ROW + "\",\"" + TestApi.ROW + "\"]");
  }

  @ParameterizedTest
  @EnumSource
  void rows_beyondBuffers_areComplete(Way way) throws Exception {
    var text = way.send("GET", "/rows?n=100000", "").text();
    assertThat(text).hasSize(100_000 * 100 + 1).startsWith("[\"x").endsWith("x\"]");
  }

  @ParameterizedTest
  @EnumSource
  void get_unknownPath_returnsProblem(Way way) throws Exception {
    var answer = way.send("GET", "/nowhere", "");
    assertThat(answer.status()).isEqualTo(404);
    assertThat(answer.type()).isEqualTo("application/problem+json");
    assertThat(answer.text())
        .isEqualTo(
            """
            {"type":"about:blank","title":"Not Found","status":404,"code":"NOT_FOUND",\
            "detail":"No resource at '/nowhere'"}\
            """);
  }

  @ParameterizedTest
  @EnumSource
  void thrown_unexpected_tellsNothingOfTheInside(Way way) throws Exception {
    var answer = way.send("GET", "/thrown", "");
    assertThat(answer.status()).isEqualTo(500);
    assertThat(answer.text()).contains("\"INTERNAL\"").doesNotContain("secret");
  }
}

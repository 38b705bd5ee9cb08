// SPDX-License-Identifier: Apache-2.0
package dev.evita.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evita.engine.jdbc.JdbcEngine;
import dev.evita.externalapi.core.ExternalApiServer;
import dev.evita.externalapi.core.ServerOptions;
import dev.evita.externalapi.core.limits.Limits;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Requests rejected by the server before an API handles them still get the form of that API. */
@Timeout(120)
final class RefusalsIT {

  private static final String URL = "jdbc:h2:mem:refusals";

  private static JdbcEngine engine;
  private static ExternalApiServer server;

  @BeforeAll
  static void start() throws SQLException {
    engine = JdbcEngine.open(URL);
    try (var connection = DriverManager.getConnection(URL);
        var statement = connection.createStatement()) {
      statement.execute("create table pets (id int primary key)");
    }
    var limits =
        Limits.builder()
            .maxBodyBytes(1_000)
            .maxUrlBytes(500)
            .requestTimeout(Duration.ofSeconds(2))
            .build();
    server =
        ExternalApiServer.over(engine)
            .options(ServerOptions.builder().limits(limits).build())
            .port(0)
            .start();
  }

  @AfterAll
  static void stop() {
    server.close();
    engine.close();
  }

  private static String answer(String request) throws IOException {
    try (var socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
      socket.setSoTimeout(10_000);
      socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private static String request(String method, String path, String fields) {
    var target = path + (fields.equals("long URL") ? "?x=" + "y".repeat(500) : "");
    var more =
        switch (fields) {
          case "large body" -> "Content-Length: 1001\r\n";
          case "no body" -> "Content-Length: 5\r\n";
          case "gzip" -> "Content-Encoding: gzip\r\nContent-Length: 5\r\n";
          case "foreign host" -> "Content-Length: 0\r\n";
          default -> "Connection: close\r\n";
        };
    var host = fields.equals("foreign host") ? "evil.example" : "localhost";
    return method
        + " "
        + target
        + " HTTP/1.1\r\nHost: "
        + host
        + "\r\nContent-Type: application/json\r\n"
        + more
        + "\r\n";
  }

  @ParameterizedTest
  @CsvSource({
    "POST,  large body,   413, BODY_TOO_LARGE,         BODY_TOO_LARGE",
    "POST,  no body,      408, REQUEST_TIMEOUT,        REQUEST_TIMEOUT",
    "POST,  gzip,         415, UNSUPPORTED_MEDIA_TYPE, UNSUPPORTED_MEDIA_TYPE",
    "POST,  foreign host, 421, HOST_NOT_ALLOWED,       HOST_NOT_ALLOWED",
    "GET,   long URL,     414, URL_TOO_LONG,           URL_TOO_LONG",
    "TRACK, nothing,      405, METHOD_NOT_ALLOWED,     PGRST117"
  })
  void rejection_hasTheFormOfItsApi(
      String method, String fault, int status, String code, String restCode) throws IOException {
    var rest = answer(request(method, "/rest/pets", fault));
    assertThat(rest)
        .startsWith("HTTP/1.1 " + status + " ")
        .contains("\"error\":\"" + code + "\",\"code\":\"" + restCode + "\",\"message\":")
        .contains("\"details\":")
        .contains("\"hint\":");
    var graphQl = answer(request(method, "/graphql", fault));
    assertThat(graphQl)
        .startsWith("HTTP/1.1 " + status + " ")
        .contains("\r\n\r\n{\"errors\":[{\"message\":")
        .contains("\"extensions\":{\"code\":\"" + code + "\"");
    var other = answer(request(method, "/system/liveness", fault));
    if (fault.equals("no body")) {
      assertThat(other).startsWith("HTTP/1.1 405 ");
    } else {
      assertThat(other)
          .startsWith("HTTP/1.1 " + status + " ")
          .contains("Content-Type: application/problem+json\r\n")
          .contains("\"code\":\"" + code + "\"");
    }
    if (status == 405) {
      assertThat(rest).contains("\r\nAllow: ");
      assertThat(graphQl).contains("\r\nAllow: GET, POST, HEAD, OPTIONS\r\n");
    }
  }
}

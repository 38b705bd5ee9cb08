// SPDX-License-Identifier: Apache-2.0
package dev.evita.candidates.quarkusgraphql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.ConnectException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What is compared with must answer right. */
@Tag("benchmarks")
@Timeout(120)
final class QuarkusGraphQlIT {

  private static final Path SCRIPT =
      Path.of("../../../src/main/resources/dev/evita/benchmarks/shop.sql");

  private int port;
  private Process server;

  @BeforeEach
  void start() throws IOException {
    try (var socket = new ServerSocket(0)) {
      port = socket.getLocalPort();
    }
    server =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Dport=" + port,
                "-Dscript=" + SCRIPT.toAbsolutePath(),
                "-jar",
                "target/quarkus-app/quarkus-run.jar")
            .inheritIO()
            .start();
  }

  @AfterEach
  void stop() {
    server.destroy();
  }

  @Test
  void queries_answerRight() throws IOException, InterruptedException {
    assertThat(answer("{ echo(message: \\\"hello\\\") { message } }"))
        .isEqualTo("{\"data\":{\"echo\":{\"message\":\"hello\"}}}");
    assertThat(answer("{ products_by_pk(id: 4711) { id code name stock active } }"))
        .isEqualTo(
            "{\"data\":{\"products_by_pk\":{\"id\":4711,\"code\":\"P-4711\",\"name\":\"Product number"
                + " 4711\",\"stock\":41,\"active\":true}}}");
    assertThat(answer("{ products(limit: 2) { brand_id brand { name } prices { amount } } }"))
        .isEqualTo(
            "{\"data\":{\"products\":["
                + "{\"brand_id\":8,\"brand\":{\"name\":\"Brand 8\"},\"prices\":[{\"amount\":1.13},{\"amount\":1.17}]},"
                + "{\"brand_id\":15,\"brand\":{\"name\":\"Brand 15\"},\"prices\":[{\"amount\":1.26},{\"amount\":1.34}]}]}}");
    assertThat(answer("mutation { addVisit(product_id: 1, note: \\\"hello\\\") { note } }"))
        .isEqualTo("{\"data\":{\"addVisit\":{\"note\":\"hello\"}}}");
  }

  /** Sends the request once the server accepts connections. */
  private String answer(String query) throws IOException, InterruptedException {
    var request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/graphql"))
            .header("content-type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString("{\"query\":\"" + query + "\"}"))
            .build();
    try (var client = HttpClient.newHttpClient()) {
      return await()
          .atMost(Duration.ofSeconds(60))
          .ignoreExceptionsInstanceOf(ConnectException.class)
          .until(
              () -> client.send(request, HttpResponse.BodyHandlers.ofString()).body(),
              Objects::nonNull);
    }
  }
}

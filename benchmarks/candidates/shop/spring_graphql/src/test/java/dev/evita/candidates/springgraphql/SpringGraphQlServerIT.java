// SPDX-License-Identifier: Apache-2.0
package dev.evita.candidates.springgraphql;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;

/** What is compared with must answer right. */
@Tag("benchmarks")
final class SpringGraphQlServerIT {

  private static final Path SCRIPT =
      Path.of("../../../src/main/resources/dev/evita/benchmarks/shop.sql");

  private ConfigurableApplicationContext server;

  @BeforeEach
  void start() {
    server = SpringGraphQlServer.start("0", SCRIPT.toAbsolutePath().toString());
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void queries_answerRight() throws IOException, InterruptedException {
    assertThat(answer("{ echo(message: \\\"hello\\\") { message } }"))
        .isEqualTo("{\"data\":{\"echo\":{\"message\":\"hello\"}}}");
    assertThat(answer("{ products_by_pk(id: 4711) { id code name stock active } }"))
        .isEqualTo(
            "{\"data\":{\"products_by_pk\":{\"id\":4711,\"code\":\"P-4711\",\"name\":\"Product number"
                + " 4711\",\"stock\":41,\"active\":true}}}");
    assertThat(answer("mutation { addVisit(product_id: 1, note: \\\"hello\\\") { note } }"))
        .isEqualTo("{\"data\":{\"addVisit\":{\"note\":\"hello\"}}}");
    assertThat(answer("{ products(limit: 2) { weight brand { name } prices { amount } } }"))
        .isEqualTo(
            "{\"data\":{\"products\":["
                + "{\"weight\":0.1,\"brand\":{\"name\":\"Brand 8\"},\"prices\":[{\"amount\":1.13},{\"amount\":1.17}]},"
                + "{\"weight\":0.2,\"brand\":{\"name\":\"Brand 15\"},\"prices\":[{\"amount\":1.26},{\"amount\":1.34}]}]}}");
  }

  private String answer(String query) throws IOException, InterruptedException {
    var port = server.getEnvironment().getRequiredProperty("local.server.port");
    var request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/graphql"))
            .header("content-type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString("{\"query\":\"" + query + "\"}"))
            .build();
    return HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString()).body();
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.evita.candidates.springmvc;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What is compared with must answer right. */
@Tag("benchmarks")
final class SpringMvcServerIT {

  private static final Path SCRIPT =
      Path.of("../../../src/main/resources/dev/evita/benchmarks/shop.sql");

  @Test
  void resources_answerRight() throws IOException, InterruptedException {
    try (var server = SpringMvcServer.start("0", SCRIPT.toAbsolutePath().toString())) {
      var port = server.getEnvironment().getRequiredProperty("local.server.port");
      assertThat(answer(port, "/products/4711"))
          .isEqualTo(
              "{\"id\":4711,\"code\":\"P-4711\",\"name\":\"Product number 4711\",\"stock\":41,"
                  + "\"active\":true}");
      assertThat(answer(port, "/products?limit=1"))
          .isEqualTo(
              "[{\"id\":1,\"code\":\"P-1\",\"name\":\"Product number 1\",\"stock\":31,"
                  + "\"active\":true,\"rating\":0.1,\"created\":\"2026-01-01T00:01:00\","
                  + "\"weight\":0.100,\"brand\":{\"id\":8,\"name\":\"Brand 8\"}}]");
      assertThat(answer(port, "/catalog?limit=1"))
          .endsWith(
              ",\"brand\":{\"id\":8,\"name\":\"Brand 8\"},\"prices\":["
                  + "{\"currency\":\"EUR\",\"amount\":1.13},"
                  + "{\"currency\":\"USD\",\"amount\":1.17}]}]");
      var visit = HttpRequest.BodyPublishers.ofString("{\"product_id\":4711,\"note\":\"hello\"}");
      assertThat(
              answer(
                  request(port, "/visits").header("Content-Type", "application/json").POST(visit)))
          .isEqualTo("{\"id\":1,\"note\":\"hello\"}");
    }
  }

  private static String answer(String port, String target)
      throws IOException, InterruptedException {
    return answer(request(port, target));
  }

  private static HttpRequest.Builder request(String port, String target) {
    return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + target));
  }

  private static String answer(HttpRequest.Builder request)
      throws IOException, InterruptedException {
    try (var client = HttpClient.newHttpClient()) {
      return client.send(request.build(), HttpResponse.BodyHandlers.ofString()).body();
    }
  }
}

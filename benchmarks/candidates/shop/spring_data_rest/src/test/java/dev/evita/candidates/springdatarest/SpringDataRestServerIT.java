// SPDX-License-Identifier: Apache-2.0
package dev.evita.candidates.springdatarest;

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
final class SpringDataRestServerIT {

  private static final Path SCRIPT =
      Path.of("../../../src/main/resources/dev/evita/benchmarks/shop.sql");

  @Test
  void page_holdsProductsWithTheirBrands() throws IOException, InterruptedException {
    try (var server = SpringDataRestServer.start("0", SCRIPT.toAbsolutePath().toString())) {
      var port = server.getEnvironment().getRequiredProperty("local.server.port");
      var uri = URI.create("http://127.0.0.1:" + port + "/products?size=1&sort=id");
      try (var client = HttpClient.newHttpClient()) {
        var request = HttpRequest.newBuilder(uri).build();
        var answer = client.send(request, HttpResponse.BodyHandlers.ofString()).body();
        assertThat(answer)
            .contains(
                "\"code\":\"P-1\"",
                "\"created\":\"2026-01-01T00:01:00\"",
                "\"weight\":0.100",
                "\"brand\":{\"id\":8,\"name\":\"Brand 8\"}");
      }
    }
  }
}

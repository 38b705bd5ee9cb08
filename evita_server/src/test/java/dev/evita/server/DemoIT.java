// SPDX-License-Identifier: Apache-2.0
package dev.evita.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code evita demo} in a process of its own. */
@Tag("long")
final class DemoIT {

  private static final Path README = Path.of("..", "README.md");

  @TempDir private Path directory;

  @Test
  void demo_interruptedThenStartedTwice_isCreatedOnceAndServed() throws Exception {
    try (var evita = demo()) {
      evita.awaitError("Making the demo: 25 %");
      evita.kill();
    }
    try (var evita = demo().awaitServing()) {
      assertThat(evita.errorText()).contains("Making the demo: 100 %");
      assertThat(counts(evita)).isTrue();
      assertThat(README).content().contains(onStandardPort(evita.curl()), Shell.run(evita.curl()));
      assertThat(evita.terminate().status()).isEqualTo(143);
    }
    try (var evita = demo().awaitServing()) {
      assertThat(evita.errorText()).doesNotContain("Making");
      assertThat(counts(evita)).isTrue();

      EvitaProcess.run("demo", "--data", directory.toString(), "--port", "0")
          .isRefusal("another evita demo is running on", "--data");
    }
  }

  @Test
  void demo_directoryIsAFile_isRejected() throws IOException {
    var file = Files.createFile(directory.resolve("file"));

    EvitaProcess.run("demo", "--data", file.toString()).isRefusal("cannot write to", "--data");
  }

  @Test
  void demoHandlers_serveAPage_aForm_andJson() throws Exception {
    try (var evita =
            EvitaProcess.start("demo", "--data", directory.toString(), "--port", "0")
                .awaitServing();
        var client = HttpClient.newHttpClient()) {
      var shop = get(client, evita.uri() + "/shop?search=%3Cb%3E");
      assertThat(shop.body()).contains("value=\"&lt;b&gt;\"").contains("No product has this");
      assertThat(shop.headers().firstValue("x-content-type-options")).contains("nosniff");
      assertThat(get(client, evita.uri() + "/shop").body()).contains("<a href=\"/shop/1\">");
      assertThat(get(client, evita.uri() + "/").body()).contains("<a href=\"/shop/1\">");
      assertThat(review(client, evita.uri(), "rating=5&title=Fine", "http://evil.example"))
          .isEqualTo(403);
      assertThat(review(client, evita.uri(), "rating=6&title=Fine", evita.uri())).isEqualTo(400);
      assertThat(review(client, evita.uri(), "rating=5&title=Very+fine", evita.uri()))
          .isEqualTo(303);
      assertThat(get(client, evita.uri() + "/shop/1").body()).contains("5 of 5: Very fine");
      var sku =
          evita
              .query("{ products(limit: 1, order_by: {id: asc}) { sku } }")
              .replaceAll(".*\"sku\":\"([^\"]*)\".*", "$1");
      var price = get(client, evita.uri() + "/api/prices/" + sku);
      assertThat(price.headers().firstValue("content-type")).contains("application/json");
      assertThat(price.body()).contains("\"prices\":{").contains("\"EUR\":");
      assertThat(get(client, evita.uri() + "/api/prices/none").statusCode()).isEqualTo(404);
    }
    assertThat(directory.resolve("handlers")).isDirectoryContaining("glob:**.sql");
    var explained =
        EvitaProcess.run(
            "explain",
            "GET",
            "/shop/1",
            "--db",
            "jdbc:h2:file:" + directory.resolve("shop-1"),
            "--handlers",
            directory.resolve("handlers").toString());
    assertThat(explained.status()).isZero();
    assertThat(explained.out())
        .contains("product.sql (GET /shop/:product, priority 0)")
        .contains("with \"REQUEST\"")
        .contains("plan:")
        .contains("status 200");
  }

  private EvitaProcess demo() {
    return EvitaProcess.start("demo", "--data", directory.toString(), "--port", "0");
  }

  private static String onStandardPort(String curl) {
    return curl.replaceFirst("127.0.0.1:\\d+", "127.0.0.1:5555");
  }

  private static boolean counts(EvitaProcess evita) {
    var answer =
        evita.query(
            "{ products_aggregate { aggregate { count } } order_lines_aggregate { aggregate { count"
                + " } } }");
    var numbers = answer.replaceAll("[^0-9]+", " ").strip().split(" ");
    assertThat(numbers).as(answer).hasSize(2);
    return Integer.parseInt(numbers[0]) >= 10_000 && Integer.parseInt(numbers[1]) >= 200_000;
  }

  private static HttpResponse<String> get(HttpClient client, String url)
      throws IOException, InterruptedException {
    return client.send(
        HttpRequest.newBuilder(URI.create(url)).build(), HttpResponse.BodyHandlers.ofString());
  }

  private static int review(HttpClient client, String uri, String form, String origin)
      throws IOException, InterruptedException {
    return client
        .send(
            HttpRequest.newBuilder(URI.create(uri + "/shop/1/reviews"))
                .header("Content-Type", "application/x-www-form-urlencoded")
                .header("Origin", origin)
                .POST(HttpRequest.BodyPublishers.ofString(form))
                .build(),
            HttpResponse.BodyHandlers.discarding())
        .statusCode();
  }
}

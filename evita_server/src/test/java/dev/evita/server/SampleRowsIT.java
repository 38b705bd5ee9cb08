// SPDX-License-Identifier: Apache-2.0
package dev.evita.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import com.google.protobuf.Message;
import dev.evita.api.Catalog;
import dev.evita.api.TableName;
import dev.evita.externalapi.core.ExternalApiServer;
import dev.evita.testsupport.PostgresServer;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.cfg.JsonNodeFeature;
import tools.jackson.databind.json.JsonMapper;

/** Each table of third-party databases has the same rows by gRPC as by REST. */
@Tag("long")
final class SampleRowsIT {

  /** Reads decimals with all of their zeros. */
  private static final JsonMapper JSON =
      JsonMapper.builder()
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
          .build();

  @TempDir private Path directory;
  private final HttpClient http = HttpClient.newHttpClient();

  @ParameterizedTest
  @CsvSource({
    "h2, music",
    "h2, trade",
    "h2, films",
    "h2, staff",
    "sqlite, music",
    "sqlite, trade",
    "sqlite, films",
    "sqlite, staff",
    "postgresql, music",
    "postgresql, trade",
    "postgresql, films",
    "postgresql, staff"
  })
  void rows_ofSamples_agree(String kind, String sample) throws Exception {
    var script = Path.of(SampleRowsIT.class.getResource("sample-" + sample + ".sql").toURI());
    assertThat(compare(kind, script)).anyMatch(rows -> rows > 0);
  }

  @ParameterizedTest
  @CsvSource({
    "h2, QUARTZ, h2",
    "postgresql, QUARTZ, postgres",
    "h2, SPRING_BATCH, h2",
    "sqlite, SPRING_BATCH, sqlite",
    "postgresql, SPRING_BATCH, postgresql",
    "h2, CAMUNDA, h2",
    "postgresql, CAMUNDA, postgres",
  })
  void rows_ofPublishedSchemas_agree(String kind, PublishedSchema schema, String dialect)
      throws Exception {
    assertThat(compare(kind, schema.script(dialect, directory))).hasSizeGreaterThan(5);
  }

  /** Returns the number of rows of each table. */
  private List<Integer> compare(String kind, Path script) throws Exception {
    try (var engine = Database.open(TestOptions.withInit(url(kind), script));
        var server = ExternalApiServer.over(engine).port(0).start()) {
      var catalog = engine.catalog();
      var tables = catalog.tables();
      var client = new GrpcWebClient(server.uri());
      var services =
          client.file((kind.equals("sqlite") ? "main" : "public") + ".proto").getServices();
      assertThat(services).hasSameSizeAs(tables);
      var counts = new ArrayList<Integer>();
      for (int i = 0; i < services.size(); i++) {
        var scanned = new ArrayList<List<@Nullable String>>();
        for (var row : client.call(services.get(i).findMethodByName("Scan"))) {
          scanned.add(values(row));
        }
        assertThat(scanned)
            .as(services.get(i).getFullName())
            .containsExactlyInAnyOrderElementsOf(rest(server.uri(), catalog, tables.get(i).name()));
        var page = client.call(services.get(i).findMethodByName("List")).getFirst();
        var rows = (List<?>) page.getField(page.getDescriptorForType().findFieldByName("rows"));
        assertThat(rows).hasSize(Math.min(100, scanned.size()));
        counts.add(scanned.size());
      }
      return counts;
    }
  }

  private String url(String kind) {
    return switch (kind) {
      case "h2" -> "jdbc:h2:file:" + directory.resolve("sample");
      case "sqlite" -> "jdbc:sqlite:" + directory.resolve("sample.db");
      default -> PostgresServer.start().createDatabase();
    };
  }

  private static List<@Nullable String> values(Message row) {
    var values = new ArrayList<@Nullable String>();
    for (var field : row.getDescriptorForType().getFields()) {
      values.add(row.hasField(field) ? text(row.getField(field)) : null);
    }
    return values;
  }

  private static String text(Object value) {
    return switch (value) {
      case ByteString bytes -> Base64.getEncoder().encodeToString(bytes.toByteArray());
      case Message array -> elements(array);
      default -> value.toString();
    };
  }

  /** As JSON represents an array of texts. */
  private static String elements(Message array) {
    var elements = JSON.createArrayNode();
    for (var each : (List<?>) array.getAllFields().values().iterator().next()) {
      var set = ((Message) each).getAllFields().values();
      elements.add(set.isEmpty() ? null : set.iterator().next().toString());
    }
    return elements.toString();
  }

  private List<List<@Nullable String>> rest(URI server, Catalog catalog, TableName table)
      throws IOException, InterruptedException {
    var name =
        URLEncoder.encode(catalog.apiName(table), StandardCharsets.UTF_8).replace("+", "%20");
    var request = HttpRequest.newBuilder(server.resolve("/rest/" + name)).build();
    var answer = http.send(request, HttpResponse.BodyHandlers.ofString());
    assertThat(answer.statusCode()).isEqualTo(200);
    var rows = new ArrayList<List<@Nullable String>>();
    for (var row : JSON.readTree(answer.body())) {
      var values = new ArrayList<@Nullable String>();
      row.values().forEach(value -> values.add(text(value)));
      rows.add(values);
    }
    return rows;
  }

  private static @Nullable String text(JsonNode value) {
    return value.isNull() ? null : value.isString() ? value.asString() : value.toString();
  }
}

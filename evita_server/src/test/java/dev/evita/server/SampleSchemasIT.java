// SPDX-License-Identifier: Apache-2.0
package dev.evita.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evita.externalapi.core.ExternalApiServer;
import dev.evita.testsupport.PostgresServer;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Third-party databases are served completely: each table's list returns its rows. */
@Tag("long")
final class SampleSchemasIT {

  private static final String FIELDS =
      "fields { name args { name type { kind } } type { kind name ofType { kind name ofType { kind"
          + " name ofType { kind name } } } } }";

  @TempDir private Path directory;
  private final HttpClient client = HttpClient.newHttpClient();

  @ParameterizedTest
  @CsvSource({
    "h2, music, 11",
    "h2, trade, 10",
    "h2, films, 10",
    "h2, staff, 8",
    "sqlite, music, 11",
    "sqlite, trade, 10",
    "sqlite, films, 10",
    "sqlite, staff, 8",
    "postgresql, music, 11",
    "postgresql, trade, 10",
    "postgresql, films, 10",
    "postgresql, staff, 8",
  })
  void lists_allTables_returnRows(String kind, String sample, int tables) throws Exception {
    var script = Path.of(SampleSchemasIT.class.getResource("sample-" + sample + ".sql").toURI());
    assertThat(serve(kind, script, tables).values())
        .allSatisfy(answer -> assertThat(answer.path("data").iterator().next()).isNotEmpty());
  }

  @ParameterizedTest
  @CsvSource({
    "h2, QUARTZ, h2, 11",
    "postgresql, QUARTZ, postgres, 11",
    "h2, SPRING_BATCH, h2, 6",
    "sqlite, SPRING_BATCH, sqlite, 9",
    "postgresql, SPRING_BATCH, postgresql, 6",
    "h2, CAMUNDA, h2, 49",
    "postgresql, CAMUNDA, postgres, 49",
  })
  void lists_allTablesOfPublishedSchemas_areServed(
      String kind, PublishedSchema schema, String dialect, int tables) throws Exception {
    var script = schema.script(dialect, directory);
    serve(kind, script, tables);
  }

  /** The responses to a query of each table. */
  private Map<String, JsonNode> serve(String kind, Path script, int tables) throws Exception {
    try (var engine = Database.open(TestOptions.withInit(url(kind), script));
        var server = ExternalApiServer.over(engine).port(0).start()) {
      var endpoint = server.uri().resolve("/graphql");
      assertThat(engine.catalog().tables()).hasSize(tables);
      var answers = new LinkedHashMap<String, JsonNode>();
      for (var list : lists(endpoint)) {
        answers.put(list, ask(endpoint, list));
      }
      assertThat(answers).hasSize(tables);
      answers.put(
          "the query that the server prints", ask(endpoint, SampleQuery.of(engine.catalog())));
      assertThat(answers).allSatisfy((query, answer) -> assertThat(answer.has("errors")).isFalse());
      return answers;
    }
  }

  private String url(String kind) {
    return switch (kind) {
      case "h2" -> "jdbc:h2:file:" + directory.resolve("sample");
      case "sqlite" -> "jdbc:sqlite:" + directory.resolve("sample.db");
      case "postgresql" -> PostgresServer.start().createDatabase();
      default -> throw new IllegalArgumentException(kind);
    };
  }

  /** A query for each root field that lists rows: all columns, and all related rows with theirs. */
  private List<String> lists(URI endpoint) throws IOException, InterruptedException {
    var root = ask(endpoint, "{ __schema { queryType { " + FIELDS + " } } }");
    var lists = new ArrayList<String>();
    for (var field : root.at("/data/__schema/queryType/fields")) {
      if (isList(field.path("type")) && !needsArguments(field)) {
        var selection = selection(endpoint, named(field.path("type")), true);
        lists.add("{ " + field.path("name").asString() + "(limit: 5) { " + selection + " } }");
      }
    }
    return lists;
  }

  private String selection(URI endpoint, String type, boolean nested)
      throws IOException, InterruptedException {
    var answer = ask(endpoint, "{ __type(name: \"" + type + "\") { " + FIELDS + " } }");
    var parts = new ArrayList<String>();
    for (var field : answer.at("/data/__type/fields")) {
      var name = field.path("name").asString();
      var kind = innermost(field.path("type")).path("kind").asString();
      if (!kind.equals("OBJECT")) {
        parts.add(name);
      } else if (nested && !name.endsWith("_aggregate") && !needsArguments(field)) {
        var inner = selection(endpoint, named(field.path("type")), false);
        parts.add(name + " { " + inner + " }");
      }
    }
    return parts.stream().collect(Collectors.joining(" "));
  }

  /** Excludes fields such as groups, which require arguments. */
  private static boolean needsArguments(JsonNode field) {
    for (var argument : field.path("args")) {
      if (argument.at("/type/kind").asString().equals("NON_NULL")) {
        return true;
      }
    }
    return false;
  }

  private static boolean isList(JsonNode type) {
    return wrappers(type).anyMatch(wrapper -> wrapper.path("kind").asString().equals("LIST"))
        && innermost(type).path("kind").asString().equals("OBJECT");
  }

  private static Stream<JsonNode> wrappers(JsonNode type) {
    return Stream.iterate(type, node -> node.path("kind").isString(), node -> node.path("ofType"));
  }

  private static JsonNode innermost(JsonNode type) {
    return wrappers(type).reduce((outer, inner) -> inner).orElseThrow();
  }

  private static String named(JsonNode type) {
    return innermost(type).path("name").asString();
  }

  private JsonNode ask(URI endpoint, String document) throws IOException, InterruptedException {
    var answer =
        client.send(GraphQlRequest.of(endpoint, document), HttpResponse.BodyHandlers.ofString());
    return JsonMapper.shared().readTree(answer.body());
  }
}

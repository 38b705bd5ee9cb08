// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.graphql.documents;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import dev.evita.externalapi.core.limits.Limits;
import dev.evita.externalapi.graphql.Client;
import dev.evita.externalapi.graphql.GraphQlOptions;
import dev.evita.externalapi.graphql.GraphQlProvider;
import dev.evita.externalapi.graphql.ShopData;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Documents that are named instead of sent: registered by clients, or trusted by the operator. */
final class PersistedQueriesIT {

  private static final String QUERY = "query($id: Int!) { products_by_pk(id: $id) { id } }";
  private static final String HASH = DocumentStore.sha256(QUERY);
  private static final String SOME_HASH =
      "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";
  private static final GraphQlOptions OFF =
      GraphQlOptions.builder().persistedQueries(false).build();
  private static final String VARIABLES = "{\"id\": 2}";
  private static final String ANSWER = "{\"data\":{\"products_by_pk\":{\"id\":2}}}";
  private static final String NOT_FOUND =
      """
      {"errors":[{"message":"PersistedQueryNotFound",\
      "extensions":{"code":"PERSISTED_QUERY_NOT_FOUND","category":"USER"}}]}\
      """;

  private static Client client(GraphQlOptions options) {
    return new Client(ShopData.engine(), Client.Way.IN_PROCESS, Limits.DEFAULT, options);
  }

  private static String apollo(String hash) {
    return "{\"persistedQuery\": {\"version\": 1, \"sha256Hash\": \"" + hash + "\"}}";
  }

  private static String body(String query, String extensions) {
    return "{"
        + (query == null ? "" : "\"query\": " + Client.quoted(query) + ", ")
        + "\"extensions\": "
        + extensions
        + ", \"variables\": "
        + VARIABLES
        + "}";
  }

  private static Client.Answer get(Client client, String name, String value) {
    var target = "/graphql?%s=%s&variables=%s".formatted(name, encoded(value), encoded(VARIABLES));
    return client.send("GET", target, Map.of(), "");
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  @Test
  void sha256_isThatOfTheSpecification() {
    assertThat(DocumentStore.sha256("query($id:ID!){user(id:$id){name}}"))
        .isEqualTo("71f7dc5758652baac68e4a10c50be732b741c892ade2883a99358f52b555286b");
  }

  @Test
  void hash_ofARegisteredDocument_isExecutedByPostAndGet() {
    try (var client = client(GraphQlOptions.DEFAULT)) {
      var unknown = client.post(body(null, apollo(HASH)));
      assertThat(unknown.status()).isEqualTo(200);
      assertThat(unknown.body()).isEqualTo(NOT_FOUND);
      assertThat(get(client, "extensions", apollo(HASH)).body()).isEqualTo(NOT_FOUND);

      assertThat(client.post(body(QUERY, apollo(HASH))).body()).isEqualTo(ANSWER);

      assertThat(client.post(body(null, apollo(HASH))).body()).isEqualTo(ANSWER);
      assertThat(get(client, "extensions", apollo(HASH)).body()).isEqualTo(ANSWER);
      assertThat(get(client, "documentId", "sha256:" + HASH).body()).isEqualTo(ANSWER);
    }
  }

  @Test
  void document_thatWasRunBefore_isRegisteredWhenItsHashComes() {
    try (var client = client(GraphQlOptions.DEFAULT)) {
      assertThat(client.ask(QUERY, VARIABLES)).isEqualTo(ANSWER);
      assertThat(client.post(body(QUERY, apollo(HASH))).body()).isEqualTo(ANSWER);
      assertThat(client.post(body(null, apollo(HASH))).body()).isEqualTo(ANSWER);
    }
  }

  @Test
  void document_withTheHashOfAnother_isRejectedAndNotRegistered() {
    var other = DocumentStore.sha256("{ products { id } }");
    try (var client = client(GraphQlOptions.DEFAULT)) {
      var refused = client.post(body(QUERY, apollo(other)));
      assertThat(refused.status()).isEqualTo(400);
      assertThat(refused.body()).contains("\"code\":\"PERSISTED_QUERY_HASH_MISMATCH\"");
      assertThat(client.post(body(null, apollo(other))).body()).isEqualTo(NOT_FOUND);
    }
  }

  @Test
  void document_thatIsInvalid_isNotRegistered() {
    var invalid = "{ nowhere }";
    var hash = DocumentStore.sha256(invalid);
    try (var client = client(GraphQlOptions.DEFAULT)) {
      assertThat(client.post(body(invalid, apollo(hash))).body()).contains("INVALID_DOCUMENT");
      assertThat(client.post(body(null, apollo(hash))).body()).isEqualTo(NOT_FOUND);
    }
  }

  @Test
  void documents_beyondTheCache_areEvictedAndNeverConfused() {
    var options = GraphQlOptions.builder().planCacheChars(4_000).build();
    try (var client = client(options)) {
      for (int i = 0; i < 200; i++) {
        var query = "{ a" + i + ": products_by_pk(id: 1) { id } }";
        client.post(body(query, apollo(DocumentStore.sha256(query))));
      }
      var found = 0;
      for (int i = 0; i < 200; i++) {
        var hash = DocumentStore.sha256("{ a" + i + ": products_by_pk(id: 1) { id } }");
        var answer = client.post(body(null, apollo(hash))).body();
        var own = answer.equals("{\"data\":{\"a" + i + "\":{\"id\":1}}}");
        assertThat(own || answer.equals(NOT_FOUND)).as(answer).isTrue();
        found += own ? 1 : 0;
      }
      assertThat(found).isLessThan(20);
    }
  }

  @Test
  void persistedQueries_switchedOff_areRejected() {
    try (var client = client(OFF)) {
      assertThat(client.post(body(QUERY, apollo(HASH))).body()).isEqualTo(ANSWER);
      assertThat(client.post(body(null, apollo(HASH))).body())
          .contains("\"message\":\"PersistedQueryNotSupported\"")
          .contains("\"code\":\"PERSISTED_QUERY_NOT_SUPPORTED\"");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"persistedQuery\": 1}",
        "{\"persistedQuery\": {\"version\": 1}}",
        "{\"persistedQuery\": {\"version\": 1, \"sha256Hash\": 7}}",
        "{\"persistedQuery\": {\"version\": 1, \"sha256Hash\": \"\"}}",
        "{\"persistedQuery\": {\"version\": 1, \"sha256Hash\": \"abc\"}}",
        "{\"persistedQuery\": {\"version\": 1, \"sha256Hash\": \"sha256:" + SOME_HASH + "\"}}",
        "{\"persistedQuery\": {\"version\": 1, \"sha256Hash\": \"g" + SOME_HASH + "\"}}",
        "{\"persistedQuery\": {\"version\": 2, \"sha256Hash\": \"" + SOME_HASH + "\"}}",
        "{\"persistedQuery\": {\"version\": \"1\", \"sha256Hash\": \"" + SOME_HASH + "\"}}",
        "{\"persistedQuery\": {\"sha256Hash\": \"" + SOME_HASH + "\"}}",
      })
  void persistedQuery_malformed_isRejectedWithAndWithoutItsDocument(String extensions) {
    for (var options : List.of(GraphQlOptions.DEFAULT, OFF)) {
      try (var client = client(options)) {
        for (var query : Arrays.asList(QUERY, null)) {
          var answer = client.post(body(query, extensions));
          assertThat(answer.status()).as(answer.body()).isEqualTo(400);
          assertThat(answer.body()).contains("\"code\":\"MALFORMED_REQUEST\"", "expected");
        }
        assertThat(get(client, "extensions", extensions).status()).isEqualTo(400);
      }
    }
  }

  @Test
  void documentId_ofAMalformedHash_isRejected() {
    try (var client = client(GraphQlOptions.DEFAULT)) {
      var answer = get(client, "documentId", "sha256:abc");
      assertThat(answer.status()).isEqualTo(400);
      assertThat(answer.body()).contains("MALFORMED_REQUEST", "'abc' is not a SHA-256");
    }
  }

  /** Apollo's client sends the ids of a manifest in the place of the hash. */
  @Test
  void trustedDocuments_byIdsThatAreNoHashes_areRun(@TempDir Path directory) throws IOException {
    var manifest = directory.resolve("persisted.json");
    Files.writeString(manifest, "{\"b7a1\": " + Client.quoted(QUERY) + "}");
    try (var client = client(trusting(manifest))) {
      assertThat(client.post(body(null, apollo("b7a1"))).body()).isEqualTo(ANSWER);
      assertThat(client.post(body(null, apollo("b7a2"))).body()).contains("DOCUMENT_NOT_TRUSTED");
    }
  }

  private static GraphQlOptions trusting(Path documents) {
    return GraphQlOptions.builder().trustedDocuments(documents).build();
  }

  @Test
  void trustedDocuments_ofRelaysManifest_areRunAndNoOthers(@TempDir Path directory)
      throws IOException {
    var manifest = directory.resolve("persisted.json");
    Files.writeString(manifest, "{\"b7a1\": " + Client.quoted(QUERY) + "}");
    try (var client = client(trusting(manifest))) {
      assertThat(get(client, "documentId", "b7a1").body()).isEqualTo(ANSWER);
      assertThat(get(client, "documentId", "sha256:" + HASH).body()).isEqualTo(ANSWER);
      assertThat(client.post(body(null, apollo(HASH))).body()).isEqualTo(ANSWER);
      assertThat(client.ask(QUERY, VARIABLES)).isEqualTo(ANSWER);

      var other = "{ products { id } }";
      var hash = DocumentStore.sha256(other);
      assertThat(client.ask(other)).contains("\"code\":\"DOCUMENT_NOT_TRUSTED\"");
      assertThat(client.post(body(other, apollo(hash))).body()).contains("DOCUMENT_NOT_TRUSTED");
      assertThat(client.post(body(other, apollo(HASH))).body()).contains("DOCUMENT_NOT_TRUSTED");
      assertThat(client.post(body(null, apollo(hash))).body()).contains("DOCUMENT_NOT_TRUSTED");
      assertThat(get(client, "documentId", "b7a2").body()).contains("DOCUMENT_NOT_TRUSTED");
      assertThat(client.ask("{ __schema { types { name } } }")).contains("DOCUMENT_NOT_TRUSTED");
    }
  }

  @Test
  void trustedDocuments_ofApollosManifest_areRun(@TempDir Path directory) throws IOException {
    var manifest = directory.resolve("manifest.json");
    Files.writeString(
        manifest,
        """
        {"format": "apollo-persisted-query-manifest", "version": 1, "operations": [
          {"id": "%s", "name": "One", "type": "query", "body": "%s"}]}
        """
            .formatted(HASH, QUERY));
    try (var client = client(trusting(manifest))) {
      assertThat(client.post(body(null, apollo(HASH))).body()).isEqualTo(ANSWER);
    }
  }

  @Test
  void trustedDocuments_ofADirectory_areRun(@TempDir Path directory) throws IOException {
    Files.writeString(directory.resolve("one.graphql"), QUERY);
    Files.writeString(directory.resolve("more.json"), "{\"two\": \"{ brands { id } }\"}");
    Files.writeString(directory.resolve("notes.txt"), "of no concern");
    try (var client = client(trusting(directory))) {
      assertThat(get(client, "documentId", "one").body()).isEqualTo(ANSWER);
      assertThat(get(client, "documentId", "two").body()).contains("\"brands\":[");
      assertThat(get(client, "documentId", "sha256:" + HASH).body()).isEqualTo(ANSWER);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "[]", "{}", "{\"a\": 1}", "{\"operations\": [{\"id\": \"a\"}]}", "{"})
  void trustedDocuments_thatAreNone_endTheStart(String manifest, @TempDir Path directory)
      throws IOException {
    var file = Files.writeString(directory.resolve("manifest.json"), manifest);
    assertThatThrownBy(() -> new GraphQlProvider(trusting(file)))
        .isInstanceOf(EvitaException.class)
        .hasMessageStartingWith("trusted-documents is '" + file + "'")
        .extracting("code")
        .isEqualTo(ErrorCode.INVALID_CONFIGURATION);
    assertThatThrownBy(() -> new GraphQlProvider(trusting(directory.resolve("nowhere"))))
        .hasMessageContaining("cannot be read");
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.graphql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evita.api.Engine;
import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import dev.evita.externalapi.core.error.HttpErrorCode;
import dev.evita.externalapi.core.limits.Limits;
import dev.evita.externalapi.graphql.plan.OracleIT;
import dev.evita.externalapi.graphql.request.GraphQlError;
import dev.evita.externalapi.graphql.request.GraphQlErrorCode;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Limits of requests, and the errors of responses. */
final class LimitsIT {

  private static Client client(Engine engine, int maxRows) {
    var limits =
        Limits.builder()
            .maxBodyBytes(4 << 20)
            .maxConnections(100)
            .requestTimeout(Duration.ofSeconds(60))
            .maxRows(maxRows)
            .maxAnswerBytes(64 << 20)
            .build();
    return new Client(engine, Client.Way.IN_PROCESS, limits, GraphQlOptions.DEFAULT);
  }

  @Test
  void rows_beyondMaxRows_areAnError() {
    try (var client = client(ShopData.engine(), 10)) {
      assertThat(client.ask("{ products { id } }"))
          .isEqualTo(
              """
              {"data":null,"errors":[{"message":"The response has more than 10 rows, the limit of max-rows; request fewer",\
              "locations":[{"line":1,"column":3}],"path":["products",10],\
              "extensions":{"code":"TOO_MANY_ROWS","category":"USER"}}]}\
              """);
      assertThat(client.ask("{ products(limit: 5) { id prices { amount } } }"))
          .contains("TOO_MANY_ROWS");
      assertThat(client.ask("{ products(limit: 5) { id } }")).doesNotContain("errors");
    }
  }

  @Test
  void pageOfTheMaximumSize_isReturned() {
    var limits = Limits.builder().maxHeldRows(4).build();
    try (var engine = MutationDatabase.SQLITE.open();
        var client = new Client(engine, Client.Way.IN_PROCESS, limits, GraphQlOptions.DEFAULT)) {
      client.ask("mutation { insert_brands(objects: [{id: 3, name: \"C\"}]) { affected_rows } }");
      assertThat(client.ask("{ brands_connection(first: 2) { nodes { id products { id } } } }"))
          .contains("\"nodes\":[{\"id\":1")
          .doesNotContain("errors");
    }
  }

  @Test
  void failure_beforeAnythingLeft_isNullWithItsPath() {
    try (var client = client(ShopData.engine().failingAfter(2), 1_000)) {
      assertThat(client.ask("{ __typename products { id } brands { id } }"))
          .isEqualTo(
              """
              {"data":null,"errors":[{"message":"The database failed",\
              "locations":[{"line":1,"column":14}],"path":["products",2],\
              "extensions":{"code":"DATABASE_ERROR","category":"EXTERNAL"}}]}\
              """);
    }
  }

  @Test
  void failure_ofANullableField_leavesTheOthers() {
    try (var client = client(ShopData.engine().failingAfter(0), 1_000)) {
      assertThat(client.ask("{ a: __typename products_by_pk(id: 1) { id } b: __typename }"))
          .startsWith(
              "{\"data\":{\"a\":\"query_root\",\"products_by_pk\":null,\"b\":\"query_root\"}")
          .contains("\"path\":[\"products_by_pk\"]");
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void failure_ofAListThatHasLeftInPart_endsTheList(boolean later) {
    try (var threads = Executors.newSingleThreadExecutor()) {
      var engine = ShopData.engine().failingAfter(20_000);
      for (int i = 0; i < 30_000; i++) {
        engine.add(ShopData.BRANDS, ShopData.row("ID", 100L + i, "NAME", "Brand number " + i));
      }
      try (var client = client(later ? engine.answeringOn(threads) : engine, 1_000_000)) {
        var answer = client.ask("{ brands { id name } after: __typename }");
        assertThat(answer)
            .startsWith("{\"data\":{\"brands\":[{\"id\":1,")
            .endsWith(
                """
                }],"after":"query_root"},"errors":[{"message":"The database failed",\
                "locations":[{"line":1,"column":3}],"path":["brands",20000],\
                "extensions":{"code":"DATABASE_ERROR","category":"EXTERNAL"}}]}\
                """);
        OracleIT.parse(answer);
      }
    }
  }

  @Test
  void manyRootFields_ofASynchronousEngine_doNotDeepenTheStack() {
    var fields =
        IntStream.range(0, 4_000)
            .mapToObj(i -> "a" + i + ": products_by_pk(id: 1) { id }")
            .collect(Collectors.joining(" "));
    var many = GraphQlLimits.builder().maxAliases(4_000).maxRootFields(4_000).build();
    var options = GraphQlOptions.builder().limits(many).build();
    try (var client =
        new Client(ShopData.engine(), Client.Way.IN_PROCESS, Limits.DEFAULT, options)) {
      assertThat(client.ask("{" + fields + "}")).endsWith("\"a3999\":{\"id\":1}}}");
    }
  }

  @Test
  void filter_nestedTooDeeply_isTooDeep() {
    var literal = "{_not: ".repeat(60) + "{}" + "}".repeat(60);
    var json = "{\"_not\": ".repeat(60) + "{}" + "}".repeat(60);
    var deepest = "{_not: ".repeat(5_000) + "{}" + "}".repeat(5_000);
    var deepestJson = "{\"_not\": ".repeat(5_000) + "{}" + "}".repeat(5_000);
    try (var client = client(ShopData.engine(), 100)) {
      for (var where : List.of(literal, deepest)) {
        assertThat(client.ask("{ products(where: " + where + ") { id } }")).contains("TOO_DEEP");
      }
      for (var where : List.of(json, deepestJson)) {
        assertThat(
                client.ask(
                    "query($w: products_bool_exp) { products(where: $w) { id } }",
                    "{\"w\":" + where + "}"))
            .contains("TOO_DEEP");
      }
    }
  }

  @Test
  void selection_nestedTooDeeply_isTooDeep() {
    var nested = "{ prices { product ".repeat(40) + "{ id }" + " } }".repeat(40);
    var fragments =
        IntStream.range(0, 40)
            .mapToObj(i ->
                "fragment F" + i + " on products { prices { product { ...F" + (i + 1) + " } } }")
            .collect(Collectors.joining(" "));
    try (var client = client(ShopData.engine(), 100)) {
      assertThat(client.ask("{ products " + nested + " }")).contains("TOO_DEEP");
      assertThat(
              client.ask("{ products { ...F0 } } " + fragments + " fragment F40 on products {id}"))
          .contains("TOO_DEEP");
    }
  }

  @Test
  void exponentialFragments_areRejected() {
    var fragments =
        IntStream.range(0, 20)
            .mapToObj(i ->
                "fragment F%d on products { a: brand { products { ...F%d } } b: brand { products"
                        .formatted(i, i + 1)
                    + " { ...F"
                    + (i + 1)
                    + " } } }")
            .collect(Collectors.joining(" "));
    try (var client = client(ShopData.engine(), 100)) {
      assertThat(
              client.ask(
                  "{ products { ...F0 } } " + fragments + " fragment F20 on products { id }"))
          .startsWith("{\"errors\"");
    }
  }

  @Test
  void fragments_inALongChain_areTooDeep() {
    var fragments =
        IntStream.range(0, 5_000)
            .mapToObj(i -> "fragment F" + i + " on query_root { ...F" + (i + 1) + " }")
            .collect(Collectors.joining(" "));
    try (var client = client(ShopData.engine(), 100)) {
      assertThat(
              client.ask("{ ...F0 } " + fragments + " fragment F5000 on query_root { __typename }"))
          .contains("TOO_DEEP");
    }
  }

  @Test
  void document_ofMegabytes_isRejectedAtOnce() {
    try (var client = client(ShopData.engine(), 100)) {
      assertThat(client.ask("{ " + "a: __typename ".repeat(200_000) + "}"))
          .contains("INVALID_DOCUMENT");
      assertThat(client.ask("{ __typename " + " ".repeat(2_000_000) + "}"))
          .startsWith("{\"errors\"");
      assertThat(client.ask("{ __typename }")).contains("query_root");
    }
  }

  @Test
  void list_thatOutlivesTheRequest_endsWithTheReason() {
    var limits =
        Limits.builder()
            .maxConnections(100)
            .requestTimeout(Duration.ofMillis(300))
            .maxRows(Integer.MAX_VALUE)
            .maxHeldRows(100)
            .maxAnswerBytes(Integer.MAX_VALUE)
            .build();
    var script =
        """
        create view endless as
          select a.x n from system_range(1, 1000000) a, system_range(1, 1000000) b;
        """;
    try (var engine = H2Shop.open(script)) {
      // Loads the compiler's classes: a request whose deadline passes before its statement begins
      // has no result.
      try (var unhurried = new Client(engine)) {
        assertThat(unhurried.ask("{ endless(limit: 1) { n } }")).contains("\"n\":1");
      }
      try (var client = new Client(engine, Client.Way.SOCKET, limits, GraphQlOptions.DEFAULT)) {
        var answer = client.ask("{ endless { n } }");
        assertThat(answer).startsWith("{\"data\":{\"endless\":[{\"n\":");
        assertThat(answer.substring(answer.length() - 300))
            .contains("}]},\"errors\":[{")
            .endsWith("\"code\":\"DEADLINE_EXCEEDED\",\"category\":\"RESOURCES\"}}]}");
      }
    }
  }

  @Test
  void introspection_switchedOff_isRejected() {
    var options = GraphQlOptions.builder().graphqlPath("/api/graphql").introspection(false).build();
    try (var client =
        new Client(ShopData.engine(), Client.Way.IN_PROCESS, Limits.DEFAULT, options)) {
      var answer =
          client.send(
              "POST",
              "/api/graphql",
              java.util.Map.of("Content-Type", "application/json"),
              "{\"query\":\"{ ...F } fragment F on query_root { __schema { types { name } } }\"}");
      assertThat(answer.body())
          .contains("Introspection is switched off")
          .contains("INTROSPECTION_DISABLED");
    }
  }

  static Stream<EvitaException.Code> codes() {
    return Stream.of(ErrorCode.values(), HttpErrorCode.values(), GraphQlErrorCode.values())
        .flatMap(Stream::of);
  }

  @ParameterizedTest
  @MethodSource("codes")
  void error_ofAnyCode_hasCodeAndCategory(EvitaException.Code code) {
    var cause = new IllegalStateException("secret");
    var error =
        GraphQlError.of(new EvitaException(code, "told", cause), List.of(), List.of("a", 1));
    assertThat(error.code()).isEqualTo(code);
    assertThat(error.message()).doesNotContain("secret");
    if (code != ErrorCode.INTERNAL) {
      assertThat(error.message()).isEqualTo("told");
    }
  }

  @Test
  void plan_ofAKnownDocument_isNotPreparedAgain() {
    var engine = ShopData.engine();
    try (var client = client(engine, 100)) {
      var document = "query($id: Int!) { products_by_pk(id: $id) { id name } }";
      client.ask(document, "{\"id\": 1}");
      var before = engine.preparations();
      client.ask(document, "{\"id\": 2}");
      client.ask(document + " ", "{\"id\": 3}");
      assertThat(engine.preparations()).isEqualTo(before);
    }
  }
}

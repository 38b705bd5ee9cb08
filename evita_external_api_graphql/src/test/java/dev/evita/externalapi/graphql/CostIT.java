// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.graphql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evita.api.Engine;
import dev.evita.externalapi.core.limits.Limits;
import dev.evita.externalapi.graphql.plan.OracleIT;
import graphql.introspection.IntrospectionQueryBuilder;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The cost limit, checked before execution, and the limit of response bytes. */
final class CostIT {

  private static Client client(Engine engine, Limits limits) {
    return new Client(engine, Client.Way.IN_PROCESS, limits, GraphQlOptions.DEFAULT);
  }

  private static Limits costing(long most) {
    return Limits.builder().maxCost(most).build();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{ products_by_pk(id: 1) { id name } }                            | 2",
        "{ products(limit: 3) { id name } }                               | 6",
        "{ products { id name } }                                         | 100",
        "{ products(limit: 3) { id brand { id name } } }                  | 9",
        "{ products(limit: 3) { id prices { amount } } }                  | 153",
        "{ products(limit: 3) { id prices(limit: 2) { amount } } }        | 9",
        "{ products { prices { amount } } }                               | 2500",
        "{ products_aggregate { aggregate { count } } }                   | 50",
        "{ a: products(limit: 3) { id } b: products(limit: 4) { id } }    | 7",
        "{ products_aggregate(limit: 5) { aggregate { count } nodes { id name } } } | 15",
        "{ __typename }                                                   | 1",
      })
  void cost_isRowsTimesWhatEachHolds(String document, long cost) {
    try (var client = client(ShopData.engine(), costing(cost))) {
      assertThat(client.ask(document)).doesNotContain("errors");
    }
    if (cost > 1) {
      try (var client = client(ShopData.engine(), costing(cost - 1))) {
        assertThat(client.ask(document))
            .contains("\"code\":\"TOO_COSTLY\"", "estimated cost is " + cost + ",", "\"path\":[");
      }
    }
  }

  @Test
  void cost_ofALimitInAVariable_isThatOfItsValue() {
    var document = "query($n: Int) { products(limit: $n) { id prices(limit: $n) { amount } } }";
    var engine = ShopData.engine();
    try (var client = client(engine, costing(30))) {
      assertThat(client.ask(document, "{\"n\": 5}")).doesNotContain("errors");
      var prepared = engine.preparations();
      assertThat(client.ask(document, "{\"n\": 6}"))
          .contains("TOO_COSTLY", "estimated cost is 42,", "\"locations\":[{\"line\":1");
      assertThat(client.ask(document, "{\"n\": 5}")).doesNotContain("errors");
      assertThat(engine.preparations()).isEqualTo(prepared);
      // Without a limit, another shape: its cost is reported as well.
      assertThat(client.ask(document, "{\"n\": null}")).contains("estimated cost is 2550,");
    }
  }

  @Test
  void listsInLists_withinTheStandardLimits_areNotRunToTheirEnd() {
    var nested = "brand { products { prices { product { ";
    var document = "{ products { " + nested.repeat(6) + "id" + " } } } }".repeat(6) + " } }";
    try (var client = new Client(ShopData.engine())) {
      assertThat(client.ask(document)).contains("TOO_COSTLY");
    }
  }

  @Test
  void aliases_beyondTheLimit_areRejected() {
    var options =
        GraphQlOptions.builder().limits(GraphQlLimits.builder().maxAliases(3).build()).build();
    try (var client =
        new Client(ShopData.engine(), Client.Way.IN_PROCESS, Limits.DEFAULT, options)) {
      var three = "{ a: products_by_pk(id: 1) { b: id c: id } }";
      assertThat(client.ask(three)).doesNotContain("errors");
      assertThat(client.ask(three.replace("c: id", "c: id d: id")))
          .contains("TOO_MANY_ALIASES", "\"locations\":[{\"line\":1,\"column\":");
      assertThat(
              client.ask(
                  "{ products_by_pk(id: 1) { ...F brand { products { ...F } } } }"
                      + " fragment F on products { a: id b: id }"))
          .contains("TOO_MANY_ALIASES");
      assertThat(client.ask("{ __schema { types { a: name b: name c: name d: name } } }"))
          .contains("TOO_MANY_ALIASES");
      assertThat(
              client.ask(
                  "query A { a: __typename b: __typename } query B { a: __typename b: __typename }",
                  "{}"))
          .contains("operationName");
    }
  }

  @Test
  void rootFields_beyondTheLimit_areRejected() {
    var fields = IntStream.rangeClosed(1, 201).mapToObj(i -> "a" + i + ": __typename").toList();
    try (var client = new Client(ShopData.engine())) {
      assertThat(client.ask("{" + String.join(" ", fields.subList(0, 200)) + "}"))
          .doesNotContain("errors");
      assertThat(client.ask("{" + String.join(" ", fields) + "}"))
          .contains("TOO_MANY_ROOT_FIELDS", "201 fields", "\"locations\":[{\"line\":1");
    }
  }

  @Test
  void response_ofMoreBytesThanAllowed_endsWithTheReason() {
    var limits = Limits.builder().maxAnswerBytes(100_000).build();
    var engine = ShopData.engine();
    for (int i = 0; i < 10_000; i++) {
      engine.add(ShopData.BRANDS, ShopData.row("ID", 100L + i, "NAME", "Brand number " + i));
    }
    try (var client = new Client(engine, Client.Way.IN_PROCESS, limits, GraphQlOptions.DEFAULT)) {
      var answer = client.ask("{ brands { id name } }");
      assertThat(answer)
          .startsWith("{\"data\":{\"brands\":[{\"id\":1,")
          .endsWith("\"code\":\"ANSWER_TOO_LARGE\",\"category\":\"USER\"}}]}")
          .hasSizeBetween(99_000, 101_000);
      OracleIT.parse(answer);
      assertThat(client.ask("{ brands(limit: 100) { id name } }")).doesNotContain("errors");
    }
    try (var client =
        new Client(
            ShopData.engine(),
            Client.Way.IN_PROCESS,
            limits.toBuilder().maxAnswerBytes(1_000).build(),
            GraphQlOptions.DEFAULT)) {
      assertThat(client.ask(IntrospectionQueryBuilder.build()))
          .contains("ANSWER_TOO_LARGE")
          .startsWith("{\"data\":null");
    }
  }

  /** The introspection query of GraphiQL and code generators. */
  @Test
  void introspection_ofUsualClients_isWithinTheStandardLimits() {
    var script =
        IntStream.range(0, 60)
            .mapToObj(i -> "create table t" + i + " (id int primary key, name varchar);")
            .collect(Collectors.joining("\n"));
    try (var engine = H2Shop.open(script);
        var client = new Client(engine)) {
      var options =
          IntrospectionQueryBuilder.Options.defaultOptions()
              .directiveIsRepeatable(true)
              .isOneOf(true)
              .inputValueDeprecation(true)
              .specifiedByUrl(true)
              .typeRefFragmentDepth(9);
      assertThat(client.ask(IntrospectionQueryBuilder.build(options)))
          .doesNotContain("\"errors\"")
          .contains("t59_bool_exp");
    }
  }
}

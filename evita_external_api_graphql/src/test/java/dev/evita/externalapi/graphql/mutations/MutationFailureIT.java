// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.graphql.mutations;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evita.api.Engine;
import dev.evita.externalapi.core.limits.Limits;
import dev.evita.externalapi.graphql.Client;
import dev.evita.externalapi.graphql.GraphQlOptions;
import dev.evita.externalapi.graphql.MutationDatabase;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** A failed mutation is rolled back and reported with its code, on all databases. */
@ParameterizedClass
@EnumSource(MutationDatabase.class)
final class MutationFailureIT {

  private final MutationDatabase database;
  private final Engine engine;
  private final Client client;

  MutationFailureIT(MutationDatabase database) {
    this.database = database;
    this.engine = database.open();
    this.client = new Client(engine);
  }

  @AfterEach
  void close() {
    client.close();
    engine.close();
  }

  private void fails(String fields, String code) {
    var answer = client.ask("mutation { " + fields + " }");
    assertThat(answer)
        .startsWith("{\"data\":null,\"errors\":[{\"message\":")
        .contains("\"locations\":[{\"line\":1,\"column\":")
        .contains("\"code\":\"" + code + "\"");
  }

  private String brands() {
    return client.ask("{ brands(order_by: {id: asc}) { id name } }");
  }

  @Test
  void failureOfTheLastField_rollsBackTheOthers() {
    var before = brands();
    var answer =
        client.ask(
            """
            mutation {
              insert_brands(objects: [{id: 3, name: "C"}]) { affected_rows }
              update_brands(where: {}, _set: {name: "changed"}) { affected_rows }
              delete_prices(where: {}) { affected_rows }
              bad: insert_brands_one(object: {id: 1, name: "again"}) { id }
            }
            """);
    assertThat(answer)
        .startsWith("{\"data\":null,\"errors\":[")
        .contains("\"locations\":[{\"line\":5,\"column\":3}],\"path\":[\"bad\"]")
        .contains("UNIQUE_VIOLATION");
    assertThat(brands()).isEqualTo(before);
    assertThat(client.ask("{ prices_aggregate { aggregate { count } } }")).contains(":3}");
  }

  @Test
  void violations_haveTheirCodes() {
    fails("insert_brands_one(object: {id: 1, name: \"x\"}) { id }", "UNIQUE_VIOLATION");
    fails("insert_products_one(object: {id: 9, brand_id: 99}) { id }", "FOREIGN_KEY_VIOLATION");
    fails("delete_brands_by_pk(id: 1) { id }", "FOREIGN_KEY_VIOLATION");
    fails("insert_products_one(object: {id: 9, price: -1}) { id }", "CHECK_VIOLATION");
    fails("insert_brands_one(object: {id: 9}) { id }", "NOT_NULL_VIOLATION");
    fails("update_brands(where: {}, _set: {name: null}) { affected_rows }", "NOT_NULL_VIOLATION");
  }

  @Test
  void valuesThatDoNotFit_haveTheirCodes() {
    var tooLong = "x".repeat(21);
    var largest = database == MutationDatabase.SQLITE ? Long.MAX_VALUE : Integer.MAX_VALUE;
    fails(
        "update_products(where: {id: {_eq: 1}}, _inc: {stock: " + largest + "}) { affected_rows }",
        "VALUE_OUT_OF_RANGE");
    if (database == MutationDatabase.SQLITE) {
      // It has neither lengths nor decimals.
      var insert = "insert_brands_one(object: {id: 9, name: \"" + tooLong + "\"}) { name }";
      assertThat(client.ask("mutation { " + insert + " }")).contains(tooLong);
      return;
    }
    fails("insert_brands_one(object: {id: 9, name: \"" + tooLong + "\"}) { id }", "VALUE_TOO_LONG");
    fails(
        "update_products(where: {id: {_eq: 1}}, _set: {price: \"1e20\"}) { affected_rows }",
        "VALUE_OUT_OF_RANGE");
  }

  @Test
  void messages_containNoRowsOfOthers() {
    var secret = "name: \"secret\"";
    client.ask("mutation { insert_brands_one(object: {id: 8, " + secret + "}) { id } }");
    for (var mutation :
        List.of(
            "insert_brands_one(object: {id: 8, name: \"x\"}) { id }",
            "update_brands(where: {id: {_eq: 8}}, _set: {name: null}) { affected_rows }",
            "update_products(where: {}, _set: {price: -1}) { affected_rows }")) {
      assertThat(client.ask("mutation { " + mutation + " }"))
          .contains("VIOLATION")
          .doesNotContain("secret", "/*", "row contains");
    }
  }

  /** H2's MERGE looks first and adds then; the others come in between. */
  @Test
  void upserts_atTheSameTime_addOneRow() throws InterruptedException {
    var answers = new ConcurrentLinkedQueue<String>();
    for (int round = 0; round < 20; round++) {
      var document =
          "mutation { insert_brands(objects: [{id: %d, name: \"r\"}], on_conflict: {constraint: %s, update_columns: [name]}) { affected_rows } }"
              .formatted(1_000 + round, brandsKey());
      var threads = new ArrayList<Thread>();
      for (int i = 0; i < 6; i++) {
        threads.add(Thread.ofPlatform().start(() -> answers.add(client.ask(document))));
      }
      for (var thread : threads) {
        thread.join();
      }
    }
    assertThat(answers).hasSize(120).noneMatch(answer -> answer.contains("UNIQUE_VIOLATION"));
  }

  private String brandsKey() {
    return client
        .ask("{ __type(name: \"brands_constraint\") { enumValues { name } } }")
        .replaceAll(".*?\"name\":\"(.*?)\".*", "$1");
  }

  @Test
  void nestedInsert_failureInNestedRows_rollsBack() {
    fails(
        "insert_orders_one(object: {customer: \"A\", order_lines: {data: [{id: 7, line_notes: {data:"
            + " {note: \"n\"}}}, {id: 7}]}}) { id }",
        "UNIQUE_VIOLATION");
    assertThat(client.ask("{ orders { id } order_lines { id } line_notes { id } }"))
        .isEqualTo("{\"data\":{\"orders\":[],\"order_lines\":[],\"line_notes\":[]}}");
  }

  @Test
  void invalidInput_isReportedBeforeExecution() {
    var cases =
        Map.of(
            "update_brands(where: {}) { affected_rows }",
            "give a column in _set or _inc",
            "update_brands(where: {}, _set: {}) { affected_rows }",
            "give a column in _set or _inc",
            "update_products(where: {}, _set: {stock: 1}, _inc: {stock: 1}) { affected_rows }",
            "_inc.stock: 'stock' is in both _set and _inc",
            "update_products(where: {}, _inc: {stock: null}) { affected_rows }",
            "_inc.stock: null is not valid here",
            "update_products_many(updates: [{where: {}, _set: {name: \"x\"}}, {where: {}}]) {"
                + " affected_rows }",
            "updates[1]._set: nothing is to be changed",
            "delete_brands(where: {id: {_eq: null}}) { affected_rows }",
            "null is not valid here");
    cases.forEach((field, message) ->
        assertThat(client.ask("mutation { " + field + " }"))
            .startsWith("{\"errors\":")
            .contains(message)
            .contains("INVALID_VALUE"));
  }

  @Test
  void variableOfAFilter_thatIsForgotten_changesNothing() {
    var before = brands();
    for (var where : List.of("{name: {_eq: $v}}", "{_and: [{name: {_eq: $v}}]}", "{name: $v}")) {
      var type = where.contains("_eq") ? "String" : "String_comparison_exp";
      var document =
          "mutation($v: " + type + ") { delete_brands(where: " + where + ") { affected_rows } }";
      assertThat(client.ask(document))
          .startsWith("{\"errors\":")
          .contains("its variable has no value, which a mutation needs");
    }
    assertThat(brands()).isEqualTo(before);
  }

  @Test
  void objectsInVariables_areCheckedToo() {
    assertThat(
            client.ask(
                "mutation($o: [products_insert_input!]!) { insert_products(objects: $o) {"
                    + " affected_rows } }",
                "{\"o\": [{\"id\": 9, \"brand\": {\"on_conflict\": null}}]}"))
        .contains("$o[0].brand: the field 'data' is missing")
        .contains("INVALID_VALUE");
    assertThat(
            client.ask(
                "mutation($o: brands_on_conflict) { insert_brands_one(object: {id: 1},"
                    + " on_conflict: $o) { id } }",
                "{\"o\": {\"update_columns\": [\"name\"]}}"))
        .contains("$o: the field 'constraint' is missing");
  }

  @Test
  void incrementsOfManyClients_areAllCounted() throws Exception {
    var increments = new ArrayList<Callable<String>>();
    for (int i = 0; i < 40; i++) {
      increments.add(() ->
          client.ask(
              "mutation { update_products(where: {id: {_eq: 1}}, _inc: {stock: 1}) { affected_rows"
                  + " } }"));
    }
    try (var clients = Executors.newFixedThreadPool(4)) {
      for (var answer : clients.invokeAll(increments)) {
        assertThat(answer.get())
            .isEqualTo("{\"data\":{\"update_products\":{\"affected_rows\":1}}}");
      }
    }
    assertThat(client.ask("{ products_by_pk(id: 1) { stock } }")).contains("{\"stock\":47}");
  }

  @Test
  void getOfAMutation_isRejected_registeredOrNot() {
    var document = "mutation { delete_prices(where: {}) { affected_rows } }";
    var target = "/graphql?query=" + URLEncoder.encode(document, StandardCharsets.UTF_8);
    assertThat(client.send("GET", target, Map.of(), "").status()).isEqualTo(405);
    assertThat(client.ask(document)).contains("\"affected_rows\":3");
    var refused = client.send("GET", target, Map.of(), "");
    assertThat(refused.status()).isEqualTo(405);
    assertThat(refused.header("Allow")).isEqualTo("POST");
  }

  @Test
  void batchOfMutations_isATransactionEach() {
    var good =
        "{\"query\": \"mutation { insert_brands_one(object: {id: 8, name: \\\"x\\\"}) { id } }\"}";
    var bad =
        "{\"query\": \"mutation { a: delete_prices(where: {}) { affected_rows } insert_brands_one(object: {id: 8}) { id } }\"}";
    var answer = client.post("[" + good + "," + bad + "," + good.replace("8", "9") + "]").body();
    assertThat(answer)
        .startsWith("[{\"data\":{\"insert_brands_one\":{\"id\":8}}},{\"data\":null,\"errors\":")
        .endsWith(",{\"data\":{\"insert_brands_one\":{\"id\":9}}}]");
    assertThat(client.ask("{ prices_aggregate { aggregate { count } } }")).contains(":3}");
  }

  @Test
  void responseBeyondMaxRows_rollsBack() {
    var limits = Limits.builder().maxRows(3).build();
    try (var few = new Client(engine, Client.Way.IN_PROCESS, limits, GraphQlOptions.DEFAULT)) {
      var objects =
          IntStream.range(10, 14)
              .mapToObj(i -> "{id: " + i + ", name: \"x\"}")
              .collect(Collectors.joining(" "));
      assertThat(
              few.ask(
                  "mutation { insert_brands(objects: [" + objects + "]) { returning { id } } }"))
          .startsWith("{\"data\":null")
          .contains("TOO_MANY_ROWS");
      assertThat(brands()).doesNotContain("\"id\":10");
    }
  }
}

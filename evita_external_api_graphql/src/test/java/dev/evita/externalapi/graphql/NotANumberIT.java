// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.graphql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evita.api.testkit.EngineDriver;
import dev.evita.engine.jdbc.JdbcEngine;
import dev.evita.testsupport.PostgresServer;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/** Decimals that are no numbers, where the database has them. */
@ParameterizedClass
@ValueSource(strings = {"decfloat", "numeric"})
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(120)
final class NotANumberIT {

  @Parameter private String type = "";
  private LiveServer live;
  private Client client;

  @BeforeParameterizedClassInvocation
  void open() {
    var h2 = type.equals("decfloat");
    var engine =
        JdbcEngine.open(
            h2 ? "jdbc:h2:mem:" + UUID.randomUUID() : PostgresServer.start().createDatabase());
    new EngineDriver(engine)
        .script(
            """
            create table marks (amount %s primary key, id int not null);
            insert into marks values ('NaN', 1), (1.5, 2), ('-Infinity', 3);
            """
                .formatted(type));
    engine.refresh();
    live = new LiveServer(engine, SubscriptionOptions.DEFAULT, all -> all);
    client = new Client(engine);
  }

  @AfterParameterizedClassInvocation
  void close() {
    client.close();
    live.close();
  }

  private void requireAnswer(String document, String expected) {
    assertThat(client.ask(document)).isEqualTo("{\"data\":{" + expected + "}}");
  }

  @Test
  void rows_haveThemAsStrings() {
    requireAnswer(
        "{ marks(order_by: {amount: desc}) { amount } }",
        "\"marks\":[{\"amount\":\"NaN\"},{\"amount\":1.5},{\"amount\":\"-Infinity\"}]");
    requireAnswer("{ marks_by_pk(amount: \"NaN\") { id } }", "\"marks_by_pk\":{\"id\":1}");
    requireAnswer(
        "{ marks(where: {amount: {_in: [\"NaN\", 1.5]}}, order_by: {id: asc}) { id } }",
        "\"marks\":[{\"id\":1},{\"id\":2}]");
    requireAnswer(
        "{ marks_aggregate { aggregate { sum { amount } max { amount } } } }",
        "\"marks_aggregate\":{\"aggregate\":{\"sum\":{\"amount\":\"NaN\"},\"max\":{\"amount\":\"NaN\"}}}");
  }

  @Test
  void pages_continueAfterThem() {
    var page =
        client.ask("{ marks_connection(first: 1, order_by: {amount: desc}) { edges { cursor } } }");
    var cursor = page.replaceFirst(".*\"cursor\":\"([^\"]*)\".*", "$1");
    requireAnswer(
        "{ marks_connection(first: 5, after: \"%s\", order_by: {amount: desc}) { nodes { id } } }"
            .formatted(cursor),
        "\"marks_connection\":{\"nodes\":[{\"id\":2},{\"id\":3}]}");
  }

  @Test
  void mutations_returnThem() {
    requireAnswer(
        "mutation { insert_marks_one(object: {amount: \"Infinity\", id: 4}) { amount }"
            + " delete_marks(where: {amount: {_eq: \"Infinity\"}}) { returning { amount id } } }",
        "\"insert_marks_one\":{\"amount\":\"Infinity\"},"
            + "\"delete_marks\":{\"returning\":[{\"amount\":\"Infinity\",\"id\":4}]}");
  }

  @Test
  void liveQueries_returnThem() throws InterruptedException {
    try (var reader = live.connect().init()) {
      reader.subscribe("1", "subscription { marks(where: {id: {_eq: 1}}) { amount } }");
      assertThat(reader.next()).contains("{\"data\":{\"marks\":[{\"amount\":\"NaN\"}]}}");
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.graphql.mutations;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evita.api.Engine;
import dev.evita.api.testkit.AsynchronousEngine;
import dev.evita.api.testkit.FaultyEngine;
import dev.evita.externalapi.core.ExternalApiServer;
import dev.evita.externalapi.core.ServerOptions;
import dev.evita.externalapi.core.limits.Limits;
import dev.evita.externalapi.graphql.Client;
import dev.evita.externalapi.graphql.GraphQlOptions;
import dev.evita.externalapi.graphql.GraphQlProvider;
import dev.evita.externalapi.graphql.MutationDatabase;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever becomes of a mutation, its transaction ends. */
@Timeout(60)
final class MutationTransactionIT {

  /** Three statements: of the insert, its children, and the delete. */
  private static final String MUTATION =
      """
      mutation {
        insert_products_one(object: {id: 9, prices: {data: {currency: "EUR", amount: 1}}}) { id }
        delete_prices(where: {product_id: {_eq: 1}}) { affected_rows }
      }
      """;

  private static final String STATE =
      "{ products_by_pk(id: 9) { id } prices_aggregate { aggregate { count } } }";
  private static final String UNCHANGED =
      "{\"data\":{\"products_by_pk\":null,\"prices_aggregate\":{\"aggregate\":{\"count\":3}}}}";

  private static Engine database(boolean later) {
    var h2 = MutationDatabase.H2.open();
    return later ? new AsynchronousEngine(h2) : h2;
  }

  @ParameterizedTest
  @CsvSource({
    "0, false", "1, false", "2, false", "3, false", "-1, false",
    "0, true", "1, true", "2, true", "3, true", "-1, true"
  })
  void failureAtAnyStep_rollsBack(int step, boolean later) {
    try (var engine = new FaultyEngine(database(later));
        var client = new Client(engine.failing(step))) {
      assertThat(client.ask(MUTATION))
          .startsWith("{\"data\":null,\"errors\":[{\"message\":\"failed on demand\"")
          .contains("DATABASE_ERROR");
      assertThat(engine.openTransactions()).isZero();
      assertThat(client.ask(STATE)).isEqualTo(UNCHANGED);
    }
  }

  /** A deadlock or a serialization failure: nothing of it was kept. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void conflict_isRetried_andWrittenOnce(boolean later) {
    try (var engine = new FaultyEngine(database(later));
        var client = new Client(engine.losing(11))) {
      assertThat(client.ask(MUTATION))
          .isEqualTo(
              "{\"data\":{\"insert_products_one\":{\"id\":9},"
                  + "\"delete_prices\":{\"affected_rows\":2}}}");
      assertThat(engine.transactions()).isEqualTo(12);
      assertThat(engine.commits()).isEqualTo(1);
      assertThat(engine.openTransactions()).isZero();
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void permanentConflict_isReported_andNothingIsWritten(boolean later) {
    try (var engine = new FaultyEngine(database(later));
        var client = new Client(engine.losing(12))) {
      assertThat(client.ask(MUTATION))
          .startsWith("{\"data\":null,\"errors\":[{\"message\":\"lost on demand\"")
          .contains("SERIALIZATION_FAILURE");
      assertThat(engine.openTransactions()).isZero();
      assertThat(client.ask(STATE)).isEqualTo(UNCHANGED);
    }
  }

  @ParameterizedTest
  @CsvSource({"1, false", "2, false", "3, false", "1, true", "3, true"})
  void deadline_rollsBack(int step, boolean later) {
    var limits = Limits.builder().requestTimeout(Duration.ofMillis(500)).build();
    try (var engine = new FaultyEngine(database(later));
        var client =
            new Client(engine.hanging(step), Client.Way.SOCKET, limits, GraphQlOptions.DEFAULT)) {
      assertThat(client.ask(MUTATION)).startsWith("{\"errors\":").contains("DEADLINE_EXCEEDED");
      assertThat(engine.openTransactions()).isZero();
      try (var patient = new Client(engine)) {
        assertThat(patient.ask(STATE)).isEqualTo(UNCHANGED);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  void clientDisconnect_rollsBack(int step) throws Exception {
    try (var engine = new FaultyEngine(database(false)).hanging(step);
        var server =
            ExternalApiServer.over(engine)
                .options(ServerOptions.DEFAULT)
                .withoutDiscovery()
                .provider(new GraphQlProvider(GraphQlOptions.DEFAULT))
                .start()) {
      try (var socket = post(server, MUTATION)) {
        engine.awaitHanging();
        assertThat(engine.openTransactions()).isEqualTo(1);
        socket.setSoLinger(true, 0);
      }
      engine.awaitEnd();
      assertThat(engine.openTransactions()).isZero();
      assertThat(engine.commits()).isZero();
    }
  }

  private static Socket post(ExternalApiServer server, String document) throws IOException {
    var socket = new Socket(InetAddress.getLoopbackAddress(), server.uri().getPort());
    var body = "{\"query\":" + Client.quoted(document) + "}";
    var head =
        "POST /graphql HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
            + "Content-Length: "
            + body.length()
            + "\r\n\r\n";
    socket.getOutputStream().write((head + body).getBytes(StandardCharsets.UTF_8));
    socket.getOutputStream().flush();
    return socket;
  }

  @Test
  void shutdown_rollsBackOpenTransactions() {
    try (var engine = new FaultyEngine(database(false)).hanging(2)) {
      var client = new Client(engine, Client.Way.SOCKET);
      var answer = CompletableFuture.supplyAsync(() -> client.ask(MUTATION));
      engine.awaitHanging();
      client.close();
      engine.awaitEnd();
      assertThat(engine.openTransactions()).isZero();
      assertThat(engine.commits()).isZero();
      answer.handle((body, failure) -> body).join();
    }
  }

  @Test
  void badInput_beginsNoTransaction() {
    try (var engine = new FaultyEngine(database(false));
        var client = new Client(engine)) {
      client.ask("mutation { update_brands(where: {}, _set: {}) { affected_rows } }");
      client.ask("mutation { insert_brands_one(object: {id: \"x\"}) { id } }");
      assertThat(engine.transactions()).isZero();
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void statements_doNotGrowWithRows(boolean later) {
    try (var engine = new FaultyEngine(database(later));
        var client = new Client(engine)) {
      for (int rows : new int[] {1, 400}) {
        var before = engine.statements();
        var objects =
            IntStream.range(0, rows)
                .mapToObj(i ->
                    "{id: %1$d, brand: {data: {id: %1$d, name: \"b\"}}, prices: {data: {currency: \"EUR\", amount: 1}}}"
                        .formatted(1_000 * rows + i))
                .collect(Collectors.joining(" "));
        var answer =
            client.ask(
                "mutation { insert_products(objects: ["
                    + objects
                    + "]) { affected_rows returning { id brand { id } prices { amount } } } }");
        assertThat(answer).contains("\"affected_rows\":" + 3 * rows);
        // Brands, products, prices, and the products again.
        assertThat(engine.statements() - before).isEqualTo(4);
      }
    }
  }

  @Test
  void manyFields_ofASynchronousEngine_doNotDeepenTheStack() {
    var fields =
        IntStream.range(0, 190)
            .mapToObj(
                i -> "a" + i + ": update_products(where: {}, _inc: {stock: 1}) { affected_rows }")
            .collect(Collectors.joining(" "));
    var lines =
        IntStream.range(0, 1_000)
            .mapToObj(i -> "{order_lines: {data: []}, total: " + i + "}")
            .collect(Collectors.joining(" "));
    try (var engine = database(false);
        var client = new Client(engine)) {
      assertThat(client.ask("mutation {" + fields + "}")).doesNotContain("errors");
      assertThat(
              client.ask(
                  "mutation { insert_orders(objects: ["
                      + lines.replace("data: []", "data: {text: \"x\"}")
                      + "]) { affected_rows } }"))
          .isEqualTo("{\"data\":{\"insert_orders\":{\"affected_rows\":2000}}}");
    }
  }
}

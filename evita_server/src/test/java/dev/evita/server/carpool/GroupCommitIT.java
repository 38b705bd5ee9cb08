// SPDX-License-Identifier: Apache-2.0
package dev.evita.server.carpool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evita.externalapi.core.limits.Limits;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Writes that wait for one another share a commit, and fail alone. */
@Timeout(120)
final class GroupCommitIT {

  private static CompletableFuture<HttpResponse<String>> post(
      CarpoolServer server, String target, String body) {
    return server.send(
        HttpRequest.newBuilder(server.uri(target))
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(body))
            .build());
  }

  private static CompletableFuture<HttpResponse<String>> insert(CarpoolServer server, int id) {
    return post(server, "/rest/users", "{\"id\": %d, \"handle\": \"new%d\"}".formatted(id, id));
  }

  private static CompletableFuture<HttpResponse<String>> increment(CarpoolServer server, int id) {
    return post(
        server,
        "/graphql",
        "{\"query\": \"mutation { update_users_by_pk(pk_columns: {id: %d}, _inc: {visits: 1}) { visits } }\"}"
            .formatted(id));
  }

  /** A few of the inserts violate a key; all others are there, and all increments count. */
  @ParameterizedTest
  @ValueSource(strings = {"sqlite", "postgresql", "h2"})
  void writes_ofManyClients_failAloneAndAreAllThere(String kind) throws SQLException {
    try (var server = CarpoolServer.start(kind, UnaryOperator.identity())) {
      assertThat(insert(server, 1_000).join().statusCode()).isEqualTo(201);
      assertThat(increment(server, 2).join().statusCode()).isEqualTo(200);
      var inserts = new ArrayList<CompletableFuture<HttpResponse<String>>>();
      var increments = new ArrayList<CompletableFuture<HttpResponse<String>>>();
      for (int i = 0; i < 200; i++) {
        inserts.add(insert(server, i % 10 == 0 ? 1_000 : 2_000 + i));
        increments.add(increment(server, 1));
      }
      var statuses = inserts.stream().map(each -> each.join().statusCode()).toList();
      for (int i = 0; i < 200; i++) {
        assertThat(statuses.get(i)).as("insert %d", i).isEqualTo(i % 10 == 0 ? 409 : 201);
      }
      var visits =
          increments.stream()
              .map(each -> each.join().body().replaceAll("[^0-9]", ""))
              .map(Integer::parseInt)
              .sorted()
              .toList();
      assertThat(visits).hasSize(200).doesNotHaveDuplicates().endsWith(200);
      assertThat(server.get("/rest/users?select=visits&id=eq.1").join().body())
          .isEqualTo("[{\"visits\":200}]");
      assertThat(count(server, "/rest/users?select=id&id=gte.1000")).isEqualTo(181);
    }
  }

  /** Its failure is stored in a second transaction, which must not wait for the group's. */
  @ParameterizedTest
  @ValueSource(strings = {"sqlite", "postgresql"})
  void writeWithIdempotencyKey_thatFails_delaysNoOther(String kind) throws SQLException {
    var limits = Limits.builder().requestTimeout(Duration.ofSeconds(20)).build();
    try (var server = CarpoolServer.start(kind, options -> options.limits(limits))) {
      assertThat(insert(server, 1_000).join().statusCode()).isEqualTo(201);
      var failing = new ArrayList<CompletableFuture<HttpResponse<String>>>();
      var others = new ArrayList<CompletableFuture<HttpResponse<String>>>();
      for (int i = 0; i < 60; i++) {
        others.add(insert(server, 2_000 + i));
        if (i % 6 == 0) {
          failing.add(
              server.send(
                  HttpRequest.newBuilder(server.uri("/rest/users"))
                      .header("Content-Type", "application/json")
                      .header("Idempotency-Key", "\"key-" + i + "\"")
                      .POST(
                          HttpRequest.BodyPublishers.ofString(
                              "{\"id\": 1000, \"handle\": \"taken\"}"))
                      .build()));
        }
      }
      failing.forEach(each -> assertThat(each.join().statusCode()).isEqualTo(409));
      others.forEach(each -> assertThat(each.join().statusCode()).isEqualTo(201));
    }
  }

  private static int count(CarpoolServer server, String target) {
    return List.of(server.get(target).join().body().split("id", -1)).size() - 1;
  }

  /** They wait for the first one, and are committed together. */
  @ParameterizedTest
  @ValueSource(strings = {"sqlite", "postgresql"})
  void writesThatWait_shareOneTransaction(String kind) throws SQLException {
    try (var server = CarpoolServer.start(kind, UnaryOperator.identity())) {
      assertThat(insert(server, 1_000).join().statusCode()).isEqualTo(201);
      var before = server.engine().transactions();
      var executions = server.engine().executions();
      server.engine().hold();
      var first = insert(server, 1_001);
      server.awaitExecutions(executions + 1);
      var others = new ArrayList<CompletableFuture<HttpResponse<String>>>();
      for (int i = 0; i < 10; i++) {
        others.add(insert(server, 1_010 + i));
      }
      server.awaitWaiting(10);
      server.engine().release();
      assertThat(first.join().statusCode()).isEqualTo(201);
      others.forEach(each -> assertThat(each.join().statusCode()).isEqualTo(201));
      // The first has held its transaction too long for others to follow in it.
      assertThat(server.engine().transactions() - before).isEqualTo(2);
    }
  }
}

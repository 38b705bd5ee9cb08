// SPDX-License-Identifier: Apache-2.0
package dev.evita.server.carpool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evita.externalapi.core.ServerOptions;
import dev.evita.externalapi.core.carpool.BatchedStatement;
import dev.evita.externalapi.core.carpool.CarpoolMode;
import dev.evita.externalapi.core.limits.Limits;
import java.net.http.HttpResponse;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Concurrent reads by key share statements, with the same responses as without. */
@Timeout(120)
final class CarpoolIT {

  /** The number of batches of one operation that execute at a time. */
  private static final int LANES = BatchedStatement.READING_LANES;

  private static String user(int id) {
    return "/rest/users?select=id,handle&id=eq." + id;
  }

  private static String row(int id) {
    return "[{\"id\":%d,\"handle\":\"user%d\"}]".formatted(id, id);
  }

  /** Occupies the database by as many reads as execute at a time; later ones wait for a batch. */
  private static List<CompletableFuture<HttpResponse<String>>> occupy(
      CarpoolServer server, String target) {
    var first = server.get(target).join();
    assertThat(first.statusCode()).isEqualTo(200); // compiles it
    var before = server.engine().executions();
    server.engine().hold();
    var occupying = new ArrayList<CompletableFuture<HttpResponse<String>>>();
    for (int i = 1; i <= LANES; i++) {
      occupying.add(server.get(target));
      server.awaitExecutions(before + i);
    }
    return occupying;
  }

  private static List<String> bodies(List<CompletableFuture<HttpResponse<String>>> responses) {
    return responses.stream().map(each -> each.join().body()).toList();
  }

  @ParameterizedTest
  @ValueSource(strings = {"h2", "sqlite", "postgresql"})
  void readsByKey_whileDatabaseIsBusy_shareOneStatement(String kind) throws SQLException {
    try (var server = CarpoolServer.start(kind, UnaryOperator.identity())) {
      var occupying = occupy(server, user(1));
      var before = server.engine().executions();
      var waiting = new ArrayList<CompletableFuture<HttpResponse<String>>>();
      var expected = new ArrayList<String>();
      for (int id : new int[] {5, 6, 7, 7, 8, 1000, 5, 300}) {
        waiting.add(server.get(user(id)));
        expected.add(id == 1000 ? "[]" : row(id));
      }
      server.awaitWaiting(waiting.size());
      server.engine().release();
      assertThat(bodies(occupying)).containsOnly(row(1));
      assertThat(bodies(waiting)).isEqualTo(expected);
      assertThat(server.engine().executions() - before).isEqualTo(1);
      assertThat(server.counters().largest()).isEqualTo(waiting.size());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"h2", "postgresql"})
  void readsByText_areMatchedByTheDatabasesEquality(String kind) throws SQLException {
    try (var server = CarpoolServer.start(kind, UnaryOperator.identity())) {
      var target = "/rest/users?select=id,handle&handle=eq.user";
      var occupying = occupy(server, target + 1);
      var waiting =
          List.of(server.get(target + 9), server.get(target + "9%20"), server.get(target + 10));
      server.awaitWaiting(waiting.size());
      server.engine().release();
      assertThat(bodies(occupying)).containsOnly(row(1));
      assertThat(bodies(waiting)).containsExactly(row(9), "[]", row(10));
    }
  }

  @Test
  void restAndGraphQl_readingTheSame_shareOneStatement() throws SQLException {
    try (var server = CarpoolServer.start("postgresql", UnaryOperator.identity())) {
      var query = "{ users_by_pk(id: %d) { id handle } }";
      assertThat(server.graphQl(query.formatted(2)).join().statusCode()).isEqualTo(200);
      var occupying = occupy(server, user(1));
      var before = server.engine().executions();
      var waiting =
          List.of(
              server.get(user(2)),
              server.graphQl(query.formatted(3)),
              server.graphQl(query.formatted(1000)),
              server.get(user(4)));
      server.awaitWaiting(waiting.size());
      server.engine().release();
      assertThat(bodies(occupying)).containsOnly(row(1));
      assertThat(bodies(waiting))
          .containsExactly(
              row(2),
              "{\"data\":{\"users_by_pk\":{\"id\":3,\"handle\":\"user3\"}}}",
              "{\"data\":{\"users_by_pk\":null}}",
              row(4));
      assertThat(server.engine().executions() - before).isEqualTo(1);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"h2", "postgresql"})
  void memberThatFails_failsAlone(String kind) throws SQLException {
    try (var server = CarpoolServer.start(kind, UnaryOperator.identity())) {
      var target = "/rest/users?select=id,age::int&id=eq.";
      var occupying = occupy(server, target + 1);
      var waiting =
          List.of(server.get(target + 12), server.get(target + 13), server.get(target + 14));
      server.awaitWaiting(waiting.size());
      server.engine().release();
      assertThat(bodies(occupying)).containsOnly("[{\"id\":1,\"age\":1}]");
      assertThat(waiting.get(0).join().body()).isEqualTo("[{\"id\":12,\"age\":12}]");
      assertThat(waiting.get(1).join().statusCode()).isEqualTo(400);
      assertThat(waiting.get(2).join().body()).isEqualTo("[{\"id\":14,\"age\":14}]");
    }
  }

  @Test
  void memberWhoseClientLeaves_doesNotDisturbOthers() throws SQLException {
    try (var server = CarpoolServer.start("postgresql", UnaryOperator.identity())) {
      var occupying = occupy(server, user(1));
      var leaving = server.get(user(2));
      var staying = server.get(user(3));
      server.awaitWaiting(2);
      leaving.cancel(true);
      server.engine().release();
      assertThat(staying.join().body()).isEqualTo(row(3));
      assertThat(bodies(occupying)).containsOnly(row(1));
      assertThat(server.get(user(2)).join().body()).isEqualTo(row(2));
    }
  }

  @Test
  void nestedReads_shareStatements() throws SQLException {
    try (var server = CarpoolServer.start("postgresql", UnaryOperator.identity())) {
      var target = "/rest/users?select=id,posts(id)&id=eq.";
      var occupying = occupy(server, target + 1);
      var waiting = List.of(server.get(target + 2), server.get(target + 30));
      server.awaitWaiting(waiting.size());
      server.engine().release();
      assertThat(bodies(occupying)).containsOnly("[{\"id\":1,\"posts\":[{\"id\":1}]}]");
      assertThat(bodies(waiting))
          .containsExactly("[{\"id\":2,\"posts\":[{\"id\":2}]}]", "[{\"id\":30,\"posts\":[]}]");
    }
  }

  @Test
  void memberBeyondItsDeadline_isRefusedWhileOthersWait() throws SQLException {
    var limits = Limits.builder().requestTimeout(Duration.ofSeconds(1)).build();
    try (var server = CarpoolServer.start("postgresql", options -> options.limits(limits))) {
      var occupying = occupy(server, user(1));
      var waiting = server.get(user(2));
      assertThat(waiting.join().statusCode()).isEqualTo(504);
      occupying.forEach(each -> assertThat(each.join().statusCode()).isEqualTo(504));
      server.engine().release();
      assertThat(server.get(user(2)).join().body()).isEqualTo(row(2));
    }
  }

  @Test
  void fullQueue_refusesAtOnce() throws SQLException {
    try (var server = CarpoolServer.start("postgresql", options -> options.workerQueue(2))) {
      var occupying = occupy(server, user(1));
      var waiting = List.of(server.get(user(2)), server.get(user(3)));
      server.awaitWaiting(2);
      var refused = server.get(user(4)).join();
      assertThat(refused.statusCode()).isEqualTo(503);
      assertThat(refused.body()).contains("worker-queue");
      assertThat(refused.headers().firstValue("Retry-After")).isPresent();
      server.engine().release();
      assertThat(bodies(waiting)).containsExactly(row(2), row(3));
      assertThat(bodies(occupying)).containsOnly(row(1));
      assertThat(server.counters().rejected()).isEqualTo(1);
    }
  }

  @Test
  void off_sharesNothing() throws SQLException {
    try (var server =
        CarpoolServer.start("postgresql", options -> options.carpool(CarpoolMode.OFF))) {
      assertThat(server.get(user(1)).join().body()).isEqualTo(row(1));
      assertThat(server.counters().batches()).isZero();
    }
  }

  @Test
  void options_default_measures() {
    assertThat(ServerOptions.DEFAULT.carpool()).isEqualTo(CarpoolMode.AUTO);
  }
}

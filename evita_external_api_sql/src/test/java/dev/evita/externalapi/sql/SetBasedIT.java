// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.evita.api.EvitaException;
import dev.evita.api.Script;
import dev.evita.api.TransactionOptions;
import dev.evita.api.testkit.Bindings;
import dev.evita.api.testkit.EngineDriver;
import dev.evita.api.testkit.HeldEngine;
import dev.evita.externalapi.core.carpool.BatchedStatement;
import dev.evita.externalapi.sql.HandlerServer.Database;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Handlers that serve many requests by one execution. */
@Timeout(120)
final class SetBasedIT {

  private static final String READ =
      """
      -- route: GET /users/:handle
      -- set-based: true
      -- carpool: on
      select request.id, users.name as body
        from request join users on users.handle = request.handle
      """;

  private static final String COUNT =
      """
      -- route: POST /counters/:counter
      -- path: counter integer
      -- set-based: true
      -- conflict-key: counter
      -- carpool: on
      update counters set total = total + 1
        where counter in (select counter from request);
      select request.id, cast(counters.total as varchar(10)) as body
        from request join counters on counters.counter = request.counter
      """;

  private static final String NOTE =
      """
      -- route: POST /notes/:note
      -- path: note integer
      -- set-based: true
      -- conflict-key: note
      -- carpool: on
      insert into notes (id, text) select note, 'by request' from request;
      select request.id, 201 as status from request
      """;

  @TempDir private Path directory;
  private final HttpClient client = HttpClient.newHttpClient();
  private @Nullable HandlerServer server;
  private @Nullable HeldEngine held;

  private HandlerServer over(Database database) {
    var opened =
        HandlerServer.over(database, directory.resolve(UUID.randomUUID().toString()))
            .engine(engine -> {
              held = new HeldEngine(engine);
              return held;
            });
    opened
        .db()
        .script(
            "create table counters (counter integer primary key, total integer not null);"
                + "insert into counters values (1, 0), (2, 0), (3, 0)");
    server = opened;
    return opened;
  }

  @AfterEach
  void close() {
    if (held != null) {
      held.release();
    }
    client.close();
    if (server != null) {
      server.close();
    }
  }

  private HeldEngine held() {
    return Objects.requireNonNull(held);
  }

  private CompletableFuture<HttpResponse<String>> send(
      HandlerServer to, String method, String target) {
    return client.sendAsync(
        HttpRequest.newBuilder(to.uri(target))
            .method(method, HttpRequest.BodyPublishers.noBody())
            .build(),
        HttpResponse.BodyHandlers.ofString());
  }

  /** Sends requests while the first of them occupies the database, so that the others wait. */
  private List<HttpResponse<String>> together(
      HandlerServer to, int lanes, String method, List<String> targets) {
    var executions = held().executions();
    held().hold();
    var sent = new ArrayList<CompletableFuture<HttpResponse<String>>>();
    for (var target : targets) {
      sent.add(send(to, method, target));
      if (sent.size() <= lanes) {
        var due = executions + sent.size();
        await().until(() -> held().executions() == due);
      }
    }
    await().until(() -> to.server().carpool().waiting() == targets.size() - lanes);
    held().release();
    return sent.stream().map(CompletableFuture::join).toList();
  }

  private static List<String> shown(List<HttpResponse<String>> responses) {
    return responses.stream()
        .map(each -> each.statusCode() == 200 ? each.body() : String.valueOf(each.statusCode()))
        .toList();
  }

  @ParameterizedTest
  @EnumSource
  void reads_whileDatabaseIsBusy_shareOneStatement(Database database) {
    var served = over(database).handler("read.sql", READ).start();
    var executions = held().executions();
    var lanes = BatchedStatement.READING_LANES;
    var targets = new ArrayList<>(Collections.nCopies(lanes, "/users/jane"));
    targets.addAll(
        List.of("/users/johndoe", "/users/a%20b", "/users/jane", "/users/nobody", "/users/jane"));
    var bodies = new ArrayList<>(Collections.nCopies(lanes, "Jane"));
    bodies.addAll(List.of("John", "Blank", "Jane", "404", "Jane"));
    assertThat(shown(together(served, lanes, "GET", targets))).isEqualTo(bodies);
    // Some alone, five together, and the one without a row again.
    assertThat(held().executions() - executions).isEqualTo(lanes + 2);
    assertThat(served.server().carpool().largest()).isEqualTo(5);
  }

  /** The requests for one counter see one another's effects. */
  @ParameterizedTest
  @EnumSource
  void writes_withOneConflictKey_areExecutedOneAfterAnother(Database database) {
    var served = over(database).handler("count.sql", COUNT).start();
    var targets =
        IntStream.range(0, 12).mapToObj(number -> "/counters/" + (number % 3 + 1)).toList();
    var totals = shown(together(served, 1, "POST", targets));
    for (int counter = 0; counter < 3; counter++) {
      assertThat(
              totals.get(counter)
                  + totals.get(counter + 3)
                  + totals.get(counter + 6)
                  + totals.get(counter + 9))
          .matches("(?=.*1)(?=.*2)(?=.*3)(?=.*4)[1-4]{4}");
    }
    assertThat(served.db().script("select sum(total) from counters").getFirst().getFirst())
        .hasToString("12");
    assertThat(served.server().carpool().largest()).isEqualTo(3);
  }

  @ParameterizedTest
  @EnumSource
  void writeThatFails_failsAlone(Database database) {
    var served = over(database).handler("note.sql", NOTE).start();
    served.db().script("insert into notes values (7, 'stored before')");
    var targets = IntStream.range(1, 12).mapToObj(number -> "/notes/" + number).toList();
    var statuses =
        together(served, 1, "POST", targets).stream().map(HttpResponse::statusCode).toList();
    assertThat(statuses).containsExactly(201, 201, 201, 201, 201, 201, 409, 201, 201, 201, 201);
    assertThat(served.db().script("select id from notes")).hasSize(11);
  }

  /** A handler without a row has no effect, alone as in a batch. */
  @ParameterizedTest
  @EnumSource
  void writeWithoutARow_isRolledBack(Database database) {
    var served =
        over(database)
            .handler(
                "note.sql",
                NOTE.replace(
                    "201 as status from request", "201 as status from request where note < 5"))
            .start();
    var targets = IntStream.range(1, 9).mapToObj(number -> "/notes/" + number).toList();
    var statuses =
        together(served, 1, "POST", targets).stream().map(HttpResponse::statusCode).toList();
    assertThat(statuses).containsExactly(201, 201, 201, 201, 404, 404, 404, 404);
    assertThat(served.db().script("select id from notes")).hasSize(4);
  }

  @ParameterizedTest
  @EnumSource
  void writes_ofManyClients_areAllCounted(Database database) {
    var served = over(database).handler("count.sql", COUNT).start();
    var sent =
        IntStream.range(0, 300)
            .mapToObj(number -> send(served, "POST", "/counters/" + (number % 3 + 1)))
            .toList();
    var totals = sent.stream().map(each -> Integer.parseInt(each.join().body())).sorted().toList();
    assertThat(totals)
        .isEqualTo(IntStream.range(0, 300).mapToObj(number -> number / 3 + 1).toList());
  }

  /** Requests of one handler wait for a lock; those of another do not. */
  @Test
  void handlerThatWaitsForALock_delaysNoOther() {
    var served =
        over(Database.POSTGRES).handler("count.sql", COUNT).handler("read.sql", READ).start();
    var locked = served.db().begin(TransactionOptions.DEFAULT);
    var unused =
        served
            .db()
            .rows(
                Script.of("select total from counters where counter = 1 for update"),
                new Bindings(),
                locked);
    var executions = held().executions();
    var waiting = send(served, "POST", "/counters/1");
    await().until(() -> held().executions() > executions);
    var next = send(served, "POST", "/counters/2");
    await().until(() -> served.server().carpool().waiting() == 1);
    assertThat(served.get("/users/jane").body()).isEqualTo("Jane");
    assertThat(waiting).isNotDone();
    EngineDriver.await(locked.rollback());
    assertThat(waiting.join().body()).isEqualTo("1");
    assertThat(next.join().body()).isEqualTo("1");
  }

  /** The same number in another form is the same key. */
  @ParameterizedTest
  @EnumSource
  void conflictKey_inOtherForms_isTheSame(Database database) {
    var served =
        over(database)
            .handler(
                "count.sql",
                COUNT
                    .replace("counter integer", "counter decimal")
                    .replace("where counter in", "where counter + 0 in"))
            .start();
    var targets = List.of("/counters/1", "/counters/1.0", "/counters/1", "/counters/1.00");
    assertThat(shown(together(served, 1, "POST", targets)).stream().sorted())
        .containsExactly("1", "2", "3", "4");
  }

  @ParameterizedTest
  @EnumSource
  void jsonInput_isTheSameAsOfOneRequest(Database database) {
    var handler =
        """
        -- route: GET /headers%s
        -- set-based: %s
        select request.id, request.headers as body, 'application/json' as content_type from request
        """;
    var served =
        over(database)
            .handler("many.sql", handler.formatted("/many", "true"))
            .handler("one.sql", handler.formatted("/one", "false"))
            .start();
    for (var target : List.of("/headers/many", "/headers/one")) {
      assertThat(served.get(target, "X-Test", "a").body())
          .startsWith("{")
          .containsPattern("\"x-test\": ?\"a\"");
    }
  }

  @ParameterizedTest
  @EnumSource
  void numberAsText_connectsARowWithItsRequest(Database database) {
    var served =
        over(database)
            .handler(
                "read.sql", READ.replace("request.id,", "cast(request.id as varchar(9)) as id,"))
            .start();
    assertThat(served.get("/users/jane").body()).isEqualTo("Jane");
  }

  private void assertRefused(HandlerServer refused, String... parts) {
    assertThatThrownBy(refused::start)
        .isInstanceOf(EvitaException.class)
        .hasMessageContainingAll(parts);
  }

  @ParameterizedTest
  @EnumSource
  void handlerThatReturnsOneRowForAll_isRefused(Database database) {
    assertRefused(
        over(database).handler("limit.sql", READ + " order by users.id limit 1"),
        "limit.sql",
        "set-based",
        "request.id");
  }

  @ParameterizedTest
  @EnumSource
  void handlerThatCountsAllRequests_isRefused(Database database) {
    assertRefused(
        over(database)
            .handler(
                "count.sql",
                "-- route: GET /x\n-- set-based: true\n"
                    + "select request.id, 200 + (select count(*) from request) as status"
                    + " from request"),
        "count.sql",
        "set-based");
  }

  /** Without the conflict key, two requests for one counter would count once. */
  @ParameterizedTest
  @EnumSource
  void handlerWithoutItsConflictKey_isRefused(Database database) {
    assertRefused(
        over(database).handler("count.sql", COUNT.replace("-- conflict-key: counter\n", "")),
        "count.sql",
        "conflict-key");
  }

  @ParameterizedTest
  @EnumSource
  void handlerWithoutTheNumberOfTheRequest_isRefused(Database database) {
    assertRefused(
        over(database).handler("x.sql", READ.replace("request.id, ", "")), "x.sql", "request.id");
  }

  @ParameterizedTest
  @EnumSource
  void declarations_thatContradict_areRefused(Database database) {
    var served = over(database);
    assertRefused(
        served.handler("x.sql", READ.replace("-- set-based: true\n", "")), "line 3", "set-based");
    assertRefused(
        served.handler("x.sql", READ.replace("carpool: on", "conflict-key: nothing")), "'nothing'");
    assertRefused(served.handler("x.sql", READ.replace("carpool: on", "carpool: maybe")), "maybe");
    assertRefused(
        served.handler(
            "x.sql", READ.replace("carpool: on", "conflict-key: handle\n-- conflict-key: handle")),
        "one conflict-key");
    assertRefused(
        served.handler(
            "x.sql", READ.replace("carpool: on", "json: data json\n-- conflict-key: data")),
        "JSON");
    assertRefused(
        served.handler("x.sql", READ.replace("carpool: on", "stage: before")), "set-based");
  }

  @ParameterizedTest
  @EnumSource
  void carpoolOff_executesEachAlone(Database database) {
    var served =
        over(database).handler("count.sql", COUNT.replace("carpool: on", "carpool: off")).start();
    assertThat(served.send("POST", "/counters/1", null).body()).isEqualTo("1");
    assertThat(served.send("POST", "/counters/1", null).body()).isEqualTo("2");
    assertThat(served.server().carpool().batches()).isZero();
  }
}

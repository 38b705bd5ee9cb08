// SPDX-License-Identifier: Apache-2.0
package dev.evita.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.evita.server.ApiClient.Answer;
import dev.evita.server.ApiClient.Api;
import dev.evita.testsupport.PostgresServer;
import java.net.http.HttpRequest;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A PostgreSQL that is suspended, shut down or not yet up, as seen by clients and probes. */
@Tag("long")
@Timeout(180)
final class DatabaseOutageIT {

  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private PostgresServer postgres;
  private String url;

  @BeforeEach
  void startDatabase() throws SQLException {
    postgres = PostgresServer.separate("fsync=off");
    url = postgres.createDatabase();
    execute(
        "create table pets (id integer primary key, name varchar(20))",
        "create function slow() returns integer language sql as"
            + " 'select 1 from (select pg_sleep(60)) as s'");
  }

  @AfterEach
  void stop() {
    threads.shutdownNow();
    postgres.close();
  }

  private void execute(String... statements) throws SQLException {
    try (var connection = DriverManager.getConnection(url);
        var statement = connection.createStatement()) {
      for (var each : statements) {
        statement.execute(each);
      }
    }
  }

  private EvitaProcess serve(String... more) {
    var arguments = new ArrayList<>(List.of("serve", "--db", url, "--port", "0"));
    arguments.addAll(List.of(more));
    return EvitaProcess.start(arguments.toArray(String[]::new));
  }

  private static void awaitReadiness(ApiClient client, String state) {
    await().atMost(PATIENCE).until(client::readiness, state::equals);
  }

  private void awaitActive(String query, int backends) {
    await().atMost(PATIENCE).until(() -> count(query) >= backends);
  }

  private CompletableFuture<Answer> later(java.util.function.Supplier<Answer> request) {
    return CompletableFuture.supplyAsync(request, threads);
  }

  private static Answer callSlow(ApiClient client, EvitaProcess evita) {
    return client.send(
        HttpRequest.newBuilder(evita.graphQl().resolve("/rest/rpc/slow"))
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString("{}"))
            .build());
  }

  /** All APIs report at once that the database is unreachable. */
  private static void requireRefused(ApiClient client) {
    for (var api : Api.values()) {
      for (var answer : List.of(client.read(api), client.insert(api, 9, null))) {
        assertThat(answer.status()).isEqualTo(api == Api.GRPC ? "UNAVAILABLE" : "503");
        assertThat(answer.code()).isEqualTo("DATABASE_UNREACHABLE");
        assertThat(answer.retryAfter()).isTrue();
        assertThat(answer.body()).doesNotContain("Exception", "127.0.0.1", "org.postgresql");
      }
    }
  }

  private static void requireServed(ApiClient client) {
    for (var api : Api.values()) {
      assertThat(client.read(api)).matches(Answer::isGood);
    }
  }

  @Test
  void suspendedDatabase_failsInTimeThenImmediatelyThenRecovers() throws Exception {
    try (var evita = serve("--request-timeout", "12s").awaitServing();
        var client = new ApiClient(evita.graphQl());
        var socket = client.socket()) {
      requireServed(client);
      var running = later(() -> callSlow(client, evita));
      awaitActive("slow", 1);
      postgres.suspend();
      var reading = new ArrayList<CompletableFuture<Answer>>();
      for (var api : Api.values()) {
        reading.add(later(() -> client.read(api)));
      }
      awaitReadiness(client, "DATABASE_UNREACHABLE");
      requireRefused(client);
      // All of that was before the timeout of the request that was running.
      assertThat(running).isNotDone();
      assertThat(socket.read("1")).contains("\"type\":\"error\"", "DATABASE_UNREACHABLE");
      for (var answer : reading) {
        assertThat(answer.join().status())
            .isIn("504", "503", "200", "UNAVAILABLE", "DEADLINE_EXCEEDED");
        assertThat(answer.join().isGood()).isFalse();
      }
      assertThat(running.join().status()).isEqualTo("504");

      postgres.resume();
      awaitReadiness(client, "UP");
      requireServed(client);
      assertThat(socket.read("2")).contains("\"type\":\"next\"", "\"pets\":[]");
      assertThat(evita.errorText()).containsOnlyOnce("requests are rejected until it does");
      assertThat(evita.errorText().lines()).hasSizeLessThan(200);
    }
  }

  private int count(String query) {
    try (var connection = DriverManager.getConnection(url);
        var statement = connection.createStatement();
        var result =
            statement.executeQuery(
                "select count(*) from pg_stat_activity where state = 'active'"
                    + " and pid <> pg_backend_pid() and query ilike '%"
                    + query
                    + "%'")) {
      result.next();
      return result.getInt(1);
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void suspendedBackend_delaysOnlyItsRequestAndIsReplaced() throws Exception {
    try (var evita = serve("--request-timeout", "3s", "--pool-size", "2").awaitServing();
        var client = new ApiClient(evita.graphQl())) {
      requireServed(client);
      var running = later(() -> callSlow(client, evita));
      awaitActive("slow", 1);
      postgres.suspend(backendOf("slow"));
      while (!running.isDone()) {
        requireServed(client);
        assertThat(client.readiness()).isEqualTo("UP");
      }
      assertThat(running.join().status()).isEqualTo("504");
      // Both connections of the pool are available again, though that process still hangs.
      var other = later(() -> callSlow(client, evita));
      awaitActive("slow", 2);
      requireServed(client);
      assertThat(other.join().status()).isEqualTo("504");
      postgres.resume();
    }
  }

  private int backendOf(String query) throws SQLException {
    try (var connection = DriverManager.getConnection(url);
        var statement = connection.createStatement();
        var result =
            statement.executeQuery(
                "select pid from pg_stat_activity where state = 'active'"
                    + " and pid <> pg_backend_pid() and query ilike '%"
                    + query
                    + "%'")) {
      assertThat(result.next()).isTrue();
      return result.getInt(1);
    }
  }

  @Test
  void shutDownDatabase_failsImmediatelyAndRecovers() throws Exception {
    // Shorter than the longest pause of a pool between its attempts to connect.
    try (var evita = serve("--request-timeout", "3s").awaitServing();
        var client = new ApiClient(evita.graphQl());
        var socket = client.socket()) {
      requireServed(client);
      postgres.shutDown();
      awaitReadiness(client, "DATABASE_UNREACHABLE");
      requireRefused(client);
      assertThat(socket.read("1")).contains("\"type\":\"error\"", "DATABASE_UNREACHABLE");
      // Until another server gives up, which is longer than a pool pauses between its first
      // attempts.
      try (var other = serve("--wait-for-database", "5s")) {
        assertThat(other.end().status()).isEqualTo(2);
      }
      postgres.startAgain();
      awaitReadiness(client, "UP");
      requireServed(client);
      assertThat(client.insert(Api.REST, 1, null).status()).isEqualTo("201");
    }
  }

  @Test
  void databaseNotYetUp_isAwaitedWithOneLogLine() {
    postgres.shutDown();
    try (var evita = serve("--wait-for-database", "60s")) {
      evita.awaitError("Waiting up to 60 s for the database");
      postgres.startAgain();
      try (var client = new ApiClient(evita.awaitServing().graphQl())) {
        requireServed(client);
      }
      assertThat(evita.errorText()).containsOnlyOnce("Waiting");
    }
  }

  @Test
  void databaseStayingDown_failsTheStart() {
    postgres.shutDown();
    try (var evita = serve("--wait-for-database", "1s")) {
      var end = evita.end();
      assertThat(end.status()).isEqualTo(2);
      assertThat(end.err()).contains("Waiting up to 1 s", "evita: ").doesNotContain("\tat ");
    }
  }

  @Test
  void wrongDatabaseName_isNotAwaited() {
    // Longer than a command may take: its end shows that it did not wait.
    var wrong = url.replaceFirst("/test[0-9]+", "/nowhere");
    EvitaProcess.run("serve", "--db", wrong, "--port", "0", "--wait-for-database", "600s")
        .isRefusal("the database does not exist");
  }

  /** Failures that no retry resolves return 500, without details of the server. */
  @Test
  void lastingFailures_return500() throws Exception {
    execute(
        "create view endless as with recursive r(n) as (select 1 union all select n + 1 from r)"
            + " select current_setting('evita.not_set') as s, 1 as id",
        "create table guarded (id integer primary key)",
        "alter table guarded enable row level security",
        "create policy p on guarded using (exists (select 1 from guarded))",
        "create role reader login",
        "grant select on all tables in schema public to reader");
    url = url.replace("user=postgres", "user=reader");
    try (var evita = serve().awaitServing();
        var client = new ApiClient(evita.graphQl())) {
      for (var table : List.of("guarded", "endless")) {
        var answer =
            client.send(HttpRequest.newBuilder(evita.graphQl().resolve("/rest/" + table)).build());
        assertThat(answer.status()).as(answer.body()).isEqualTo("500");
        assertThat(answer.code()).isEqualTo("DATABASE_ERROR");
        assertThat(answer.retryAfter()).isFalse();
        assertThat(answer.body()).doesNotContain("Exception", "select ");
      }
    }
  }
}

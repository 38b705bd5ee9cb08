// SPDX-License-Identifier: Apache-2.0
package dev.evita.engine.jdbc.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import dev.evita.api.Health;
import dev.evita.api.Script;
import dev.evita.api.TransactionOptions;
import dev.evita.api.testkit.Bindings;
import dev.evita.api.testkit.CollectingSink;
import dev.evita.api.testkit.EngineDriver;
import dev.evita.engine.jdbc.JdbcEngine;
import dev.evita.engine.jdbc.JdbcOptions;
import dev.evita.engine.jdbc.LoggedWarnings;
import dev.evita.testsupport.PostgresServer;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.logging.Level;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A PostgreSQL that accepts no more connections of a role (SQLSTATE 53300). */
@Tag("long")
@Timeout(90)
final class PostgresConnectionLimitIT {

  /** Longer than any test may take: a request that waited for it would fail its test. */
  private static final Duration NEVER = Duration.ofMinutes(10);

  /** Longer than the interval of several probes. */
  private static final Duration SEVERAL_PROBES = Duration.ofSeconds(4);

  private final String role = "r" + UUID.randomUUID().toString().replace("-", "");
  private String adminUrl;
  private String url;

  @BeforeEach
  void createRole() throws SQLException {
    adminUrl = PostgresServer.start().createDatabase();
    url = adminUrl.replace("user=postgres", "user=" + role);
    execute("create role " + role + " login");
  }

  @AfterEach
  void dropRole() throws SQLException {
    execute("drop role " + role);
  }

  private void execute(String sql) throws SQLException {
    try (var connection = DriverManager.getConnection(adminUrl);
        var statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private void limit(int connections) throws SQLException {
    execute("alter role " + role + " connection limit " + connections);
  }

  private void terminateBackends(String condition) throws SQLException {
    execute(
        "select pg_terminate_backend(pid) from pg_stat_activity where usename = '%s' and %s"
            .formatted(role, condition));
  }

  private static void await(JdbcEngine engine, Class<? extends Health> health) {
    Awaitility.await()
        .atMost(Duration.ofSeconds(30))
        .untilAsserted(() -> assertThat(engine.health()).isInstanceOf(health));
  }

  private static EvitaException failure(EngineDriver db) {
    return db.failure(Script.of("select 1"), new Bindings());
  }

  /** The second one: only one connection is available for both again. */
  @ParameterizedTest
  @ValueSource(ints = {-1, 1})
  void noConnection_isDownFailsImmediatelyAndRecovers(int later) throws Exception {
    try (var engine = JdbcEngine.open(url, JdbcOptions.builder().connectTimeout(NEVER).build())) {
      var db = new EngineDriver(engine);
      assertThat(db.script("select 1")).hasSize(1);
      limit(0);
      terminateBackends("true");
      var waiting = new ArrayList<CompletableFuture<EvitaException>>();
      for (int i = 0; i < 4; i++) {
        waiting.add(CompletableFuture.supplyAsync(() -> failure(db)));
      }
      for (var each : waiting) {
        assertThat(each.join().code()).isEqualTo(ErrorCode.DATABASE_UNREACHABLE);
      }
      await(engine, Health.Down.class);
      assertThat(failure(db).publicMessage()).contains("reached its connection limit");

      limit(later);
      await(engine, Health.Up.class);
      assertThat(db.script("select 1")).hasSize(1);
    }
  }

  @Test
  void connectionInUse_whileNoMoreAreAccepted_staysUp() throws Exception {
    var options = JdbcOptions.builder().connectTimeout(SEVERAL_PROBES).build();
    try (var engine = JdbcEngine.open(url, options)) {
      var db = new EngineDriver(engine);
      var transaction = db.begin(TransactionOptions.DEFAULT);
      var pid = db.rows(Script.of("select pg_backend_pid()"), new Bindings(), transaction);
      limit(0);
      terminateBackends("pid <> " + pid.getFirst().getFirst());
      // May still receive the pool's idle connection, which the server has closed.
      var unused = failure(db);
      var waiting = CompletableFuture.supplyAsync(() -> failure(db));
      while (!waiting.isDone()) {
        assertThat(engine.health()).isInstanceOf(Health.Up.class);
      }
      assertThat(waiting.join().code()).isEqualTo(ErrorCode.POOL_EXHAUSTED);
      EngineDriver.await(transaction.rollback());
      assertThat(db.script("select 1")).hasSize(1);
    }
  }

  @Test
  void noConnectionAtStart_isAwaited() throws Exception {
    limit(0);
    var options = JdbcOptions.builder().waitForDatabase(Duration.ofSeconds(60)).build();
    try (var log = new LoggedWarnings(Level.INFO)) {
      var opening = CompletableFuture.supplyAsync(() -> JdbcEngine.open(url, options));
      Awaitility.await()
          .untilAsserted(() ->
              assertThat(log.messages())
                  .anyMatch(message -> message.startsWith("Waiting up to 60 s")));
      assertThat(opening).isNotDone();
      limit(-1);
      opening.join().close();
    }
  }

  @Test
  void deadline_whileWaitingForConnection_isReported() throws Exception {
    try (var engine = JdbcEngine.open(url, JdbcOptions.builder().poolSize(1).build())) {
      var db = new EngineDriver(engine);
      var transaction = db.begin(TransactionOptions.DEFAULT);
      var unused = db.rows(Script.of("select 1"), new Bindings(), transaction);
      var sink = new CollectingSink();
      var run =
          Thread.ofPlatform()
              .start(() ->
                  engine
                      .prepare(Script.of("select 1"))
                      .run(new Bindings().arguments(), null, sink));
      sink.awaitStarted(Duration.ofSeconds(10)).execution().cancel(ErrorCode.DEADLINE_EXCEEDED);
      var failure = Objects.requireNonNull(sink.await(Duration.ofSeconds(10)).failure());
      assertThat(failure.code()).isEqualTo(ErrorCode.DEADLINE_EXCEEDED);
      assertThat(failure.publicMessage()).contains("no database connection");
      run.join();
      EngineDriver.await(transaction.rollback());
    }
  }
}

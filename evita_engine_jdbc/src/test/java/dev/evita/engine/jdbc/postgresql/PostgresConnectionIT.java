// SPDX-License-Identifier: Apache-2.0
package dev.evita.engine.jdbc.postgresql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import dev.evita.api.Script;
import dev.evita.api.Transaction;
import dev.evita.api.TransactionOptions;
import dev.evita.api.testkit.Bindings;
import dev.evita.api.testkit.EngineDriver;
import dev.evita.engine.jdbc.JdbcEngine;
import dev.evita.engine.jdbc.JdbcOptions;
import dev.evita.testsupport.FaultyProxy;
import dev.evita.testsupport.PostgresServer;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Failures of a PostgreSQL that is unreachable or has no free connection. */
@Timeout(60)
final class PostgresConnectionIT {

  private static void requireUnreachable(String url, String... words) {
    var options = JdbcOptions.builder().waitForDatabase(Duration.ZERO).build();
    assertThatThrownBy(() -> JdbcEngine.open(url, options))
        .isInstanceOfSatisfying(
            EvitaException.class,
            failure -> {
              assertThat(failure.code()).isEqualTo(ErrorCode.DATABASE_UNREACHABLE);
              assertThat(failure.publicMessage()).contains(words).doesNotContain("127.0.0.1");
            });
  }

  @Test
  void portWithoutServer_isUnreachable() {
    requireUnreachable("jdbc:postgresql://127.0.0.1:1/x", "check that it runs");
  }

  @Test
  void missingDatabase_isUnreachableWithTheCause() {
    var url = PostgresServer.start().createDatabase().replaceFirst("/test[0-9]+", "/nowhere");
    requireUnreachable(url, "does not exist");
  }

  /** A transaction takes its connection with its first statement. */
  private static Transaction holding(EngineDriver db) {
    var transaction = db.begin(TransactionOptions.DEFAULT);
    var unused = db.rows(Script.of("select 1"), new Bindings(), transaction);
    return transaction;
  }

  @Test
  void pool_withoutFreeConnection_isExhaustedAndRecovers() {
    var options = JdbcOptions.builder().poolSize(1).connectTimeout(Duration.ofMillis(250)).build();
    try (var engine = JdbcEngine.open(PostgresServer.start().createDatabase(), options)) {
      var db = new EngineDriver(engine);
      var transaction = holding(db);
      var failure = db.failure(Script.of("select 1"), new Bindings());
      assertThat(failure.code()).isEqualTo(ErrorCode.POOL_EXHAUSTED);
      assertThat(failure.publicMessage()).doesNotContainIgnoringCase("hikari");
      EngineDriver.await(transaction.rollback());
      assertThat(db.script("select 1")).hasSize(1);
    }
  }

  @Test
  void waitingForAConnection_isCountedUntilItEnds() throws InterruptedException {
    var options = JdbcOptions.builder().poolSize(1).build();
    try (var engine = JdbcEngine.open(PostgresServer.start().createDatabase(), options)) {
      var db = new EngineDriver(engine);
      var transaction = holding(db);
      assertThat(engine.waiting()).isZero();
      var waiting = Thread.ofPlatform().start(() -> db.script("select 1"));
      while (engine.waiting() == 0) {
        Thread.onSpinWait();
      }
      EngineDriver.await(transaction.rollback());
      waiting.join();
      assertThat(engine.waiting()).isZero();
    }
  }

  @Test
  void scriptSetting_doesNotStayInThePool() {
    var options = JdbcOptions.builder().poolSize(1).build();
    try (var engine = JdbcEngine.open(PostgresServer.start().createDatabase(), options)) {
      var db = new EngineDriver(engine);
      db.script("set work_mem = '9MB'; select 1");
      assertThat(db.script("show work_mem").toString()).doesNotContain("9MB");
    }
  }

  @Test
  void statementTimeoutOfTheServer_isDeadlineExceeded() {
    try (var engine = JdbcEngine.open(PostgresServer.start().createDatabase())) {
      var failure =
          new EngineDriver(engine).scriptFailure("set statement_timeout = 50; select pg_sleep(30)");
      assertThat(failure.code()).isEqualTo(ErrorCode.DEADLINE_EXCEEDED);
    }
  }

  /** As when a frozen server resumes after its connections were abandoned. */
  @Test
  void statement_onAClosedConnection_isEndedByTheServer() throws Exception {
    var url = PostgresServer.start().createDatabase();
    var port = PostgresServer.start().port();
    try (var other = DriverManager.getConnection(url);
        var proxy = FaultyProxy.start(port, FaultyProxy.Trigger.ANY_REQUEST);
        var engine = JdbcEngine.open(url.replace(":" + port + "/", ":" + proxy.port() + "/"))) {
      var run =
          Thread.ofPlatform()
              .start(() -> new EngineDriver(engine).scriptFailure("select pg_sleep(50)"));
      while (sleeping(other) == 0) {
        Thread.onSpinWait();
      }
      proxy.cutAll();
      run.join();
      await().atMost(Duration.ofSeconds(20)).until(() -> sleeping(other) == 0);
    }
  }

  private static int sleeping(Connection connection) throws SQLException {
    try (var statement = connection.createStatement();
        var count =
            statement.executeQuery(
                "select count(*) from pg_stat_activity where datname = current_database()"
                    + " and state = 'active' and query like 'select pg_sleep%'")) {
      count.next();
      return count.getInt(1);
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.evita.engine.jdbc.postgresql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import dev.evita.api.Health;
import dev.evita.api.Script;
import dev.evita.api.TransactionOptions;
import dev.evita.api.testkit.Bindings;
import dev.evita.api.testkit.EngineDriver;
import dev.evita.engine.jdbc.JdbcEngine;
import dev.evita.engine.jdbc.JdbcOptions;
import dev.evita.engine.jdbc.Pooler;
import dev.evita.testsupport.PgBouncer;
import dev.evita.testsupport.PostgresServer;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.ds.PGSimpleDataSource;

/** A pooler in front of PostgreSQL: what works, and what is refused. */
@Tag("tools")
@Timeout(120)
final class PoolerIT {

  private static EvitaException openFailure(String url, JdbcOptions options) {
    return catchThrowableOfType(EvitaException.class, () -> JdbcEngine.open(url, options).close());
  }

  private static JdbcOptions.Builder impatient() {
    return JdbcOptions.builder().waitForDatabase(Duration.ZERO);
  }

  private static String text(Connection connection, String query) throws SQLException {
    try (var statement = connection.createStatement();
        var rows = statement.executeQuery(query)) {
      rows.next();
      return rows.getString(1);
    }
  }

  private static Script script(String text) {
    return Script.of(text);
  }

  // ---- start ----

  @ParameterizedTest
  @ValueSource(strings = {"currentSchema=public", "options=-c%20work_mem=9MB"})
  void url_withSessionParameterThatThePoolerRefuses_isInvalid(String parameter) {
    var url = PgBouncer.start().createDatabase() + "&" + parameter;

    var failure = openFailure(url, JdbcOptions.DEFAULT);

    assertThat(failure.code()).isEqualTo(ErrorCode.INVALID_CONFIGURATION);
    assertThat(failure.publicMessage()).contains("startup parameter", "set it for the role");
  }

  @ParameterizedTest
  @ValueSource(strings = {"currentSchema=public", "options=-c%20work_mem=9MB"})
  void url_withSessionParameterThatThePoolerIgnores_isInvalid(String parameter) {
    try (var pooler = PgBouncer.separate("ignore_startup_parameters=search_path,options")) {
      var failure = openFailure(pooler.createDatabase() + "&" + parameter, JdbcOptions.DEFAULT);

      assertThat(failure.code()).isEqualTo(ErrorCode.INVALID_CONFIGURATION);
      assertThat(failure.publicMessage()).contains("transaction pooler", "set it for the role");
    }
  }

  @Test
  void url_withPreparedStatementsThatThePoolerLoses_isInvalid() {
    var url = PgBouncer.start().createDatabase() + "&prepareThreshold=3";

    var failure = openFailure(url, JdbcOptions.DEFAULT);

    assertThat(failure.code()).isEqualTo(ErrorCode.INVALID_CONFIGURATION);
    assertThat(failure.publicMessage()).contains("prepareThreshold=3", "max_prepared_statements");
  }

  @Test
  void intervalStyle_thatIsNotUnderstood_isInvalid() throws SQLException {
    var url = PgBouncer.start().createDatabase();
    try (var connection = DriverManager.getConnection(url)) {
      var name = text(connection, "select current_database()");
      try (var statement = connection.createStatement()) {
        statement.execute("alter database " + name + " set intervalstyle = 'sql_standard'");
      }
    }
    try (var pooler = PgBouncer.separate()) {
      var failure = openFailure(pooler.url(url), JdbcOptions.DEFAULT);

      assertThat(failure.code()).isEqualTo(ErrorCode.INVALID_CONFIGURATION);
      assertThat(failure.publicMessage()).contains("intervalstyle is sql_standard");
    }
  }

  @Test
  void poolerWithoutTransactions_isUnreachableWithTheRemedy() {
    try (var pooler = PgBouncer.separate("pool_mode=statement")) {
      var failure = openFailure(pooler.createDatabase(), JdbcOptions.DEFAULT);

      assertThat(failure.publicMessage()).contains("set pool_mode = transaction");
    }
  }

  @Test
  void missingDatabase_isUnreachableAtOnce() {
    var url = PgBouncer.start().createDatabase().replaceFirst("/test[0-9]+", "/nowhere");

    var failure = openFailure(url, impatient().build());

    assertThat(failure.code()).isEqualTo(ErrorCode.DATABASE_UNREACHABLE);
    assertThat(failure.publicMessage()).contains("does not exist");
  }

  @Test
  void clientLimit_atStart_isUnreachableWithTheCause() throws SQLException {
    try (var pooler = PgBouncer.separate("max_client_conn=1")) {
      var url = pooler.createDatabase();
      try (var only = DriverManager.getConnection(url)) {
        var failure = openFailure(url, impatient().build());

        assertThat(failure.code()).isEqualTo(ErrorCode.DATABASE_UNREACHABLE);
        assertThat(failure.publicMessage()).contains("connection limit is reached");
        assertThat(only.isValid(10)).isTrue();
      }
    }
  }

  // ---- refused ----

  @ParameterizedTest
  @ValueSource(
      strings = {
        "set work_mem = '9MB'",
        "set session work_mem = '9MB'",
        "set role postgres",
        "set session characteristics as transaction read only",
        "reset work_mem",
        "listen news",
        "unlisten news",
        "prepare p as select 1",
        "deallocate all",
        "discard all",
        "create temp table t (id int)",
        "create local temporary table t (id int) on commit delete rows",
        "create or replace temp view v as select 1 as id",
        "create table pg_temp.t (id int)",
        "select 1 as id into temp t",
        "begin; declare c cursor with hold for select 1; commit",
        "select pg_advisory_lock(1)",
        "select set_config('work_mem', '9MB', false)"
      })
  void script_withEffectOnTheSession_isRefused(String statement) {
    try (var engine = JdbcEngine.open(PgBouncer.start().createDatabase())) {
      var failure = new EngineDriver(engine).scriptFailure("select 1; " + statement);

      assertThat(failure.code()).isEqualTo(ErrorCode.UNSUPPORTED_OPERATION);
      assertThat(failure.publicMessage())
          .startsWith("Statement ")
          .contains("which a transaction pooler does not keep; ");
    }
  }

  @Test
  void script_withEffectOnTheTransaction_works() {
    try (var engine = JdbcEngine.open(PgBouncer.start().createDatabase())) {
      var db = new EngineDriver(engine);
      db.script("begin; set local work_mem = '9MB'; create table kept as select 1 as id; commit");
      var transaction = db.begin(TransactionOptions.DEFAULT);
      for (var text :
          List.of(
              "set local work_mem = '9MB'",
              "set constraints all deferred",
              "create temp table t (id int) on commit drop",
              "insert into t values (1)",
              "select pg_advisory_xact_lock(1)",
              "select set_config('a.b', 'x', true)")) {
        var unused = db.rows(script(text), new Bindings(), transaction);
      }
      assertThat(db.rows(script("show work_mem"), new Bindings(), transaction).toString())
          .contains("9MB");
      EngineDriver.await(transaction.commit());
      assertThat(db.script("show work_mem").toString()).doesNotContain("9MB");
      assertThat(db.script("select id from kept")).hasSize(1);
      db.script("create table temp (id int); insert into temp values (1)");
      assertThat(db.script("select id from temp")).hasSize(1);
    }
  }

  @Test
  void option_overridesTheDetection() {
    var direct = PostgresServer.start().createDatabase();
    try (var engine =
        JdbcEngine.open(direct, JdbcOptions.builder().pooler(Pooler.TRANSACTION).build())) {
      assertThat(new EngineDriver(engine).scriptFailure("set work_mem = '9MB'").code())
          .isEqualTo(ErrorCode.UNSUPPORTED_OPERATION);
    }
    try (var pooler = PgBouncer.separate("pool_mode=session", "default_pool_size=20");
        var engine =
            JdbcEngine.open(
                pooler.createDatabase(), JdbcOptions.builder().pooler(Pooler.NONE).build())) {
      var rows = new EngineDriver(engine).script("set work_mem = '9MB'; show work_mem");
      assertThat(rows.toString()).contains("9MB");
    }
  }

  // ---- works ----

  @ParameterizedTest
  @ValueSource(strings = {"READ_COMMITTED", "REPEATABLE_READ", "SERIALIZABLE"})
  void isolation_appliesToItsTransactionOnly(TransactionOptions.Isolation isolation)
      throws SQLException {
    var url = PgBouncer.start().createDatabase();
    try (var engine = JdbcEngine.open(url);
        var other = DriverManager.getConnection(url + "&prepareThreshold=0")) {
      var db = new EngineDriver(engine);
      var transaction = db.begin(new TransactionOptions(isolation, true));
      var shown = db.rows(script("show transaction_isolation"), new Bindings(), transaction);
      var readOnly = db.rows(script("show transaction_read_only"), new Bindings(), transaction);
      EngineDriver.await(transaction.commit());

      assertThat(String.valueOf(shown.getFirst().getFirst()))
          .isEqualTo(isolation.name().toLowerCase(Locale.ROOT).replace('_', ' '));
      assertThat(readOnly.toString()).contains("on");
      assertThat(text(other, "show transaction_isolation")).isEqualTo("read committed");
      assertThat(text(other, "show transaction_read_only")).isEqualTo("off");
      assertThat(text(other, "show intervalstyle")).isEqualTo("postgres");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "0",
        "1 year",
        "-1 year",
        "1 year -2 mons +3 days",
        "25 mons",
        "-1 day +00:00:01",
        "1 day -04:05:06.789",
        "00:00:00.000001",
        "-00:00:00.1",
        "100:00:00",
        "2 mons 00:00:07"
      })
  void interval_isConvertedAsByTheServer(String interval) throws SQLException {
    try (var connection = DriverManager.getConnection(PostgresServer.start().createDatabase())) {
      var query = "select cast('" + interval + "' as interval)::text";
      var text = text(connection, query);
      try (var statement = connection.createStatement()) {
        statement.execute("set intervalstyle = iso_8601");
      }

      assertThat(PostgresIntervals.iso(text)).isEqualTo(text(connection, query));
    }
  }

  /** Named statements of one client would be those of another on its server connection. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void concurrentExecutions_onFewServerConnections_getTheirOwnRows(boolean dataSource) {
    try (var pooler = PgBouncer.separate("default_pool_size=2")) {
      var url = pooler.createDatabase();
      var source = new PGSimpleDataSource();
      source.setUrl(url);
      try (var engine = dataSource ? JdbcEngine.over(source) : JdbcEngine.open(url);
          var threads = Executors.newFixedThreadPool(8)) {
        var db = new EngineDriver(engine);
        db.script("create table t (id int primary key, n int not null)");
        var runs = new ArrayList<CompletableFuture<Void>>();
        for (int i = 0; i < 8; i++) {
          var id = i;
          runs.add(CompletableFuture.runAsync(() -> count(db, id), threads));
        }
        runs.forEach(CompletableFuture::join);
        assertThat(db.script("select count(*), min(n), max(n) from t").toString())
            .isEqualTo("[[8, 30, 30]]");
      }
    }
  }

  private static void count(EngineDriver db, int id) {
    db.script("insert into t values (" + id + ", 0)");
    for (int i = 1; i <= 30; i++) {
      if (i % 2 == 0) {
        db.script("update t set n = n + 1 where id = ?", id);
      } else {
        var transaction = db.begin(TransactionOptions.DEFAULT);
        var update = script("update t set n = n + 1 where id = " + id);
        var unused = db.rows(update, new Bindings(), transaction);
        EngineDriver.await(transaction.commit());
      }
      var rows = db.script("select n, 'of" + id + "' from t where id = ?", id);
      assertThat(rows.toString()).isEqualTo("[[" + i + ", of" + id + "]]");
    }
  }

  @Test
  void busyServerConnections_delayTheProbeButAreNotDown() {
    try (var pooler = PgBouncer.separate("default_pool_size=1");
        var engine = JdbcEngine.open(pooler.createDatabase())) {
      var db = new EngineDriver(engine);
      var transaction = db.begin(TransactionOptions.DEFAULT);
      var unused = db.rows(script("select 1"), new Bindings(), transaction);
      var waiting = CompletableFuture.supplyAsync(() -> db.script("select 2"));

      Awaitility.await()
          .during(Duration.ofSeconds(3))
          .until(() -> engine.health() instanceof Health.Up);

      assertThat(waiting).isNotDone();
      EngineDriver.await(transaction.commit());
      assertThat(waiting.join()).hasSize(1);
    }
  }

  @Test
  void queryWaitTimeout_isExhausted() {
    try (var pooler = PgBouncer.separate("default_pool_size=1", "query_wait_timeout=1");
        var engine = JdbcEngine.open(pooler.createDatabase())) {
      var db = new EngineDriver(engine);
      db.script("create table t (id int)");
      var transaction = db.begin(TransactionOptions.DEFAULT);
      var unused = db.rows(script("select 1"), new Bindings(), transaction);

      var failure = db.scriptFailure("insert into t values (1)");

      assertThat(failure.code()).isEqualTo(ErrorCode.POOL_EXHAUSTED);
      EngineDriver.await(transaction.rollback());
    }
  }

  @Test
  void serverBehindThePooler_killed_isDownAndRecovers() {
    try (var server = PostgresServer.separate("fsync=off");
        var pooler = PgBouncer.separate(server);
        var engine = JdbcEngine.open(pooler.url(server.createDatabase()))) {
      var db = new EngineDriver(engine);
      assertThat(db.script("select 1")).hasSize(1);

      server.kill();
      awaitHealth(engine, Health.Down.class);
      server.startAgain();
      awaitHealth(engine, Health.Up.class);

      assertThat(db.script("select 1")).hasSize(1);
    }
  }

  private static void awaitHealth(JdbcEngine engine, Class<? extends Health> health) {
    Awaitility.await()
        .atMost(Duration.ofSeconds(60))
        .untilAsserted(() -> assertThat(engine.health()).isInstanceOf(health));
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.evita.engine.jdbc.run;

import static dev.evita.api.testkit.EngineDriver.row;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import dev.evita.api.Arguments;
import dev.evita.api.DataType.Scalar;
import dev.evita.api.ErrorCode;
import dev.evita.api.NativeQuery;
import dev.evita.api.Parameter;
import dev.evita.api.RowShape;
import dev.evita.api.TransactionOptions;
import dev.evita.api.testkit.Bindings;
import dev.evita.api.testkit.EngineDriver;
import dev.evita.engine.jdbc.JdbcEngine;
import dev.evita.testsupport.PostgresServer;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Native queries: statements of the user's over one row of input. */
final class NativeQueryIT {

  enum Database {
    H2,
    SQLITE,
    POSTGRES
  }

  @TempDir private Path directory;
  private @Nullable JdbcEngine engine;
  private final Bindings bind = new Bindings();

  private EngineDriver open(Database database) {
    var url =
        switch (database) {
          case H2 -> "jdbc:h2:mem:" + UUID.randomUUID();
          case SQLITE -> "jdbc:sqlite:" + directory.resolve("native.db");
          case POSTGRES -> PostgresServer.start().createDatabase();
        };
    engine = JdbcEngine.open(url);
    var db = new EngineDriver(engine);
    db.script(
        """
        create table users (id integer primary key, handle varchar(50) not null unique,
          name varchar(100) not null, visits integer not null);
        insert into users values (1, 'johndoe', 'John', 0), (2, 'jane', 'Jane', 0);
        """);
    engine.refresh();
    return db;
  }

  @AfterEach
  void close() {
    if (engine != null) {
      engine.close();
    }
  }

  private NativeQuery query(String text, boolean readOnly, @Nullable Object handle) {
    return new NativeQuery(
        text,
        "request",
        List.of(
            new NativeQuery.Input("id", Scalar.INT64, bind.value(7L)),
            new NativeQuery.Input("handle", Scalar.TEXT, bind.value(handle))),
        readOnly);
  }

  private NativeQuery read(String text, @Nullable Object handle) {
    return query(text, true, handle);
  }

  /** H2 returned the result that a subquery over the input had in the execution before. */
  @ParameterizedTest
  @EnumSource
  void subqueryOfInput_severalExecutions_readsTheInputOfEach(Database database) {
    requireOwnInput(
        database, "select handle from users where handle = (select handle from request)");
  }

  /** The same for the queries of a union, as in the article's example. */
  @ParameterizedTest
  @EnumSource
  void unionOverInput_severalExecutions_readsTheInputOfEach(Database database) {
    requireOwnInput(
        database,
        "select handle from request union all select users.handle from users join request"
            + " on users.handle = request.handle where users.id < 0");
  }

  private void requireOwnInput(Database database, String text) {
    var db = open(database);
    for (var handle : List.of("johndoe", "jane", "johndoe")) {
      var own = new Bindings();
      var query =
          new NativeQuery(
              text,
              "request",
              List.of(new NativeQuery.Input("handle", Scalar.TEXT, own.value(handle))),
              true);
      assertThat(db.rows(query, own)).containsExactly(row(handle));
    }
  }

  @ParameterizedTest
  @EnumSource
  void join_withInput_findsRow(Database database) {
    var db = open(database);
    var query =
        read(
            "select u.name as name, request.id as number from request join users u on u.handle ="
                + " request.handle",
            "jane");

    assertThat(db.rows(query, bind)).containsExactly(row("Jane", 7));
    assertThat(db.engine().prepare(query).shape().slots())
        .extracting(RowShape.Slot::name)
        .map(String::toLowerCase)
        .containsExactly("name", "number");
  }

  @ParameterizedTest
  @EnumSource
  void select_ofAnyForm_readsInput(Database database) {
    var db = open(database);
    var own =
        List.of(
            "select name from users where handle = (select handle from request)",
            "-- a comment; with ? and 'quotes\nselect name from users, request where users.handle ="
                + " request.handle",
            "with u as (select * from users) select name from u join request on u.handle ="
                + " request.handle",
            "with recursive n(i) as (select 1 union all select i + 1 from n where i < 3)"
                + " select name from users join request on users.handle = request.handle where"
                + " exists (select 1 from n)",
            "select name from users join request on users.handle = request.handle union all select"
                + " name from users where 1 = 0 and handle in (select handle from request)");

    assertThat(own)
        .allSatisfy(
            text -> assertThat(db.rows(read(text, "jane"), bind)).containsExactly(row("Jane")));
  }

  @ParameterizedTest
  @EnumSource
  void value_withSqlInIt_isData(Database database) {
    var db = open(database);
    var evil = "' or 1=1; drop table users; --";

    assertThat(db.rows(read("select handle from request", evil), bind)).containsExactly(row(evil));
    assertThat(db.rows(read("select name from users join request using (handle)", evil), bind))
        .isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void writes_readInput_inEveryPlace(Database database) {
    var db = open(database);
    var text =
        """
        update users set visits = visits + (select id from request)
          where handle = (select handle from request);
        insert into users (id, handle, name, visits)
          select id + 100, handle || '2', 'New', 0 from request;
        delete from users where handle in (select 'johndoe' from request);
        select name, visits from users order by id
        """;
    var transaction = db.begin(TransactionOptions.DEFAULT);

    assertThat(db.rows(query(text, false, "jane"), bind, transaction))
        .containsExactly(row("Jane", 7), row("New", 0));
    EngineDriver.await(transaction.rollback());
    assertThat(db.script("select name from users order by id"))
        .containsExactly(row("John"), row("Jane"));
  }

  @ParameterizedTest
  @EnumSource
  void writes_withoutTransaction_areRefused(Database database) {
    var db = open(database);
    var delete = query("delete from users where id in (select id from request)", false, null);

    assertThat(db.failure(delete, bind).code()).isEqualTo(ErrorCode.INVALID_OPERATION);
  }

  @ParameterizedTest
  @EnumSource
  void prepare_ofFaultyText_namesLineAndCause(Database database) {
    var db = open(database);

    for (var text :
        List.of(
            "-- one\nselect nothing from users",
            "select 1;\nselect name from nowhere, request",
            "\nselect name from users where handle = ?",
            "\ncreate table t (i integer)",
            "\nset x = 1",
            "\nselekt 1")) {
      var failure = db.failure(read(text, ""), bind);
      assertThat(failure.code()).as(text).isEqualTo(ErrorCode.INVALID_SCRIPT);
      assertThat(failure.publicMessage()).as(text).startsWith("line 2: ");
    }
    assertThat(db.failure(read("", ""), bind).publicMessage()).startsWith("line 1: ");
    var write = db.failure(read("\n\ndelete from users", ""), bind);
    assertThat(write.code()).isEqualTo(ErrorCode.READ_ONLY);
    assertThat(write.publicMessage()).startsWith("line 3: ");
  }

  /**
   * H2 has no read-only transactions, and calls a deterministic function of constants when it
   * compiles a statement.
   */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '#',
      value = {
        "sly | select sly()",
        "sly | select \"SLY\"()",
        "sly | select public.sly()",
        "sly | select public . \"SLY\" ()",
        "sly | select sly/* a comment */()",
        "sly | select name from users where id = (select sly())",
        "sly | explain analyze select \"SLY\"()",
        "by | select by()",
        "\"by\" | select \"by\"()",
        "a$lower | select a$lower()",
        "sly | create view sly_view as select \"SLY\"() as x; select x from sly_view"
      })
  void readOnly_functionThatWrites_hasNoEffect(String alias, String text) {
    var db = open(Database.H2);
    for (var kind : List.of("", "deterministic")) {
      db.script(
          "drop alias if exists %s; create alias %s %s for '%s.sly'"
              .formatted(alias, alias, kind, SlyFunction.class.getName()));
      var query = text.substring(text.indexOf(';') + 1);
      if (!query.equals(text)) {
        db.script(text.substring(0, text.indexOf(';')));
      }
      db.script(
          "delete from users; insert into users values (1, 'a', 'A', 0), (2, 'jane', 'Jane', 0)");
      db.engine().refresh();
      var bounded = db.engine().prepare(read(query, "")).bounded(bind.arguments());
      db.run(read(query, ""), bind.arguments(), null);
      var transaction = db.begin(TransactionOptions.READ_ONLY);
      db.rows(read(query, ""), bind, transaction);
      EngineDriver.await(transaction.commit());

      assertThat(bounded).as(kind).isFalse();
      assertThat(db.script("select count(*) from users")).as(kind).containsExactly(row(2));
      db.script("drop view if exists sly_view");
    }
  }

  @ParameterizedTest
  @EnumSource(names = "POSTGRES")
  void readOnly_queryThatWrites_isRefused(Database database) {
    var db = open(database);
    for (var text :
        List.of(
            "with d as (delete/**/from users returning 1) select * from d",
            "explain analyze delete from users",
            "explain (analyze) create table copied as select 1 as i",
            "(with d as (delete from users returning 1) select * from d)")) {
      assertThat(db.failure(read(text, ""), bind).code()).as(text).isEqualTo(ErrorCode.READ_ONLY);
    }
    for (var readOnly : List.of(true, false)) {
      var copy = query("select name into copied from users", readOnly, "");
      assertThat(db.failure(copy, bind).code()).isEqualTo(ErrorCode.INVALID_SCRIPT);
    }
    var texts = read("select 'delete from it; update' as \"delete from\" -- insert into", "");
    assertThat(db.rows(texts, bind)).hasSize(1);
  }

  @ParameterizedTest
  @EnumSource(names = "POSTGRES")
  void readOnly_functionThatWrites_fails(Database database) {
    var db = open(database);
    db.script(
        """
        create function sly() returns integer language sql as 'delete from users returning 1';
        create function upper(integer) returns integer language sql as 'delete from users returning 1';
        create view sly_view as select sly() as x;
        """);
    db.engine().refresh();
    for (var text :
        List.of(
            "select \"sly\"()",
            "select public.sly()",
            "select upper(1)",
            "select * from sly_view")) {
      assertThat(db.failure(read(text, ""), bind).code()).as(text).isEqualTo(ErrorCode.READ_ONLY);
    }
    assertThat(db.script("select count(*) from users")).containsExactly(row(2));
  }

  /** The text is not to blame for a connection that the server has closed. */
  @ParameterizedTest
  @EnumSource(names = "POSTGRES")
  void prepare_onConnectionThatServerClosed_isUnreachable(Database database) throws SQLException {
    assumeFalse(PostgresServer.isPooled(), "a pooler replaces connections between transactions");
    var url = PostgresServer.start().createDatabase();
    engine = JdbcEngine.open(url);
    var db = new EngineDriver(engine);
    assertThat(db.script("select 1")).hasSize(1);
    try (var other = DriverManager.getConnection(url);
        var statement = other.createStatement()) {
      statement.execute(
          "select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid()"
              + " and datname = current_database()");
    }

    var failure = db.failure(read("select 1 as one", ""), bind);

    assertThat(failure.code()).isEqualTo(ErrorCode.DATABASE_UNREACHABLE);
  }

  /** Connections are used again: a setting of one request would be that of others. */
  @ParameterizedTest
  @EnumSource(names = "POSTGRES")
  void prepare_ofSessionStateByFunction_isRefused(Database database) {
    var db = open(database);

    for (var text :
        List.of(
            "select set_config('default_transaction_read_only', 'on', false)",
            "select set_config('a.b', coalesce(null, 'true'), (select false)), true",
            "select pg_advisory_lock(1)")) {
      var failure = db.failure(query(text, false, ""), bind);
      assertThat(failure.code()).as(text).isEqualTo(ErrorCode.INVALID_SCRIPT);
      assertThat(failure.publicMessage()).as(text).contains("would outlive the request");
    }
    var local = read("select set_config('a.b', coalesce(handle, ''), true) from request", "x");
    assertThat(db.rows(local, bind)).hasSize(1);
  }

  @ParameterizedTest
  @EnumSource(names = {"H2", "SQLITE"})
  void bounded_onlyByUniqueKey(Database database) {
    var db = open(database);
    var byKey =
        List.of(
            "select name from request join users on users.handle = request.handle",
            "select name from users join request using (handle)",
            "select 1 as a, name from users join request on users.handle = request.handle union"
                + " all select 0, handle from request order by 1 desc",
            "select name from users where users.id = (select id from request)");
    var others =
        List.of(
            "select name from users",
            "select name from request join users on users.visits = request.id",
            "select name from users join request on users.handle > request.handle",
            "select count(*) from users a, users b, request",
            "with recursive n(i) as (select 1 union all select i + 1 from n) select i from n");

    assertThat(byKey).allSatisfy(text -> assertThat(isBounded(db, text)).as(text).isTrue());
    assertThat(others).allSatisfy(text -> assertThat(isBounded(db, text)).as(text).isFalse());
  }

  private boolean isBounded(EngineDriver db, String text) {
    var query = read(text, "jane");
    var unused = db.rows(read("select 1", ""), bind); // opens this thread's connection
    return db.engine().prepare(query).bounded(bind.arguments());
  }

  @ParameterizedTest
  @EnumSource
  void explain_showsStatementAndPlan(Database database) {
    var db = open(database);
    var query = read("select name from request join users using (handle)", "jane");

    var plans = db.engine().explain(query, bind.arguments());

    assertThat(plans).hasSize(1);
    assertThat(plans.getFirst().statement()).contains("?").doesNotContain("jane");
    assertThat(plans.getFirst().plan()).containsIgnoringCase("users");
  }

  @ParameterizedTest
  @EnumSource
  void inputs_ofAllTypes_areReturned(Database database) {
    var db = open(database);
    var inputs =
        List.of(
            new NativeQuery.Input("flag", Scalar.BOOLEAN, new Parameter(0)),
            new NativeQuery.Input("small", Scalar.INT32, new Parameter(1)),
            new NativeQuery.Input("amount", Scalar.DECIMAL, new Parameter(2)),
            new NativeQuery.Input("number", Scalar.FLOAT64, new Parameter(3)),
            new NativeQuery.Input("day", Scalar.DATE, new Parameter(4)),
            new NativeQuery.Input("moment", Scalar.TIMESTAMP_TZ, new Parameter(5)),
            new NativeQuery.Input("key", Scalar.UUID, new Parameter(6)),
            new NativeQuery.Input("headers", Scalar.JSON, new Parameter(7)),
            new NativeQuery.Input("bytes", Scalar.BINARY, new Parameter(8)));
    var query = new NativeQuery("select * from request", "request", inputs, true);
    var values =
        Arguments.of(
            true,
            5L,
            new java.math.BigDecimal("1.50"),
            2.5,
            java.time.LocalDate.of(2026, 1, 2),
            java.time.OffsetDateTime.parse("2026-01-02T03:04:05Z"),
            UUID.fromString("00000000-0000-0000-0000-000000000001"),
            "{\"a\": 1}",
            new byte[] {1, 2});

    var sink = db.run(query, values, null);

    assertThat(sink.failure()).isNull();
    assertThat(sink.rows()).hasSize(1);
    var nulls = db.run(query, Arguments.of(new Object[9]), null);
    assertThat(nulls.failure()).isNull();
    assertThat(nulls.rows().getFirst()).containsOnlyNulls();
  }
}

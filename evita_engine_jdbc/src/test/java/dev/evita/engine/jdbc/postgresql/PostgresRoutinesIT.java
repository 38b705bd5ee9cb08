// SPDX-License-Identifier: Apache-2.0
package dev.evita.engine.jdbc.postgresql;

import static dev.evita.api.testkit.EngineDriver.row;
import static org.assertj.core.api.Assertions.assertThat;

import dev.evita.api.Call;
import dev.evita.api.Column;
import dev.evita.api.DataType;
import dev.evita.api.DataType.Scalar;
import dev.evita.api.ErrorCode;
import dev.evita.api.Output;
import dev.evita.api.Parameter;
import dev.evita.api.Routine;
import dev.evita.api.TransactionOptions;
import dev.evita.api.TransactionOptions.Isolation;
import dev.evita.api.testkit.Bindings;
import dev.evita.api.testkit.CollectingSink;
import dev.evita.api.testkit.EngineDriver;
import dev.evita.engine.jdbc.JdbcEngine;
import dev.evita.testsupport.PostgresServer;
import java.time.LocalDate;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** PostgreSQL's functions and procedures beyond the features common to all engines. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class PostgresRoutinesIT {

  private static final String ROUTINES =
"""
      create extension if not exists plpgsql;
      create sequence numbers;
      create type mood as enum ('sad', 'happy');
      create table people (id int primary key, name text not null, dropped int, feels mood);
      alter table people drop column dropped;
      insert into people values (1, 'Ann', 'happy'), (2, 'Bob', null);
      create function defaults(a int, b int default 10, c text default 'x''y') returns text
        language sql immutable as 'select a || c || b';
      comment on function defaults is 'Puts them together';
      create function overloaded(a int) returns text language sql stable as 'select ''a'' || a';
      create function overloaded(a int, b int) returns text
        language sql stable as 'select ''ab'' || a || b';
      create function overloaded(a text) returns text language sql stable as 'select ''text''';
      create function nameless(int, text default 'd') returns text
        language sql stable as 'select $2 || $1';
      create function half_named(a int, text, b int default 5) returns text
        language sql stable as 'select $1 || $2 || $3';
      create function everybody() returns setof people language sql stable
        as 'select * from people order by id';
      create function somebody(id int) returns people language sql stable
        as 'select * from people p where p.id = somebody.id';
      create type place as (x int, y int, label text);
      create domain visible_place as place check ((value).x > 0);
      create domain near_place as visible_place check ((value).x < 100);
      create function here(x int) returns visible_place language sql stable
        as 'select row(x, 2, ''here'')::visible_place';
      create function places() returns setof near_place language sql stable
        as 'select row(i, i * 2, ''p'' || i)::near_place from generate_series(1, 2) i';
      create function both_ways(inout a int, out b int, in c int) language sql stable
        as 'select a + c, a * c';
      create function letters(n int) returns setof char(3) language sql stable
        as 'select chr(96 + i) from generate_series(1, n) i';
      create function echo(m mood, list int[], j jsonb, d date, wide char(5)) returns jsonb
        language sql stable as 'select jsonb_build_array(m, list, j, d, wide)';
      create function nothing() returns void language sql volatile as 'select 1';
      create function "Strange ""Name?"("In put?" int, "select" int default 1)
        returns table ("A b?" int, "from" int) language sql stable as 'select $1, $2';
      create procedure doubled(a int, inout b int, out c int) language plpgsql
        as 'begin b := a * 2; c := a * 3; end';
      create procedure commits() language plpgsql as 'begin commit; end';
      create function raises(state text) returns int language plpgsql as
        $$ begin raise exception 'no % today', 'way' using errcode = state,
        detail = 'It''s Sunday', hint = 'Come tomorrow'; end $$;
      create function incomplete() returns int language plpgsql as
        $$ begin return (select count(*) from nowhere); end $$;
      create function going() returns int language sql stable as 'select 1';
      create function counts_volatilely() returns setof bigint language sql volatile
        as 'select count(*) from people';
      create function writes_volatilely(rw boolean default false) returns int language plpgsql
        as $$ begin
        if rw then set transaction read write; end if;
        insert into people values (8, 'x'); return 1; end $$;
      create function advances() returns bigint language sql volatile
        as 'select nextval(''numbers'')';
      create procedure clears() language sql as 'delete from people';
      create function writes_stably() returns int language plpgsql stable as
        $$ begin insert into people values (9, 'x'); return 1; end $$;

      create function no_variadic(variadic a int[]) returns int language sql as 'select 1';
      create function no_record() returns record language sql as 'select 1, 2';
      create function no_any(a anyelement) returns anyelement language sql as 'select a';
      create function no_trigger() returns trigger language plpgsql as 'begin return new; end';
      create aggregate no_aggregate(int) (sfunc = int4pl, stype = int);
""";

  private EngineDriver db;

  @BeforeAll
  void open() {
    db = new EngineDriver(JdbcEngine.open(PostgresServer.start().createDatabase()));
    db.script(ROUTINES);
    db.engine().refresh();
  }

  @AfterAll
  void close() {
    db.engine().close();
  }

  private List<Routine> routines(String name) {
    return db.catalog().routines().stream().filter(each -> each.name().equals(name)).toList();
  }

  private Call call(Bindings bind, String name, Map<String, ?> arguments) {
    var given = new LinkedHashMap<String, Parameter>();
    arguments.forEach((parameter, value) -> given.put(parameter, bind.value(value)));
    var routine = db.catalog().requireRoutine("public", name, given.keySet());
    var outputs =
        routine.result().stream().<Output>map(column -> new Output.Column(column.name())).toList();
    return new Call("public", name, given, outputs);
  }

  private List<List<@Nullable Object>> called(String name, Map<String, ?> arguments) {
    var bind = new Bindings();
    return db.rows(call(bind, name, arguments), bind);
  }

  @Test
  void uncallableRoutines_areOmitted() {
    assertThat(db.catalog().routines())
        .extracting(Routine::name)
        .noneMatch(name -> name.startsWith("no_"))
        .contains("defaults", "everybody", "doubled");
  }

  @Test
  void defaults_mayBeOmitted() {
    var routine = routines("defaults").getFirst();
    assertThat(routine.comment()).isEqualTo("Puts them together");
    assertThat(routine.parameters())
        .extracting(Column::defaultExpression)
        .containsExactly(null, "10", "'x''y'::text");
    assertThat(called("defaults", Map.of("a", 1))).containsExactly(row("1x'y10"));
    assertThat(called("defaults", Map.of("a", 1, "c", "-"))).containsExactly(row("1-10"));
    assertThat(called("defaults", Map.of("c", "", "b", 3, "a", 1))).containsExactly(row("13"));
  }

  @Test
  void overloads_areResolvedByParameterNames() {
    assertThat(routines("overloaded")).hasSize(2);
    assertThat(called("overloaded", Map.of("a", 1))).containsExactly(row("a1"));
    assertThat(called("overloaded", Map.of("b", 2, "a", 1))).containsExactly(row("ab12"));
  }

  @Test
  void unnamedParameters_arePositional() {
    assertThat(called("nameless", Map.of("$1", 1, "$2", "x"))).containsExactly(row("x1"));
    assertThat(called("nameless", Map.of("$1", 1))).containsExactly(row("d1"));
    assertThat(called("half_named", Map.of("a", 1, "$2", "x"))).containsExactly(row("1x5"));
    assertThat(called("half_named", Map.of("a", 1, "$2", "x", "b", 2))).containsExactly(row("1x2"));
  }

  @Test
  void rowsOfATable_haveItsColumns() {
    var everybody = routines("everybody").getFirst();
    assertThat(everybody.returnsMany()).isTrue();
    assertThat(everybody.result()).extracting(Column::name).containsExactly("id", "name", "feels");
    assertThat(everybody.result().get(2).type())
        .isEqualTo(new DataType.Enumeration("mood", List.of("sad", "happy")));
    assertThat(called("everybody", Map.of()))
        .containsExactly(row(1, "Ann", "happy"), row(2, "Bob", null));
    assertThat(routines("somebody").getFirst().returnsMany()).isFalse();
    assertThat(called("somebody", Map.of("id", 2))).containsExactly(row(2, "Bob", null));
    assertThat(called("somebody", Map.of("id", 3))).containsExactly(row(null, null, null));
  }

  @Test
  void routine_ofADomainOverACompositeType_hasItsColumns() {
    var here = routines("here").getFirst();
    assertThat(here.returnsMany()).isFalse();
    assertThat(here.result()).extracting(Column::name).containsExactly("x", "y", "label");
    assertThat(here.result().getFirst().type()).isEqualTo(Scalar.INT32);
    assertThat(called("here", Map.of("x", 5))).containsExactly(row(5, 2, "here"));
    assertThat(routines("places").getFirst().returnsMany()).isTrue();
    assertThat(called("places", Map.of())).containsExactly(row(1, 2, "p1"), row(2, 4, "p2"));
  }

  @Test
  void outputParameters_areColumns() {
    assertThat(called("both_ways", Map.of("a", 5, "c", 7))).containsExactly(row(12, 35));
    assertThat(called("doubled", Map.of("a", 5, "b", 0))).containsExactly(row(10, 15));
    assertThat(routines("doubled").getFirst().kind()).isEqualTo(Routine.Kind.PROCEDURE);
  }

  @Test
  void values_ofAllKinds_roundTrip() {
    assertThat(called("letters", Map.of("n", 2))).containsExactly(row("a"), row("b"));
    assertThat(routines("letters").getFirst().result().getFirst().type()).isEqualTo(Scalar.TEXT);
    var arguments =
        Map.of(
            "m", "sad",
            "list", List.of(1, 2),
            "j", "{\"k\": null}",
            "d", LocalDate.of(2026, 2, 3),
            "wide", "abc");
    assertThat(called("echo", arguments))
        .containsExactly(row("[\"sad\", [1, 2], {\"k\": null}, \"2026-02-03\", \"abc\"]"));
    assertThat(called("nothing", Map.of())).containsExactly(row());
    assertThat(called("Strange \"Name?", Map.of("In put?", 4))).containsExactly(row(4, 1));
  }

  @ParameterizedTest
  @CsvSource({"P0001", "PT402", "EV001", "45000"})
  void raisedException_isAUserError(String state) {
    var bind = new Bindings();
    var failure = db.failure(call(bind, "raises", Map.of("state", state)), bind);
    assertThat(failure.code()).isEqualTo(ErrorCode.RAISED);
    assertThat(failure).hasMessage("no way today");
    assertThat(failure.details()).isEqualTo("It's Sunday");
    assertThat(failure.hint()).isEqualTo("Come tomorrow");
  }

  @Test
  void invalidBody_isADatabaseError() {
    var bind = new Bindings();
    assertThat(db.failure(call(bind, "incomplete", Map.of()), bind).code())
        .isEqualTo(ErrorCode.DATABASE_ERROR);
    assertThat(db.failure(call(bind, "commits", Map.of()), bind).code())
        .isEqualTo(ErrorCode.UNSUPPORTED_OPERATION);
    assertThat(db.failure(call(bind, "writes_stably", Map.of()), bind).code())
        .isEqualTo(ErrorCode.READ_ONLY);
  }

  /** PostgreSQL treats a function as volatile unless declared otherwise. */
  @Test
  void volatileRoutine_inAReadOnlyTransaction_mayRead() {
    var transaction = db.begin(new TransactionOptions(Isolation.DEFAULT, true));
    var bind = new Bindings();
    assertThat(db.rows(call(bind, "counts_volatilely", Map.of()), bind, transaction))
        .containsExactly(row(2L));
    assertThat(db.rows(call(bind, "doubled", Map.of("a", 5, "b", 0)), bind, transaction))
        .containsExactly(row(10, 15));
    EngineDriver.await(transaction.commit());
  }

  @ParameterizedTest
  @ValueSource(strings = {"writes_volatilely", "advances", "clears", "writes_stably"})
  void routine_writingInAReadOnlyTransaction_isRejected(String name) {
    var transaction = db.begin(new TransactionOptions(Isolation.DEFAULT, true));
    var bind = new Bindings();
    assertThat(db.failure(call(bind, name, Map.of()), bind, transaction).code())
        .isEqualTo(ErrorCode.READ_ONLY);
    EngineDriver.await(transaction.commit());
    assertThat(called("everybody", Map.of())).hasSize(2);
  }

  @Test
  void routine_cannotMakeAReadOnlyTransactionWrite() {
    var transaction = db.begin(new TransactionOptions(Isolation.DEFAULT, true));
    var bind = new Bindings();
    db.failure(call(bind, "writes_volatilely", Map.of("rw", true)), bind, transaction);
    EngineDriver.await(transaction.commit());
    assertThat(called("everybody", Map.of())).hasSize(2);
  }

  @Test
  void droppedRoutine_isCatalogChanged() {
    var bind = new Bindings();
    var prepared = db.engine().prepare(call(bind, "going", Map.of()));
    db.script("drop function going()");
    var sink = new CollectingSink();
    prepared.run(bind.arguments(), null, sink);
    assertThat(sink.await(EngineDriver.PATIENCE).failure())
        .extracting("code")
        .isEqualTo(ErrorCode.CATALOG_CHANGED);
    db.engine().refresh();
    assertThat(db.catalog().routines().stream().map(Routine::name).collect(Collectors.toSet()))
        .doesNotContain("going");
  }

  @Test
  void changedResult_isReadAgain() {
    db.script("create function changing() returns int language sql as 'select 1'");
    assertThat(db.engine().refresh().routines()).extracting(Routine::name).contains("changing");
    db.script("drop function changing()");
    db.script("create function changing(a int) returns text language sql as 'select ''x'''");
    db.engine().refresh();
    assertThat(called("changing", Map.of("a", 1))).containsExactly(row("x"));
  }
}

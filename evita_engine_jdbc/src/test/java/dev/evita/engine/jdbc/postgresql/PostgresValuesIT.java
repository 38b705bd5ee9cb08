// SPDX-License-Identifier: Apache-2.0
package dev.evita.engine.jdbc.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evita.api.Comparison;
import dev.evita.api.ErrorCode;
import dev.evita.api.Insert;
import dev.evita.api.Operation;
import dev.evita.api.Order;
import dev.evita.api.Output;
import dev.evita.api.Row;
import dev.evita.api.Select;
import dev.evita.api.TableName;
import dev.evita.api.testkit.Bindings;
import dev.evita.api.testkit.CollectingSink;
import dev.evita.api.testkit.EngineDriver;
import dev.evita.engine.jdbc.JdbcEngine;
import dev.evita.testsupport.PostgresServer;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Values of PostgreSQL-specific types: read, looked up and written back. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class PostgresValuesIT {

  private static final Map<String, List<String>> LITERALS =
      Map.of(
          "json", List.of("1", "2"),
          "xml", List.of("<a>1</a>", "<a>2</a>"),
          "point", List.of("(1,2)", "(1,3)"),
          "\"Point 3\"", List.of("(1,2)", "(1,3)"));

  private JdbcEngine engine = none();
  private EngineDriver db = new EngineDriver(engine);

  private static JdbcEngine none() {
    var none = JdbcEngine.open("jdbc:h2:mem:");
    none.close();
    return none;
  }

  @BeforeAll
  void open() {
    engine = JdbcEngine.open(PostgresServer.start().createDatabase());
    db = new EngineDriver(engine);
    db.script("create type mood as enum ('sad', 'so so'); create domain code as varchar(5)");
    db.script("create type \"Point 3\" as (x integer, y integer)");
  }

  @AfterAll
  void close() {
    engine.close();
  }

  private static TableName name(String table) {
    return new TableName("public", table);
  }

  private @Nullable Object value(Select select, Bindings bind) {
    return db.rows(select, bind).getFirst().getFirst();
  }

  private @Nullable Object text(Operation operation) {
    var texts = new ArrayList<@Nullable String>();
    CollectingSink sink = CollectingSink.reading((Row row) -> texts.add(row.textAt(0)));
    engine.prepare(operation).run(new Bindings().arguments(), null, sink);
    assertThat(sink.await(EngineDriver.PATIENCE).failure()).isNull();
    return texts.getFirst();
  }

  /** The type and the text form of values, as documented in docs/types.md. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "smallint              | -7                   | INT16        | -7",
        "oid                   | 4000000000           | INT64        | 4000000000",
        "numeric               | 1.50                 | DECIMAL      | 1.50",
        "numeric(1000, 900)    | 1e-900               | DECIMAL      | ",
        "real                  | 0.1                  | FLOAT32      | 0.1",
        "double precision      | -Infinity            | FLOAT64      | -Infinity",
        "character(5)          | ab                   | TEXT         | `ab   `",
        "\"char\"              | x                    | TEXT         | x",
        "name                  | thing                | TEXT         | thing",
        "code                  | a\\b                 | TEXT         | a\\b",
        "bytea                 | \\xdead              | BINARY       | 3q0=",
        "date                  | 0044-03-15 BC        | DATE         | -0043-03-15",
        "time(3)               | 13:45:00.5           | TIME         | 13:45:00.5",
        "timetz                | 13:45:00+05:30       | TIME_TZ      | 13:45:00+05:30",
        "timestamp             | 2026-01-31 13:45:00  | TIMESTAMP    | 2026-01-31T13:45:00",
        "timestamptz           | 2026-01-31 13:45+02  | TIMESTAMP_TZ | 2026-01-31T11:45:00Z",
        "interval              | 1 year -2 days 3:04  | INTERVAL     | P1Y-2DT3H4M",
        "uuid                  | A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11 | UUID |"
            + " a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11",
        "jsonb                 | {\"a\": 1.50}        | JSON         | {\"a\": 1.50}",
        "mood                  | so so                | Enumeration[name=mood, labels=[sad, so so]] |"
            + " so so",
        "money                 | 1234.5               | Other[name=money, ordered=true]     | $1,234.50",
        "inet                  | 192.168.0.1/24       | Other[name=inet, ordered=true]      | 192.168.0.1/24",
        "cidr                  | 10.1.0.0/16          | Other[name=cidr, ordered=true]      | 10.1.0.0/16",
        "macaddr               | 08:00:2b:01:02:03    | Other[name=macaddr, ordered=true]   | 08:00:2b:01:02:03",
        "bit(3)                | 101                  | Other[name=bit, ordered=true]       | 101",
        "bit varying           | 10111                | Other[name=varbit, ordered=true]    | 10111",
        "int4range             | [1,5]                | Other[name=int4range, ordered=true] | [1,6)",
        "tstzrange             | empty                | Other[name=tstzrange, ordered=true] | empty",
        "int8multirange        | {[1,3), [5,7)}       | Other[name=int8multirange, ordered=true] | {[1,3),[5,7)}",
        "tsvector              | a fat cat            | Other[name=tsvector, ordered=true]  | 'a' 'cat' 'fat'",
        "tsquery               | fat & rat            | Other[name=tsquery, ordered=true]   | 'fat' & 'rat'",
        "pg_lsn                | 16/B374D848          | Other[name=pg_lsn, ordered=true]    | 16/B374D848",
      })
  void value_readFoundAndWrittenBack_roundTrips(
      String type, String literal, String read, String shown) {
    requireKept(type, literal, read, shown);
  }

  /** Types without an equality operator, or with one of another meaning: they compare as texts. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "json    | {\"a\":  1.50} | JSON               | {\"a\":  1.50}",
        "regclass | pg_class      | Other[name=regclass, ordered=false] | pg_class",
        "\"Point 3\" | (1,2)        | Other[name=Point 3, ordered=false] | (1,2)",
        "xml     | <a>1</a>       | Other[name=xml, ordered=false]    | <a>1</a>",
        "point   | (1,2.5)        | Other[name=point, ordered=false]  | (1,2.5)",
        "box     | (3,4),(1,2)    | Other[name=box, ordered=false]    | (3,4),(1,2)",
        "path    | ((0,0),(1,1))  | Other[name=path, ordered=false]   | ((0,0),(1,1))",
        "polygon | ((0,0),(1,1))  | Other[name=polygon, ordered=false] | ((0,0),(1,1))",
        "circle  | <(1,2),3>      | Other[name=circle, ordered=false] | <(1,2),3>",
        "xid     | 7              | Other[name=xid, ordered=false]    | 7",
        "jsonpath | $.\"a\"       | Other[name=jsonpath, ordered=false] | $.\"a\"",
      })
  void value_withoutEquality_roundTrips(String type, String literal, String read, String shown) {
    requireKept(type, literal, read, shown);
  }

  private void requireKept(String type, String literal, String read, @Nullable String shown) {
    db.script("drop table if exists v; create table v (id integer primary key, c " + type + ")");
    db.script("insert into v values (1, '" + literal.replace("'", "''") + "')");
    var select = Select.of(name("v"), List.of(new Output.Column("c")));
    assertThat(engine.catalog().requireTable(name("v")).columns().getLast().type().toString())
        .isEqualTo(read);
    if (shown != null) {
      assertThat(text(select)).isEqualTo(shown);
    }
    var stored = value(select, new Bindings());
    var equal = new Bindings();
    assertThat(db.rows(select.where(equal.equal("c", stored)), equal)).hasSize(1);
    var among = new Bindings();
    assertThat(db.rows(select.where(among.in("c", List.of(stored))), among)).hasSize(1);
    var bind = new Bindings();
    var rows = bind.rows(List.of(EngineDriver.row(2, stored)));
    db.affected(new Insert(name("v"), List.of("id", "c"), rows, null, List.of()), bind);
    var second = new Bindings();
    assertThat(value(select.where(second.equal("id", 2)), second)).isEqualTo(stored);
  }

  /** Read often enough for the driver to switch to the binary form. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "boolean[]     | {t,NULL,f}                        | [true, null, false]",
        "bigint[]      | {1,-9223372036854775808}          | [1, -9223372036854775808]",
        "numeric[]     | {1.5,NULL}                        | [1.5, null]",
        "real[]        | {0.1,NaN}                         | [0.1, NaN]",
        "double precision[] | {0.1,-Infinity}             | [0.1, -Infinity]",
        "numeric[]     | {1.5,NaN,-Infinity}               | [1.5, NaN, -Infinity]",
        "text[]        | {\"a,b\",\"\",\"NULL\",NULL,\"q\\\"\\\\\"} | [a,b, , NULL, null, q\"\\]",
        "code[]        | {ab}                              | [ab]",
        "mood[]        | {\"so so\",sad}                   | [so so, sad]",
        "date[]        | {2026-01-31}                      | [2026-01-31]",
        "time[]        | {13:45:00.25}                     | [13:45:00.250]",
        "timetz[]      | {13:45:00+02}                     | [13:45+02:00]",
        "timestamp[]   | {2026-01-31 13:45:00.5}           | [2026-01-31T13:45:00.500]",
        "timestamptz[] | {2026-01-31 13:45:00+02}          | [2026-01-31T11:45Z]",
        "interval[]    | {1 day}                           | [P1D]",
        "uuid[]        | {123e4567-e89b-12d3-a456-426614174000} |"
            + " [123e4567-e89b-12d3-a456-426614174000]",
        "jsonb[]       | {\"{\\\"a\\\": [1]}\"}            | [{\"a\": [1]}]",
        "inet[]        | {::1}                             | [::1]",
        "int4range[]   | {\"[1,3)\"}                       | [[1,3)]",
        "integer[]     | [5:6]={1,2}                       | [1, 2]",
        "integer[]     | {}                                | []",
        "integer[][]   | {{1,2},{NULL,4}}                  | [[1, 2], [null, 4]]",
        "text[][][]    | {{{a,\"{b}\"}}}                    | [[[a, {b}]]]",
      })
  void array_roundTrips(String type, String literal, String shown) {
    db.script("drop table if exists a; create table a (id integer primary key, c " + type + ")");
    db.script("insert into a values (1, '" + literal.replace("'", "''") + "')");
    var select = Select.of(name("a"), List.of(new Output.Column("c")));
    for (int run = 0; run < 8; run++) {
      assertThat(String.valueOf(value(select, new Bindings()))).isEqualTo(shown);
    }
    var stored = value(select, new Bindings());
    var bind = new Bindings();
    var rows = bind.rows(List.of(EngineDriver.row(2, stored)));
    db.affected(new Insert(name("a"), List.of("id", "c"), rows, null, List.of()), bind);
    var second = new Bindings();
    assertThat(value(select.where(second.equal("id", 2)), second)).isEqualTo(stored);
  }

  @Test
  void bytes_inAnArray_areBytes() {
    db.script("create table b (c bytea[]); insert into b values (array['\\xde', null]::bytea[])");
    var stored = value(Select.of(name("b"), List.of(new Output.Column("c"))), new Bindings());
    assertThat((List<?>) stored).first().isEqualTo(new byte[] {(byte) 0xde});
  }

  @Test
  void infinities_areTheEndsOfTimeBothWays() {
    db.script(
        "create table i (c date, d timestamp, e timestamptz);"
            + " insert into i values ('infinity', '-infinity', 'infinity')");
    var columns = List.of("c", "d", "e");
    var all = columns.stream().<Output>map(Output.Column::new).toList();
    var row = db.rows(Select.of(name("i"), all)).getFirst();
    assertThat(row).containsExactly(LocalDate.MAX, LocalDateTime.MIN, OffsetDateTime.MAX);
    for (int i = 0; i < 3; i++) {
      var bind = new Bindings();
      var found = bind.in(columns.get(i), List.of(row.get(i)));
      assertThat(db.rows(Select.of(name("i"), all).where(found), bind)).hasSize(1);
    }
  }

  /** Eight executions, as the driver switches to binary values after some. */
  @ParameterizedTest
  @ValueSource(doubles = {Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY})
  void nonFiniteDecimal_roundTrips(double stored) {
    db.script("drop table if exists n; create table n (id integer primary key, c numeric)");
    db.script("insert into n values (1, 2.50)");
    var bind = new Bindings();
    var rows = bind.rows(List.of(EngineDriver.row(2, stored)));
    db.affected(new Insert(name("n"), List.of("id", "c"), rows, null, List.of()), bind);
    var ids = Select.of(name("n"), List.of(new Output.Column("id")));
    for (int run = 0; run < 8; run++) {
      var second = new Bindings();
      var all = Select.of(name("n"), List.of(new Output.Column("c")));
      assertThat(value(all.where(second.equal("id", 2)), second)).isEqualTo(stored);
      var equal = new Bindings();
      assertThat(db.rows(ids.where(equal.equal("c", stored)), equal)).containsExactly(List.of(2L));
      var among = new Bindings();
      var in = ids.where(among.in("c", List.of(stored, 7L)));
      assertThat(db.rows(in, among)).containsExactly(List.of(2L));
    }
  }

  @Test
  void aggregates_overNonFiniteDecimals_areNonFinite() {
    db.script("create table na (c numeric); insert into na values ('NaN'), (2.50)");
    var outputs = new ArrayList<Output>();
    for (var function : List.of(Output.Function.SUM, Output.Function.AVG, Output.Function.MAX)) {
      outputs.add(new Output.Aggregate(function, List.of("c"), false));
    }
    assertThat(db.rows(Select.of(name("na"), outputs)))
        .containsExactly(List.of(Double.NaN, Double.NaN, Double.NaN));
  }

  @ParameterizedTest
  @CsvSource({"time, 24:00:00", "timetz, 24:00:00+00"})
  void endOfTheDay_isStoredValueInvalid(String type, String literal) {
    db.script("drop table if exists e; create table e (c " + type + ")");
    db.script("insert into e values ('" + literal + "')");
    var failure = db.failure(Select.of(name("e"), List.of(new Output.Column("c"))), new Bindings());
    assertThat(failure.code()).isEqualTo(ErrorCode.STORED_VALUE_INVALID);
    assertThat(failure.publicMessage()).contains(literal, "public.e.c");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "integer[]   | {{1,2},{NULL,4}}        | [[1, 2], [null, 4]]",
        "integer[]   | [2:3][0:0]={{1},{2}}    | [[1], [2]]",
        "text[]      | {{{a},{\"{b,c}\"}}}       | [[[a], [{b,c}]]]",
        "integer[][] | {1,2}                   | [1, 2]",
        "integer[][] | {}                      | []",
      })
  void array_ofOtherDepthThanDeclared_isReadAsStored(String type, String literal, String shown) {
    db.script("drop table if exists l; create table l (c " + type + ")");
    db.script("insert into l values ('" + literal + "')");
    var select = Select.of(name("l"), List.of(new Output.Column("c")));
    assertThat(String.valueOf(value(select, new Bindings()))).isEqualTo(shown);
  }

  @Test
  void malformedText_isInvalidData() {
    db.script("create table t (id integer primary key, ip inet)");
    var bind = new Bindings();
    var rows = bind.rows(List.of(EngineDriver.row(1, "no address")));
    var insert = new Insert(name("t"), List.of("id", "ip"), rows, null, List.of());
    assertThat(db.failure(insert, bind).code()).isEqualTo(ErrorCode.INVALID_DATA);
  }

  /** The server has no order for them, nor for lists of them. */
  @ParameterizedTest
  @ValueSource(
      strings = {"json", "json[]", "xml", "point", "point[]", "\"Point 3\"", "\"Point 3\"[]"})
  void columnWithoutOrder_isOrderedDistinguishedAndCounted(String type) {
    var low = LITERALS.get(type.replace("[]", "")).getFirst();
    var high = LITERALS.get(type.replace("[]", "")).getLast();
    db.script("drop table if exists w; create table w (id integer primary key, c " + type + ")");
    for (int id = 1; id <= 4; id++) {
      var literal = (id % 2 == 0 ? low : high).replace("'", "''");
      var value = type.endsWith("[]") ? "array['" + literal + "']" : "'" + literal + "'";
      db.script("insert into w values (%d, cast(%s as %s))".formatted(id, value, type));
    }
    var ids = Select.of(name("w"), List.of(new Output.Column("id")));
    var sorted = ids.orderBy(List.of(Order.ascending("c"), Order.ascending("id")));
    assertThat(db.rows(sorted)).containsExactly(List.of(2L), List.of(4L), List.of(1L), List.of(3L));
    assertThat(db.rows(sorted.distinctOn(List.of("c")))).containsExactly(List.of(2L), List.of(1L));
    var stored = db.rows(Select.of(name("w"), List.of(new Output.Column("c")))).getFirst();
    var bind = new Bindings();
    var less = ids.where(bind.compare("c", Comparison.LESS, stored.getFirst()));
    assertThat(db.rows(less, bind)).hasSize(2);
    var count = new Output.Aggregate(Output.Function.COUNT, List.of("c"), true);
    assertThat(db.rows(Select.of(name("w"), List.of(count)))).containsExactly(List.of(2L));
  }

  @Test
  void json_spacesAndMemberOrder_doNotMatter() {
    db.script("create table js (c json); insert into js values ('{\"a\":1,  \"b\":2}')");
    var bind = new Bindings();
    var select = Select.of(name("js"), List.of(new Output.Column("c")));
    var same = select.where(bind.equal("c", "{\"b\": 2, \"a\": 1}"));
    assertThat(db.rows(same, bind)).hasSize(1);
  }

  @Test
  void groups_byColumnWithoutOrder_areUnsupportedByName() {
    db.script("create table g (c json)");
    var groups = Select.of(name("g"), List.of(new Output.Column("c"))).groupBy(List.of("c"));
    var failure = db.failure(groups, new Bindings());
    assertThat(failure.code()).isEqualTo(ErrorCode.UNSUPPORTED_OPERATION);
    assertThat(failure.publicMessage()).contains("public.g.c", "json");
  }

  @Test
  void minAndMax_ofUuidAndBoolean_areSupported() {
    db.script(
        "create table m (u uuid, b boolean); insert into m values"
            + " ('123e4567-e89b-12d3-a456-426614174000', true),"
            + " ('023e4567-e89b-12d3-a456-426614174000', false)");
    var outputs =
        List.<Output>of(
            new Output.Aggregate(Output.Function.MIN, List.of("u"), false),
            new Output.Aggregate(Output.Function.MAX, List.of("b"), false));
    var row = db.rows(Select.of(name("m"), outputs)).getFirst();
    assertThat(String.valueOf(row.getFirst())).startsWith("023e");
    assertThat(row.getLast()).isEqualTo(true);
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.evita.engine.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.evita.api.Arguments;
import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import dev.evita.api.Output;
import dev.evita.api.Select;
import dev.evita.api.testkit.Bindings;
import dev.evita.api.testkit.CollectingSink;
import dev.evita.api.testkit.EngineDriver;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.LongStream;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Opening engines, and the error messages of failures. */
final class JdbcEngineIT {

  @TempDir private Path directory;

  @Test
  void over_dataSource_readsAndLeavesItOpen() throws Exception {
    var source = new JdbcDataSource();
    source.setURL("jdbc:h2:mem:over");
    try (var owner = source.getConnection();
        var statement = owner.createStatement()) {
      statement.execute("create table \"select\" (\"a b\" int primary key)");
      statement.execute("insert into \"select\" values (1), (2)");
      try (var engine = JdbcEngine.over(source)) {
        var table = engine.catalog().tables().getFirst();
        var select = Select.of(table.name(), List.of(new Output.Column("a b")));
        var sink = new CollectingSink();
        engine.prepare(select).run(Arguments.NONE, null, sink);
        assertThat(table.name().table()).isEqualTo("select");
        assertThat(sink.rows()).hasSize(2);
      }
      assertThat(owner.isValid(1)).isTrue();
    }
  }

  @Test
  void open_absentDatabaseWithoutCreation_isUnreachable() {
    var url = "jdbc:h2:file:" + directory.resolve("absent").toAbsolutePath();
    var options = JdbcOptions.builder().createIfAbsent(false).build();
    assertThatThrownBy(() -> JdbcEngine.open(url, options))
        .isInstanceOfSatisfying(
            EvitaException.class,
            failure -> {
              assertThat(failure.code()).isEqualTo(ErrorCode.DATABASE_UNREACHABLE);
              assertThat(failure.publicMessage()).doesNotContain(directory.toString());
            });
  }

  @Test
  void open_unsupportedUrl_isInvalidAndHidesSecrets() {
    assertThatThrownBy(() -> JdbcEngine.open("jdbc:unknown://inner.example/db?password=secret"))
        .isInstanceOfSatisfying(
            EvitaException.class,
            failure -> {
              assertThat(failure.code()).isEqualTo(ErrorCode.INVALID_CONFIGURATION);
              assertThat(failure.publicMessage()).doesNotContain("secret").doesNotContain("inner");
            });
  }

  /** H2 rejects DB_CLOSE_ON_EXIT=FALSE, which the engine adds otherwise, with AUTO_SERVER. */
  @Test
  void open_h2FileWithAutoServerTwice_sharesIt() {
    var url =
        "jdbc:h2:file:"
            + directory.resolve("shared").toAbsolutePath()
            + ";AUTO_SERVER=TRUE;WRITE_DELAY=0";
    try (var first = JdbcEngine.open(url);
        var second = JdbcEngine.open(url)) {
      new EngineDriver(first).script("create table t (id int primary key)");
      assertThat(second.refresh().tables()).hasSize(1);
    }
  }

  /** Setting a journal mode would be a write. */
  @Test
  void open_readOnlySqliteFile_reads() {
    var file = directory.resolve("readonly.db").toAbsolutePath();
    try (var engine = JdbcEngine.open("jdbc:sqlite:" + file)) {
      new EngineDriver(engine).script("create table t (id integer primary key)");
    }
    try (var engine = JdbcEngine.open("jdbc:sqlite:file:" + file + "?mode=ro")) {
      assertThat(engine.catalog().tables()).hasSize(1);
      var failure = new EngineDriver(engine).scriptFailure("insert into t values (1)");
      assertThat(failure.code()).isEqualTo(ErrorCode.READ_ONLY);
    }
  }

  /** Whatever H2's case of unquoted names, including those of its own tables. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "DATABASE_TO_UPPER=FALSE",
        "DATABASE_TO_LOWER=TRUE",
        "MODE=PostgreSQL;DATABASE_TO_LOWER=TRUE",
        "CASE_INSENSITIVE_IDENTIFIERS=TRUE",
      })
  void open_h2OfOtherNameCase_readsItsTablesAndRoutines(String setting) {
    try (var engine = JdbcEngine.open("jdbc:h2:mem:;" + setting)) {
      var db = new EngineDriver(engine);
      db.script("create table Pets (Id int primary key)");
      db.script("insert into Pets values (7)");
      db.script("create alias Twice for \"java.lang.Math.abs(int)\"");
      engine.refresh();
      var table = engine.catalog().tables().getFirst();
      var key = table.columns().getFirst().name();
      assertThat(db.rows(Select.of(table.name(), List.of(new Output.Column(key)))))
          .containsExactly(List.of(7L));
      assertThat(engine.catalog().schemas().getFirst().routines()).hasSize(1);
    }
  }

  /**
   * H2's arrays have at most 65 536 elements; it reported a longer list as a value too long for a
   * column.
   */
  @Test
  void list_beyondH2ArrayLimit_isTooManyRowsWithTheLimit() {
    try (var engine = JdbcEngine.open("jdbc:h2:mem:")) {
      var db = new EngineDriver(engine);
      db.script("create table t (id bigint primary key)");
      engine.refresh();
      var bind = new Bindings();
      var filter = bind.in("ID", LongStream.range(0, 65_537).boxed().toList());
      var table = engine.catalog().tables().getFirst().name();
      var select = Select.of(table, List.of(new Output.Column("ID"))).where(filter);
      var failure = db.failure(select, bind);
      assertThat(failure.code()).isEqualTo(ErrorCode.TOO_MANY_ROWS);
      assertThat(failure.publicMessage()).contains("65537", "65536", "fewer");
    }
  }

  @Test
  void failure_ofH2_hidesVendorCode() {
    try (var engine = JdbcEngine.open("jdbc:h2:mem:")) {
      var failure = new EngineDriver(engine).scriptFailure("select cast('x' as int)");
      assertThat(failure.code()).isEqualTo(ErrorCode.INVALID_DATA);
      assertThat(failure.publicMessage()).doesNotContainPattern("[0-9]{5}-[0-9]{3}");
    }
  }

  /** Generated names of H2 and SQLite may change, and clients use these names. */
  @ParameterizedTest
  @ValueSource(strings = {"jdbc:h2:mem:", "jdbc:sqlite::memory:"})
  void unnamedKeys_areNamedAfterTheirColumns(String url) {
    try (var engine = JdbcEngine.open(url)) {
      new EngineDriver(engine)
          .script(
              """
              create table items (a int primary key, b int unique, c int, d int,
                constraint own unique (d), unique (b, c));
              """);
      var table = engine.refresh().tables().getFirst();
      var names = new ArrayList<String>();
      names.add(engine.catalog().apiName(Objects.requireNonNull(table.primaryKey())));
      table.uniqueKeys().forEach(key -> names.add(engine.catalog().apiName(key)));
      var own = url.contains("sqlite") ? "items_d_key" : "own";
      assertThat(names)
          .containsExactlyInAnyOrder("items_pkey", "items_b_key", "items_b_c_key", own);
    }
  }
}

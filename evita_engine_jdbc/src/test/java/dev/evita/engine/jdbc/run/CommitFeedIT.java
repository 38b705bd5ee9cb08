// SPDX-License-Identifier: Apache-2.0
package dev.evita.engine.jdbc.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evita.api.Capability;
import dev.evita.api.Delete;
import dev.evita.api.TableName;
import dev.evita.api.testkit.Bindings;
import dev.evita.api.testkit.EngineDriver;
import dev.evita.engine.jdbc.JdbcEngine;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.sqlite.SQLiteDataSource;

/** Commits that the engine did not make are told, too, and its own ones but once. */
final class CommitFeedIT {

  private static final String SCHEMA =
      """
      create table parents (id int primary key);
      create table children (
        id int primary key, parent int references parents (id) on delete cascade);
      create table others (id int primary key);
      insert into parents values (1), (2);
      insert into children values (1, 1)\
      """;

  @TempDir private Path directory;
  private final BlockingQueue<Set<String>> told = new LinkedBlockingQueue<>();

  private String url(String kind) {
    return kind.equals("h2")
        ? "jdbc:h2:mem:commits"
        : "jdbc:sqlite:" + directory.resolve("commits.db");
  }

  private void listen(JdbcEngine engine) {
    var unused =
        engine.watch((sequence, tables) ->
            told.add(
                tables.stream()
                    .map(name -> name.table().toLowerCase(java.util.Locale.ROOT))
                    .collect(Collectors.toSet())));
  }

  private Set<String> next() throws InterruptedException {
    return told.poll(10, TimeUnit.SECONDS);
  }

  private static void execute(Connection connection, String sql) throws SQLException {
    try (var statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"h2", "sqlite"})
  void commitOfAnotherConnection_isTold(String kind) throws Exception {
    try (var engine = JdbcEngine.open(url(kind))) {
      new EngineDriver(engine).script(SCHEMA);
      engine.refresh();
      listen(engine);
      try (var other = DriverManager.getConnection(url(kind))) {
        other.setAutoCommit(false);
        execute(other, "insert into others values (1)");
        assertThat(told.poll(3 * CommitFeed.LOOK.toMillis(), TimeUnit.MILLISECONDS)).isNull();
        other.commit();
        // SQLite counts for the whole database.
        assertThat(next())
            .isEqualTo(
                kind.equals("h2") ? Set.of("others") : Set.of("others", "parents", "children"));
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"h2", "sqlite"})
  void ownCommit_isToldOnce_withWhatCascaded(String kind) throws Exception {
    try (var engine = JdbcEngine.open(url(kind))) {
      var db = new EngineDriver(engine);
      db.script(SCHEMA);
      var parents =
          engine.refresh().tables().stream()
              .filter(table -> table.name().table().equalsIgnoreCase("parents"))
              .findFirst()
              .orElseThrow();
      listen(engine);
      delete(db, parents.name(), parents.columns().getFirst().name());
      assertThat(told).containsExactly(Set.of("parents", "children"));
      assertThat(next(3)).isNull();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"h2", "sqlite"})
  void ownCommit_tellsWhatTriggersWrote(String kind) throws Exception {
    try (var engine = JdbcEngine.open(url(kind))) {
      var db = new EngineDriver(engine);
      db.script(SCHEMA);
      try (var other = DriverManager.getConnection(url(kind))) {
        execute(
            other,
            kind.equals("h2")
                ? "create trigger log after delete on children for each row call '"
                    + OthersTrigger.class.getName()
                    + "'"
                : "create trigger log after delete on children begin"
                    + " insert into others values (7); end");
      }
      var children =
          engine.refresh().tables().stream()
              .filter(table -> table.name().table().equalsIgnoreCase("children"))
              .findFirst()
              .orElseThrow();
      listen(engine);
      delete(db, children.name(), children.columns().getFirst().name());
      assertThat(next()).contains("children", "others");
    }
  }

  private Set<String> next(int looks) throws InterruptedException {
    told.clear();
    return told.poll(looks * CommitFeed.LOOK.toMillis(), TimeUnit.MILLISECONDS);
  }

  private static void delete(EngineDriver db, TableName table, String key) {
    var bind = new Bindings();
    assertThat(db.affected(new Delete(table, bind.equal(key, 1), List.of()), bind)).isOne();
  }

  @Test
  void h2_tellsNoFollower_thatDidNotChange() throws Exception {
    try (var engine = JdbcEngine.open(url("h2"))) {
      var db = new EngineDriver(engine);
      db.script(SCHEMA);
      db.script("delete from children");
      engine.refresh();
      listen(engine);
      delete(db, new TableName("PUBLIC", "PARENTS"), "ID");
      assertThat(next()).containsExactly("parents");
    }
  }

  @Test
  void overADataSource_h2Watches_butSqliteHasNoConnectionToAsk() {
    var h2 = new JdbcDataSource();
    h2.setURL("jdbc:h2:mem:commits-source;DB_CLOSE_DELAY=1");
    try (var engine = JdbcEngine.over(h2)) {
      assertThat(engine.capabilities()).contains(Capability.WATCH);
    }
    var sqlite = new SQLiteDataSource();
    sqlite.setUrl(url("sqlite"));
    try (var engine = JdbcEngine.over(sqlite)) {
      assertThat(engine.capabilities()).doesNotContain(Capability.WATCH);
    }
  }
}

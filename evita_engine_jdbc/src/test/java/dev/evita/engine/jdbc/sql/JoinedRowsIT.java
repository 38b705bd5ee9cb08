// SPDX-License-Identifier: Apache-2.0
package dev.evita.engine.jdbc.sql;

import static dev.evita.api.testkit.EngineDriver.row;
import static org.assertj.core.api.Assertions.assertThat;

import dev.evita.api.Comparison;
import dev.evita.api.Filter;
import dev.evita.api.Order;
import dev.evita.api.Output;
import dev.evita.api.Select;
import dev.evita.api.TableName;
import dev.evita.api.testkit.Bindings;
import dev.evita.api.testkit.CollectingSink;
import dev.evita.api.testkit.EngineDriver;
import dev.evita.engine.jdbc.JdbcEngine;
import dev.evita.testsupport.PostgresServer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Single related rows are joined if that costs nothing: in one statement, whose rows stream.
 * Otherwise they are read by a statement of their own, with the same result.
 */
final class JoinedRowsIT {

  private static final int MANY = 3_000;

  @TempDir private Path directory;

  private JdbcEngine open(String database) {
    return JdbcEngine.open(
        switch (database) {
          case "h2" -> "jdbc:h2:mem:";
          case "sqlite" -> "jdbc:sqlite:" + directory.resolve("joined.db");
          default -> PostgresServer.start().createDatabase();
        });
  }

  private static EngineDriver filled(JdbcEngine engine) {
    var db = new EngineDriver(engine);
    db.script(
        "create table \"teams\" (\"id\" integer primary key, \"name\" varchar(9), \"size\" int)");
    db.script(
        """
        create table "staff" (
          "id" integer primary key, "name" varchar(9),
          "boss_id" int references "staff" ("id"), "team_id" int references "teams" ("id"))
        """);
    db.script("insert into \"teams\" values (1, 'red', 5), (2, 'blue', null)");
    db.script(
        """
        insert into "staff" values
          (1, 'Ada', null, 1), (2, 'Bob', 1, 2), (3, 'Cy', 2, null), (4, 'Di', 2, 1)
        """);
    engine.refresh();
    return db;
  }

  private static Output column(String name) {
    return new Output.Column(name);
  }

  private static Output nested(EngineDriver db, String name, Output... outputs) {
    return new Output.Nested(
        db.relationship(db.table("staff"), name), Select.of(to(db, name), List.of(outputs)));
  }

  private static TableName to(EngineDriver db, String name) {
    return db.relationship(db.table("staff"), name).to();
  }

  private static Select staff(EngineDriver db, Output... outputs) {
    return Select.of(db.table("staff"), List.of(outputs)).orderBy(List.of(Order.ascending("id")));
  }

  private static int statements(EngineDriver db, Select select, Bindings bind) {
    return db.run(select, bind.arguments(), null).execution().statements();
  }

  @ParameterizedTest
  @ValueSource(strings = {"h2", "sqlite", "postgresql"})
  void singleRows_anyDepth_useOneStatement(String database) {
    try (var engine = open(database)) {
      var db = filled(engine);
      var team = nested(db, "team", column("name"), column("size"));
      var boss = nested(db, "boss", column("name"), team, nested(db, "boss", column("name")));
      var select = staff(db, column("id"), boss, team);

      assertThat(db.rows(select))
          .containsExactly(
              row(1, null, row("red", 5)),
              row(2, row("Ada", row("red", 5), null), row("blue", null)),
              row(3, row("Bob", row("blue", null), row("Ada")), null),
              row(4, row("Bob", row("blue", null), row("Ada")), row("red", 5)));
      assertThat(statements(db, select, new Bindings())).isEqualTo(1);
    }
  }

  /** Its filter determines whether there is a related row, not whether there is a row. */
  @ParameterizedTest
  @ValueSource(strings = {"h2", "sqlite", "postgresql"})
  void filter_ofASingleRow_isPartOfTheJoin(String database) {
    try (var engine = open(database)) {
      var db = filled(engine);
      var bind = new Bindings();
      var red = bind.equal("name", "red");
      var ofRed =
          new Output.Nested(
              db.relationship(db.table("staff"), "team"),
              Select.of(db.table("teams"), List.of(column("size"))).where(red));
      var select = staff(db, column("id"), ofRed).where(bind.compare("id", Comparison.GREATER, 1));

      assertThat(db.rows(select, bind)).containsExactly(row(2, null), row(3, null), row(4, row(5)));
      assertThat(statements(db, select, bind)).isEqualTo(1);
    }
  }

  /** Joins of rows that are sorted away or skipped would be wasted. */
  @ParameterizedTest
  @ValueSource(strings = {"h2", "sqlite", "postgresql"})
  void limitedRows_areJoinedOnlyInIndexOrder(String database) {
    try (var engine = open(database)) {
      var db = filled(engine);
      var team = nested(db, "team", column("name"));
      var bind = new Bindings();
      var byKey = staff(db, column("id"), team).limit(bind.value(2));
      assertThat(db.rows(byKey, bind)).containsExactly(row(1, row("red")), row(2, row("blue")));
      assertThat(statements(db, byKey, bind)).isEqualTo(1);

      var byName = byKey.orderBy(List.of(Order.descending("name")));
      assertThat(db.rows(byName, bind)).containsExactly(row(4, row("red")), row(3, null));
      assertThat(statements(db, byName, bind)).isEqualTo(2);

      var skipping = byKey.offset(bind.value(1));
      assertThat(db.rows(skipping, bind)).containsExactly(row(2, row("blue")), row(3, null));
      assertThat(statements(db, skipping, bind)).isEqualTo(2);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"h2", "sqlite", "postgresql"})
  void manyJoins_continueInAnotherStatement(String database) {
    try (var engine = open(database)) {
      var db = filled(engine);
      var chain = column("name");
      for (int depth = 0; depth < 12; depth++) {
        chain = nested(db, "boss", column("id"), chain);
      }
      var select = staff(db, column("id"), chain);

      assertThat(db.rows(select)).hasSize(4).startsWith(row(1, null)).endsWith(bosses(4, 2, 1));
      assertThat(statements(db, select, new Bindings())).isEqualTo(1);
      db.script("update \"staff\" set \"boss_id\" = 1 where \"id\" = 1");
      assertThat(statements(db, select, new Bindings())).isEqualTo(2);
      assertThat(db.rows(select).getFirst().toString()).contains("Ada");
    }
  }

  private static List<@Nullable Object> bosses(int... ids) {
    var row = row(ids[ids.length - 1], null);
    for (int i = ids.length - 2; i >= 0; i--) {
      row = row(ids[i], row);
    }
    return row;
  }

  @ParameterizedTest
  @ValueSource(strings = {"h2", "sqlite", "postgresql"})
  void joinedRows_areNotBuffered(String database) {
    try (var engine = open(database)) {
      var db = filled(engine);
      var rows = new ArrayList<String>();
      for (int id = 10; id < 10 + MANY; id++) {
        rows.add("(" + id + ", 'n', 1, 2)");
      }
      db.script("insert into \"staff\" values " + String.join(", ", rows));
      var bind = new Bindings();
      var select =
          staff(db, column("id"), nested(db, "team", column("name")))
              .where(new Filter.Compare("id", Comparison.GREATER_OR_EQUAL, bind.value(10)));
      var sink = CollectingSink.holdingAtMost(10);
      engine.prepare(select).run(bind.arguments(), null, sink);

      assertThat(sink.await(EngineDriver.PATIENCE).failure()).isNull();
      assertThat(sink.rows()).hasSize(MANY).allSatisfy(row -> assertThat(row.get(1)).isNotNull());
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.evita.engine.jdbc.postgresql;

import static dev.evita.api.testkit.EngineDriver.row;
import static org.assertj.core.api.Assertions.assertThat;

import dev.evita.api.Column;
import dev.evita.api.Update;
import dev.evita.api.testkit.Bindings;
import dev.evita.api.testkit.EngineDriver;
import dev.evita.engine.jdbc.JdbcEngine;
import dev.evita.testsupport.PostgresServer;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Defaults of auto-updatable views: their own, else those of the underlying table. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class PostgresViewsIT {

  private static final String FILMS =
      """
      create domain stars as int default 3;
      create table film (
        id int primary key, title text not null default 'none', rating text default 'G',
        score stars, length int, doubled int generated always as (length * 2) stored,
        added timestamptz default now());
      create view plain as select * from film;
      create view renamed as
        select length, title as "the \\ title", rating, id as title, 'G'::text as fixed,
          (select title from film f limit 1) as first
        from film where exists (select 1 from film f where f.length > 0);
      alter view renamed alter column rating set default 'PG';
      create view deeper as select title as number, rating as rated, "the \\ title" from renamed;
      create view joined as select film.title from film, (select 1) other;
      """;

  private EngineDriver db;

  @BeforeAll
  void open() {
    db = new EngineDriver(JdbcEngine.open(PostgresServer.start().createDatabase()));
    db.script(FILMS);
    db.engine().refresh();
  }

  @AfterAll
  void close() {
    db.engine().close();
  }

  private List<@Nullable String> defaults(String view) {
    return db.catalog().requireTable(db.table(view)).columns().stream()
        .map(Column::defaultExpression)
        .toList();
  }

  @Test
  void defaults_ofAView_precedeThoseOfTheTable() {
    assertThat(defaults("plain"))
        .containsExactly(null, "'none'::text", "'G'::text", null, null, null, "now()");
    assertThat(defaults("renamed"))
        .containsExactly(null, "'none'::text", "'PG'::text", null, null, null);
    assertThat(defaults("deeper")).containsExactly(null, "'PG'::text", "'none'::text");
  }

  @Test
  void defaults_ofANonUpdatableView_areUnknown() {
    assertThat(defaults("joined")).containsOnlyNulls();
  }

  private void reset(String view, String key, String... columns) {
    db.script("truncate film; insert into film values (1, 't', 'r', 1, 1)");
    var bind = new Bindings();
    var changes = Arrays.stream(columns).<Update.Change>map(Update.Change.Default::new).toList();
    var update = new Update(db.table(view), changes, bind.equal(key, 1), List.of());
    assertThat(db.affected(update, bind)).isEqualTo(1);
  }

  private List<List<@Nullable Object>> films() {
    return db.script("select title, rating, score, length from film");
  }

  @Test
  void update_toTheDefaultOfATable_setsIt() {
    reset("film", "id", "title", "rating", "score", "length");
    assertThat(films()).containsExactly(row("none", "G", 3, null));
  }

  /**
   * PostgreSQL itself applies a default of the underlying table only to inserts, and else sets
   * null.
   */
  @Test
  void update_toTheDefaultOfAView_setsIt() {
    reset("plain", "id", "title", "rating", "score", "length");
    assertThat(films()).containsExactly(row("none", "G", 3, null));
    reset("renamed", "title", "the \\ title", "rating");
    assertThat(films()).containsExactly(row("none", "PG", 1, 1));
    reset("deeper", "number", "the \\ title", "rated");
    assertThat(films()).containsExactly(row("none", "PG", 1, 1));
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.evita.engine.jdbc.h2;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evita.api.Demand;
import dev.evita.api.Filter;
import dev.evita.api.Order;
import dev.evita.api.Output;
import dev.evita.api.Select;
import dev.evita.api.testkit.Bindings;
import dev.evita.api.testkit.CollectingSink;
import dev.evita.api.testkit.EngineDriver;
import dev.evita.engine.jdbc.JdbcEngine;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Rows of a statement with a list, after executions that were not read completely. H2 2.5.252
 * continues where the last execution stopped (IndexCursor.find).
 */
final class H2ListsIT {

  private static final int OF_EACH = 4;
  private static final int KEYS = 16;

  private JdbcEngine engine;
  private EngineDriver db;

  @BeforeEach
  void open() {
    engine = JdbcEngine.open("jdbc:h2:mem:");
    db = new EngineDriver(engine);
    db.script("create table \"lines\" (\"a\" int, \"b\" int, primary key (\"a\", \"b\"))");
    db.script("insert into \"lines\" select x / 4, mod(x, 4) from system_range(0, 63)");
  }

  @AfterEach
  void close() {
    engine.close();
  }

  private Select lines(Filter filter) {
    return Select.of(db.table("lines"), List.of(new Output.Column("a"), new Output.Column("b")))
        .where(filter)
        .orderBy(List.of(Order.ascending("a"), Order.ascending("b")));
  }

  private static List<List<@Nullable Object>> expected(int first, int second, int limit) {
    var all = new ArrayList<List<@Nullable Object>>();
    for (var a : first == second ? List.of(first) : List.of(first, second)) {
      for (int b = 0; b < OF_EACH && all.size() < limit; b++) {
        all.add(EngineDriver.row(a, b));
      }
    }
    return all;
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void limitedList_anyValues_returnsItsFirstRows(boolean alternatives) {
    var random = new Random(1);
    for (int i = 0; i < 500; i++) {
      var first = random.nextInt(KEYS - 1);
      var second = first + 1;
      var limit = 1 + random.nextInt(2 * OF_EACH);
      var bind = new Bindings();
      var filter =
          alternatives
              ? new Filter.Or(List.of(bind.equal("a", first), bind.equal("a", second)))
              : bind.in("a", List.of(first, second));
      var select = lines(filter).limit(bind.value(limit));
      assertThat(db.rows(select, bind)).as("%d", i).isEqualTo(expected(first, second, limit));
    }
  }

  @Test
  void list_afterAStoppedExecution_isComplete() {
    var bind = new Bindings();
    var select = lines(bind.in("a", List.of(1, 2)));
    var prepared = engine.prepare(select);
    for (int i = 0; i < 20; i++) {
      var stopping = CollectingSink.demanding(count -> Demand.STOP);
      prepared.run(bind.arguments(), null, stopping);
      stopping.await(EngineDriver.PATIENCE);
      assertThat(db.rows(select, bind)).isEqualTo(expected(1, 2, 2 * OF_EACH));
    }
  }

  @Test
  void script_limitedList_returnsItsFirstRows() {
    for (int i = 0; i < 20; i++) {
      var sql = "select * from \"lines\" where \"a\" in (1, 2) order by \"a\", \"b\" limit 3";
      assertThat(db.script(sql)).isEqualTo(expected(1, 2, 3));
    }
  }
}

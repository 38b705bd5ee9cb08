// SPDX-License-Identifier: Apache-2.0
package dev.evita.engine.jdbc.h2;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import dev.evita.api.Operation;
import dev.evita.api.Output;
import dev.evita.api.Select;
import dev.evita.api.TableName;
import dev.evita.api.Update;
import dev.evita.api.testkit.Bindings;
import dev.evita.api.testkit.CollectingSink;
import dev.evita.api.testkit.EngineDriver;
import dev.evita.engine.jdbc.JdbcEngine;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * While another connection alters a table, H2 by itself returns no rows for selects, and updates
 * nothing. It also loses updates, which is not tested here, as only H2 could prevent it.
 */
final class H2SchemaGuardIT {

  private static final int CYCLES = 150;

  private final Queue<String> wrong = new ConcurrentLinkedQueue<>();
  private final AtomicBoolean stopped = new AtomicBoolean();

  /**
   * The copy of a table with a key is locked before the commit, that of a table without one is not.
   */
  @ParameterizedTest
  @CsvSource({"primary key, true", "primary key, false", "not null, true", "not null, false"})
  void alterTable_underLoad_returnsTheRow(String constraint, boolean autoCommit) throws Exception {
    var url = "jdbc:h2:mem:" + UUID.randomUUID();
    try (var engine = JdbcEngine.open(url);
        var ddl = DriverManager.getConnection(url)) {
      execute(ddl, "create table changing (id int %s, amount int)".formatted(constraint));
      execute(ddl, "insert into changing values (1, 0)");
      execute(ddl, "create view seen as select id, amount from changing");
      engine.refresh();
      ddl.setAutoCommit(autoCommit);
      var db = new EngineDriver(engine);
      Predicate<CollectingSink> oneRow = sink -> sink.rows().size() == 1;
      Predicate<EvitaException> begunAgain = failure -> failure.code() == ErrorCode.CATALOG_CHANGED;
      var reads = start(db, select(db, "CHANGING"), oneRow, begunAgain);
      // H2 itself may fail while it recreates the view, but must not omit the row.
      var seen = start(db, select(db, "SEEN"), oneRow, failure -> true);
      var updates = start(db, increment(db), sink -> sink.affected() == 1, begunAgain);
      try {
        for (int i = 0; i < CYCLES && wrong.isEmpty(); i++) {
          execute(ddl, "alter table changing add column more int default 7");
          execute(ddl, "alter table changing drop column more");
        }
      } finally {
        stopped.set(true);
        for (var client : List.of(reads, seen, updates)) {
          client.thread.join();
        }
      }
      assertThat(wrong).isEmpty();
    }
  }

  /** The objects read by a view may have no name of their own, or none that could be found. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "create view v as select x id from system_range(1, 3)",
        "create view v as select id from (select id from t where id > 0) d",
        "create view v as with c(id) as (select id from t) select id from c",
        "create view v as with recursive c(id) as (select 1 union all select id + 1 from c where id"
            + " < 3) select id from c",
        "create view v as select id from t union select id from t",
        "create view w as select id from t; create view v as select id from w",
        "create view v as select c1 id from (values (1), (2), (3))",
        "create view v as select * from unnest(array[1, 2, 3]) u(id)",
        "create view v as select table_name id from information_schema.tables fetch first 3 rows only",
        "create materialized view v as select id from t",
        "create local temporary table x(id int); create view v as select id from t"
      })
  void view_ofAnyObject_isRead(String script) throws SQLException {
    var url = "jdbc:h2:mem:" + UUID.randomUUID();
    try (var engine = JdbcEngine.open(url);
        var ddl = DriverManager.getConnection(url)) {
      execute(ddl, "create table t(id int primary key); insert into t values (1), (2), (3)");
      execute(ddl, script);
      engine.refresh();
      var db = new EngineDriver(engine);
      var select = Select.of(new TableName("PUBLIC", "V"), List.of(new Output.Column("ID")));
      assertThat(db.run(select, new Bindings().arguments(), null).rows()).hasSize(3);
    }
  }

  private static void execute(Connection connection, String sql) throws SQLException {
    try (var statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private static Select select(EngineDriver db, String table) {
    return Select.of(
        db.table(table), List.of(new Output.Column("ID"), new Output.Column("AMOUNT")));
  }

  private static Update increment(EngineDriver db) {
    var one = new Update.Change.Increment("AMOUNT", new Bindings().value(1));
    return new Update(db.table("CHANGING"), List.of(one), null, List.of());
  }

  /** Repeats one operation. */
  private record Client(Thread thread, AtomicInteger right) {}

  private Client start(
      EngineDriver db,
      Operation operation,
      Predicate<CollectingSink> expected,
      Predicate<EvitaException> mayFail) {
    var right = new AtomicInteger();
    var arguments = new Bindings();
    if (operation instanceof Update) {
      arguments.value(1);
    }
    var thread =
        Thread.ofPlatform()
            .start(() -> {
              while (!stopped.get()) {
                var sink = db.run(operation, arguments.arguments(), null);
                var failure = sink.failure();
                if (failure == null && expected.test(sink)) {
                  right.incrementAndGet();
                } else if (failure == null || !mayFail.test(failure)) {
                  wrong.add(operation + " was answered " + sink.rows() + ", " + failure);
                }
              }
            });
    return new Client(thread, right);
  }
}

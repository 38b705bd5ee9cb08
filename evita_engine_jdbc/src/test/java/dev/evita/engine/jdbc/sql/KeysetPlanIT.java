// SPDX-License-Identifier: Apache-2.0
package dev.evita.engine.jdbc.sql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evita.api.Catalog;
import dev.evita.api.Order;
import dev.evita.api.Output;
import dev.evita.api.Select;
import dev.evita.api.TableName;
import dev.evita.api.testkit.Bindings;
import dev.evita.engine.jdbc.JdbcEngine;
import dev.evita.engine.jdbc.dialect.Dialect;
import dev.evita.engine.jdbc.dialect.SqlText;
import dev.evita.engine.jdbc.h2.H2Dialect;
import dev.evita.engine.jdbc.postgresql.PostgresDialect;
import dev.evita.engine.jdbc.sqlite.SqliteDialect;
import dev.evita.testsupport.PostgresServer;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Keyset pagination seeks the position in an index, and visits no rows before it. */
final class KeysetPlanIT {

  private static final int ROWS = 20_000;

  /** A database, and the pattern of an index search in its plan. */
  enum Database {
    H2("(?s).*(parts_by_name|primary_key[_0-9]*): .*index sorted.*"),
    SQLITE("(?s).*search t0 using (covering index parts_by_name|integer primary key).*"),
    POSTGRES("(?s).*index (only )?scan.*index cond.*");

    private final String search;

    Database(String search) {
      this.search = search;
    }
  }

  @TempDir private Path directory;

  private String url(Database database) {
    return switch (database) {
      case H2 -> "jdbc:h2:mem:" + UUID.randomUUID();
      case SQLITE -> "jdbc:sqlite:" + directory.resolve("plan.db");
      case POSTGRES -> PostgresServer.start().createDatabase();
    };
  }

  private static void fill(Connection connection) throws SQLException {
    try (var statement = connection.createStatement()) {
      statement.execute("create table parts (id integer primary key, name varchar(20) not null)");
      statement.execute("create index parts_by_name on parts (name, id)");
    }
    connection.setAutoCommit(false);
    try (var insert = connection.prepareStatement("insert into parts values (?, ?)")) {
      for (int id = 0; id < ROWS; id++) {
        insert.setInt(1, id);
        insert.setString(2, "part " + id / 4);
        insert.addBatch();
      }
      insert.executeBatch();
    }
    connection.commit();
    connection.setAutoCommit(true);
    try (var statement = connection.createStatement()) {
      statement.execute("analyze");
    }
  }

  private static SqlText statement(
      JdbcEngine engine, Dialect dialect, Bindings bind, List<Order> order, List<Object> position) {
    Catalog catalog = engine.catalog();
    TableName table = catalog.tables().getFirst().name();
    var columns = catalog.tables().getFirst().columns();
    var terms =
        order.stream()
            .map(term -> {
              var wanted = ((Output.Column) term.value()).column();
              return columns.stream()
                  .map(column -> column.name())
                  .filter(name -> name.equalsIgnoreCase(wanted))
                  .map(name -> new Order(List.of(), name, term.direction(), term.nulls()))
                  .findFirst()
                  .orElseThrow();
            })
            .toList();
    var select =
        Select.of(table, List.of(new Output.Column(columns.getFirst().name())))
            .orderBy(terms)
            .limit(bind.value(11))
            .after(bind.values(position.toArray()));
    return new SelectCompiler(catalog, dialect).compile(select).all();
  }

  private static String plan(Connection connection, Database database, SqlText text, Bindings bind)
      throws SQLException {
    var explain = database == Database.SQLITE ? "explain query plan " : "explain ";
    var plan = new StringBuilder();
    try (var statement = connection.prepareStatement(explain + text.sql())) {
      text.bind(statement, bind.arguments(), null);
      try (var rows = statement.executeQuery()) {
        while (rows.next()) {
          plan.append(rows.getString(rows.getMetaData().getColumnCount())).append('\n');
        }
      }
    }
    return plan.toString().toLowerCase(Locale.ROOT);
  }

  @ParameterizedTest
  @EnumSource(Database.class)
  void page_byKeyOrIndexedColumn_seeksInTheIndex(Database database) throws SQLException {
    var url = url(database);
    Dialect dialect =
        switch (database) {
          case H2 -> H2Dialect.of(true);
          case SQLITE -> SqliteDialect.of();
          case POSTGRES -> PostgresDialect.of();
        };
    try (var connection = DriverManager.getConnection(url)) {
      fill(connection);
      try (var engine = JdbcEngine.open(url)) {
        for (var descending : List.of(false, true)) {
          var id = descending ? Order.descending("id") : Order.ascending("id");
          var name = descending ? Order.descending("name") : Order.ascending("name");
          requireSearch(connection, engine, database, dialect, List.of(id), List.of(9_999));
          requireSearch(
              connection,
              engine,
              database,
              dialect,
              List.of(name, id),
              List.of("part 2000", 8_001));
        }
      }
    }
  }

  private static void requireSearch(
      Connection connection,
      JdbcEngine engine,
      Database database,
      Dialect dialect,
      List<Order> order,
      List<Object> position)
      throws SQLException {
    var bind = new Bindings();
    var text = statement(engine, dialect, bind, order, position);
    assertThat(text.sql().toLowerCase(Locale.ROOT)).doesNotContain("offset");
    var plan = plan(connection, database, text, bind);
    assertThat(plan)
        .as("%s: %s", order, text.sql())
        .matches(database.search)
        .doesNotContain("use temp b-tree")
        .doesNotContain("tablescan")
        .doesNotContain("seq scan")
        .doesNotContain("sort key");
  }
}

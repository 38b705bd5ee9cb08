// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.graphql.queries;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evita.engine.jdbc.JdbcEngine;
import dev.evita.externalapi.graphql.Client;
import dev.evita.externalapi.graphql.plan.OracleIT;
import dev.evita.testsupport.PostgresServer;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Relay's connections over real databases. */
@ParameterizedClass
@EnumSource(ConnectionIT.Database.class)
final class ConnectionIT {

  /** Where the rows are. */
  enum Database {
    H2,
    SQLITE,
    POSTGRES
  }

  private static final List<String> SCRIPT =
      List.of(
          "create table makers (id int primary key, name varchar(20) not null)",
          "create table parts (id int primary key, name varchar(20) not null, weight decimal(9, 2),"
              + " size int, maker_id int references makers)",
          "create index parts_by_name on parts (name, id)",
          "create table logs (line varchar(20))",
          "create table codes (code varchar(20) not null unique, note varchar(20))",
          "create view heavy as select id, name from parts",
          "insert into makers values (1, 'Acme'), (2, 'Bolt'), (3, 'None')",
          "insert into codes values ('b', 'x'), ('a', null), ('c', 'x')");

  private final String url;
  private Connection connection;
  private JdbcEngine engine;
  private Client client;

  ConnectionIT(Database database, @TempDir Path directory) {
    this.url =
        switch (database) {
          case H2 -> "jdbc:h2:mem:" + UUID.randomUUID();
          case SQLITE -> "jdbc:sqlite:" + directory.resolve("parts.db");
          case POSTGRES -> PostgresServer.start().createDatabase();
        };
  }

  @BeforeEach
  void open() throws SQLException {
    connection = DriverManager.getConnection(url);
    for (var statement : SCRIPT) {
      execute(statement);
    }
    for (int id = 1; id <= 23; id++) {
      insert(id);
    }
    engine = JdbcEngine.open(url);
    client = new Client(engine);
  }

  private void insert(int id) {
    var weight = id % 4 == 0 ? "null" : id % 5 + ".25";
    var size = id % 3 == 0 ? "null" : String.valueOf(id % 7);
    var maker = id % 5 == 0 ? "null" : String.valueOf(id % 2 + 1);
    execute(
        "insert into parts values (%d, 'part %d', %s, %s, %s)"
            .formatted(id, id % 6, weight, size, maker));
  }

  private void execute(String sql) {
    try (var statement = connection.createStatement()) {
      statement.execute(sql);
    } catch (SQLException e) {
      throw new IllegalStateException(sql, e);
    }
  }

  @AfterEach
  void close() throws SQLException {
    client.close();
    engine.close();
    connection.close();
  }

  /** A page: its rows' ids, and its info. */
  private record Page(List<Object> ids, Map<String, Object> info) {}

  @SuppressWarnings("unchecked")
  private Page page(String arguments) {
    var answer =
        client.ask(
            "{ parts_connection("
                + arguments
                + ") { edges { node { id } } pageInfo { hasNextPage hasPreviousPage startCursor"
                + " endCursor } } }");
    var data = (Map<String, Object>) ((Map<String, Object>) parsed(answer)).get("data");
    assertThat(data).as("%s: %s", arguments, answer).isNotNull();
    var page = (Map<String, Object>) Objects.requireNonNull(data.get("parts_connection"));
    var ids = new ArrayList<Object>();
    for (var edge : (List<Map<String, Map<String, Object>>>) page.get("edges")) {
      ids.add(edge.get("node").get("id"));
    }
    return new Page(ids, (Map<String, Object>) page.get("pageInfo"));
  }

  private static @Nullable Object parsed(String json) {
    return OracleIT.parse(json);
  }

  private List<Object> list(String order) {
    return page("first: 1000, order_by: " + order).ids();
  }

  private List<Object> walk(String order, boolean backwards) {
    var ids = new ArrayList<Object>();
    var position = "";
    while (true) {
      var page = page((backwards ? "last" : "first") + ": 4, order_by: " + order + position);
      if (backwards) {
        ids.addAll(0, page.ids());
      } else {
        ids.addAll(page.ids());
      }
      assertThat(page.info().get(backwards ? "hasNextPage" : "hasPreviousPage"))
          .isEqualTo(!position.isEmpty());
      if (page.info().get(backwards ? "hasPreviousPage" : "hasNextPage").equals(false)) {
        return ids;
      }
      position =
          backwards
              ? ", before: \"" + page.info().get("startCursor") + "\""
              : ", after: \"" + page.info().get("endCursor") + "\"";
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{id: asc}",
        "{id: desc}",
        "[]",
        "{name: asc}",
        "{weight: asc}",
        "{weight: desc}",
        "{weight: asc_nulls_first, size: desc_nulls_last}",
        "{weight: desc_nulls_last, size: asc_nulls_first, id: desc}",
        "{maker: {name: asc}}",
        "{maker: {name: desc}, weight: asc}",
        "{maker: {parts_aggregate: {count: desc}}}",
        "{maker: {parts_aggregate: {avg: {weight: asc}}}}",
        "{maker: {parts_aggregate: {max: {name: desc}, sum: {size: asc}}}}",
      })
  void pages_inAnyOrder_areTheWholeListBothWays(String order) {
    var all = list(order);
    assertThat(all).hasSize(23).doesNotHaveDuplicates();
    assertThat(walk(order, false)).isEqualTo(all);
    assertThat(walk(order, true)).isEqualTo(all);
  }

  @Test
  void rows_insertedAndDeletedMeanwhile_neitherRepeatNorGetOthersLost() {
    var order = "{weight: desc}";
    var before = list(order);
    var ids = new ArrayList<Object>();
    var position = "";
    for (int round = 0; ; round++) {
      var page = page("first: 3, order_by: " + order + position);
      ids.addAll(page.ids());
      position = ", after: \"" + page.info().get("endCursor") + "\"";
      insert(100 + round);
      execute("delete from parts where id = " + page.ids().getLast());
      if (page.info().get("hasNextPage").equals(false)) {
        break;
      }
    }
    assertThat(ids).doesNotHaveDuplicates().containsAll(before);
  }

  @Test
  void between_twoCursors_returnsRowsBetweenThem() {
    var all = list("{weight: asc}");
    var first = page("first: 5, order_by: {weight: asc}").info().get("endCursor");
    var last = page("last: 6, order_by: {weight: asc}").info().get("startCursor");
    var between = "order_by: {weight: asc}, after: \"" + first + "\", before: \"" + last + "\"";
    assertThat(page(between).ids()).isEqualTo(all.subList(5, 17));
    assertThat(page(between + ", first: 3").ids()).isEqualTo(all.subList(5, 8));
    assertThat(page(between + ", last: 3").ids()).isEqualTo(all.subList(14, 17));
    assertThat(page(between + ", first: 5, last: 2").ids()).isEqualTo(all.subList(8, 10));
  }

  @Test
  void totalCount_countsWhatTheFilterLetsThrough() {
    assertThat(
            client.ask(
                "{ parts_connection(first: 1, where: {id: {_gt: 20}}) {"
                    + " totalCount nodes { id maker { name } } __typename } }"))
        .isEqualTo(
            """
            {"data":{"parts_connection":{"totalCount":3,\
            "nodes":[{"id":21,"maker":{"name":"Bolt"}}],"__typename":"partsConnection"}}}\
            """);
    assertThat(client.ask("{ parts_connection(where: {id: {_gt: 99}}) { totalCount } }"))
        .isEqualTo("{\"data\":{\"parts_connection\":{\"totalCount\":0}}}");
  }

  @Test
  void emptyPages_haveNoCursors() {
    assertThat(
            client.ask(
                "{ parts_connection(first: 0) { edges { cursor } pageInfo {"
                    + " startCursor endCursor hasNextPage hasPreviousPage } } }"))
        .isEqualTo(
            """
            {"data":{"parts_connection":{"edges":[],"pageInfo":{"startCursor":null,\
            "endCursor":null,"hasNextPage":true,"hasPreviousPage":false}}}}\
            """);
  }

  @Test
  void pages_withoutASize_haveAHundredRows() {
    for (int id = 200; id < 300; id++) {
      insert(id);
    }
    var page = page("order_by: {id: asc}");
    assertThat(page.ids()).hasSize(100);
    assertThat(page.info().get("hasNextPage")).isEqualTo(true);
  }

  @Test
  void variables_ofOneDocument_giveEachTheirPage() {
    var document =
        """
        query($first: Int, $last: Int, $after: String, $before: String) {
          parts_connection(first: $first, last: $last, after: $after, before: $before) {
            nodes { id } pageInfo { endCursor startCursor } } }
        """;
    var first = client.ask(document, "{\"first\": 2}");
    assertThat(first).contains("[{\"id\":1},{\"id\":2}]");
    var end = first.replaceAll(".*\"endCursor\":\"([^\"]*)\".*", "$1");
    assertThat(client.ask(document, "{\"first\": 2, \"after\": \"" + end + "\"}"))
        .contains("[{\"id\":3},{\"id\":4}]");
    assertThat(client.ask(document, "{\"last\": 2, \"before\": \"" + end + "\"}"))
        .contains("[{\"id\":1}]");
    assertThat(client.ask(document, "{\"last\": 2, \"after\": null}"))
        .contains("[{\"id\":22},{\"id\":23}]");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "first: -1 | first: -1 is not valid here",
        "last: -1 | last: -1 is not valid here",
        "after: \"xyz\" | after: 'xyz' is not a cursor; expected one from an earlier page",
        "before: \"\" | before: '' is not a cursor",
        "after: \"%s\", order_by: {name: asc} | after: this cursor belongs to another table or another",
        "after: \"%s\", order_by: {id: desc} | after: this cursor belongs to another table or another",
        "after: \"A%s\" | is not a cursor",
        "after: \"%sA\" | is not a cursor",
      })
  void arguments_thatAreWrong_areNamed(String arguments, String message) {
    var cursor = page("first: 1").info().get("endCursor");
    assertThat(
            client.ask(
                "{ parts_connection("
                    + arguments.replace("%s", String.valueOf(cursor))
                    + ") { nodes { id } } }"))
        .startsWith("{\"errors\"")
        .contains(message)
        .contains("\"code\":\"INVALID_VALUE\"");
  }

  @Test
  void modifiedCursors_areRejected() {
    var cursor = String.valueOf(page("first: 1").info().get("endCursor"));
    for (int i = 0; i < cursor.length() - 1; i++) {
      var letter = cursor.charAt(i) == 'B' ? 'C' : 'B';
      var changed = cursor.substring(0, i) + letter + cursor.substring(i + 1);
      assertThat(client.ask("{ parts_connection(after: \"" + changed + "\") { nodes { id } } }"))
          .as(changed)
          .contains("\"code\":\"INVALID_VALUE\"");
    }
  }

  @Test
  void cursors_ofAnotherTable_areRejected() {
    var cursor = page("first: 1").info().get("endCursor");
    assertThat(client.ask("{ makers_connection(after: \"" + cursor + "\") { nodes { id } } }"))
        .contains("to another table or another order")
        .contains("\"code\":\"INVALID_VALUE\"");
  }

  @Test
  void tables_withoutAKey_haveNoConnection() {
    assertThat(client.ask("{ logs_connection { totalCount } }")).contains("logs_connection");
    assertThat(client.ask("{ heavy_connection { totalCount } }")).contains("\"errors\"");
    assertThat(client.ask("{ codes_connection(first: 2) { nodes { code } } }"))
        .isEqualTo(
            "{\"data\":{\"codes_connection\":{\"nodes\":[{\"code\":\"a\"},{\"code\":\"b\"}]}}}");
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.graphql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evita.api.Engine;
import dev.evita.api.testkit.EngineDriver;
import dev.evita.engine.jdbc.JdbcEngine;
import dev.evita.testsupport.PostgresServer;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** SQLite stores any value in any column: values outside the column's type become null. */
final class StoredValueIT {

  private static final String ROWS =
      """
      create table boxes (id integer primary key, name text not null, weight integer);
      create table things (
        id integer primary key, box_id integer references boxes, size integer, count integer not null);
      insert into boxes values (1, 'one', 'heavy'), (2, 'two', 20), (3, 'three', 30);
      insert into things values (10, 1, 5, 1), (11, 1, 'big', 2), (12, 2, 'x', 3), (13, 3, 6, 'many');
      """;

  @TempDir private Path directory;
  private Engine engine;
  private Client client;

  @BeforeEach
  void open() {
    engine = JdbcEngine.open(url());
    var driver = new EngineDriver(engine);
    driver.script(ROWS);
    engine.refresh();
    client = new Client(engine);
  }

  private String url() {
    return "jdbc:sqlite:" + directory.resolve("values.db");
  }

  @AfterEach
  void close() {
    client.close();
    engine.close();
  }

  private static String error(String stored, String column, String path) {
    return """
    {"message":"'%s' stored in main.%s is not an integer from %d to %d",\
    "locations":[{"line":1,"column":3}],"path":[%s],\
    "extensions":{"code":"STORED_VALUE_INVALID","category":"EXTERNAL"}}\
    """
        .formatted(stored, column, Long.MIN_VALUE, Long.MAX_VALUE, path);
  }

  private static String weight(String path) {
    return error("heavy", "boxes.weight", path);
  }

  @Test
  void valueOfAList_isNull_andTheErrorLeadsThere() {
    assertThat(client.ask("{ boxes(order_by: {id: desc}) { id kg: weight name } }"))
        .isEqualTo(
            """
            {"data":{"boxes":[{"id":3,"kg":30,"name":"three"},{"id":2,"kg":20,"name":"two"},\
            {"id":1,"kg":null,"name":"one"}]},"errors":[%s]}\
            """
                .formatted(weight("\"boxes\",2,\"kg\"")));
  }

  @Test
  void valueOfARowByKey_isNull_andOtherFieldsGoOn() {
    assertThat(
            client.ask(
                "{ a: boxes_by_pk(id: 1) { weight name } b: boxes_by_pk(id: 2) { weight } }"))
        .isEqualTo(
            """
            {"data":{"a":{"weight":null,"name":"one"},"b":{"weight":20}},"errors":[%s]}\
            """
                .formatted(weight("\"a\",\"weight\"")));
  }

  @Test
  void valuesOfRelatedRows_areNull_withEachPlaceInThePath() {
    assertThat(
            client.ask(
                "{ boxes(order_by: {id: asc}, limit: 2) { weight things(order_by: {id: asc}) { size box {"
                    + " weight } } } }"))
        .isEqualTo(
            """
            {"data":{"boxes":[{"weight":null,"things":[{"size":5,"box":{"weight":null}},\
            {"size":null,"box":{"weight":null}}]},\
            {"weight":20,"things":[{"size":null,"box":{"weight":20}}]}]},"errors":[%s]}\
            """
                .formatted(
                    String.join(
                        ",",
                        weight("\"boxes\",0,\"weight\""),
                        weight("\"boxes\",0,\"things\",0,\"box\",\"weight\""),
                        error("big", "things.size", "\"boxes\",0,\"things\",1,\"size\""),
                        weight("\"boxes\",0,\"things\",1,\"box\",\"weight\""),
                        error("x", "things.size", "\"boxes\",1,\"things\",0,\"size\""))));
  }

  @Test
  void valueThatMustNotBeNull_takesTheNearestObjectThatMayBe() {
    var row = error("many", "things.count", "\"things_by_pk\",\"count\"");
    assertThat(client.ask("{ things_by_pk(id: 13) { id count } }"))
        .isEqualTo("{\"data\":{\"things_by_pk\":null},\"errors\":[" + row + "]}");
    var list = error("many", "things.count", "\"things\",3,\"count\"");
    assertThat(client.ask("{ things(order_by: {id: asc}) { id count } }"))
        .isEqualTo("{\"data\":null,\"errors\":[" + list + "]}");
    var below = error("many", "things.count", "\"boxes_by_pk\",\"things\",0,\"count\"");
    assertThat(client.ask("{ boxes_by_pk(id: 3) { name things { count } } }"))
        .isEqualTo("{\"data\":{\"boxes_by_pk\":null},\"errors\":[" + below + "]}");
  }

  @Test
  void objectThatMayBeNull_endsTheWayOfNull() throws SQLException {
    // Not through the engine, by which the foreign key would hold.
    try (var connection = DriverManager.getConnection(url());
        var statement = connection.createStatement()) {
      statement.execute(
          "create table labels (id integer primary key, thing_id int references things)");
      statement.execute("insert into labels values (1, 13), (2, 10), (3, 'none')");
    }
    engine.refresh();
    try (var fresh = new Client(engine)) {
      var fault = error("many", "things.count", "\"labels\",0,\"thing\",\"count\"");
      assertThat(fresh.ask("{ labels(order_by: {id: asc}) { id thing { id count } } }"))
          .isEqualTo(
              """
              {"data":{"labels":[{"id":1,"thing":null},{"id":2,"thing":{"id":10,"count":1}},\
              {"id":3,"thing":null}]},"errors":[%s]}\
              """
                  .formatted(fault));
    }
  }

  @Test
  void manyFaults_areCounted_notHeld() {
    new EngineDriver(engine)
        .script(
            """
            insert into boxes (id, name, weight)
            with recursive n(i) as (select 100 union all select i + 1 from n where i < 5099)
            select i, 'n', 'light' from n
            """);
    for (var nested : new String[] {"", " things { id }"}) {
      var answer = client.ask("{ boxes(where: {id: {_gte: 100}}) { weight" + nested + " } }");
      assertThat(answer)
          .startsWith("{\"data\":{\"boxes\":[{\"weight\":null")
          .contains("\"path\":[\"boxes\",99,\"weight\"]")
          .doesNotContain("\"path\":[\"boxes\",100,\"weight\"]")
          .contains("\"message\":\"4900 more stored values are not of their columns' types\"");
    }
  }

  /** PostgreSQL does not hold columns to the dimensions that they were declared with. */
  @Test
  void listOfAnotherDepth_isNull_andTheErrorLeadsThere() {
    try (var postgres = JdbcEngine.open(PostgresServer.start().createDatabase())) {
      new EngineDriver(postgres)
          .script(
              """
              create table grids (id int primary key, cells int[], deep int[][]);
              insert into grids values (1, '{{1,2},{3,4}}', '{{1}}'), (2, '{5}', '{6}'), (3, '{}', '{}')
              """);
      postgres.refresh();
      var error =
          """
          {"message":"A value stored in '%s' is not %s","locations":[{"line":1,"column":3}],\
          "path":["grids",%d,"%1$s"],\
          "extensions":{"code":"STORED_VALUE_INVALID","category":"EXTERNAL"}}\
          """;
      var list = "a list, each an integer from -2147483648 to 2147483647";
      try (var asking = new Client(postgres)) {
        assertThat(asking.ask("{ grids(order_by: {id: asc}) { id cells deep } }"))
            .isEqualTo(
                """
                {"data":{"grids":[{"id":1,"cells":null,"deep":[[1]]},{"id":2,"cells":[5],"deep":null},\
                {"id":3,"cells":[],"deep":[]}]},"errors":[%s,%s]}\
                """
                    .formatted(
                        error.formatted("cells", list, 0),
                        error.formatted("deep", "a list, each " + list, 1)));
      }
    }
  }
}

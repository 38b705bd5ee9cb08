// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.rest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evita.externalapi.core.Limits;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Routines as resources, over the databases that have them. */
@ParameterizedClass
@ValueSource(strings = {"h2", "postgresql"})
public final class CallIT {

  private static final String OF_POSTGRES =
      """
      create function price_with_tax(p1 numeric, p2 numeric) returns numeric language sql immutable
        as 'select round(p1 * (1 + p2 / 100), 2)';
      create function cheapest(p1 int) returns table (id int, name varchar) language sql stable
        as 'select id, name from products where price > 0 order by price, id
        limit p1';
      create function add_brand(p1 int, p2 varchar) returns int language plpgsql as
        $$ begin insert into brands (id, name) values (p1, p2); if p2 = 'forbidden' then
        raise exception 'Not this brand: %', p2; end if; return p1; end $$;
      create procedure forget_prices() language sql as 'delete from prices';
      """;

  @Parameter private String kind = "";
  private RestServer rest;

  @BeforeEach
  void open() {
    rest = RestServer.over(kind, RestServer.SHOP + routines(kind), Limits.DEFAULT);
  }

  /** SQL that makes them. */
  static String routines(String kind) {
    return kind.equals("h2")
        ? alias("price_with_tax", "deterministic", "tax")
            + alias("cheapest", "deterministic", "cheapest")
            + alias("add_brand", "", "addBrand")
            + alias("forget_prices", "", "forgetPrices")
        : OF_POSTGRES;
  }

  private static String alias(String name, String kind, String method) {
    return "create alias %s %s for '%s.%s';\n"
        .formatted(name, kind, CallIT.class.getName(), method);
  }

  /** An alias of H2. */
  public static BigDecimal tax(BigDecimal price, BigDecimal percent) {
    var factor = percent.movePointLeft(2).add(BigDecimal.ONE);
    return price.multiply(factor).setScale(2, RoundingMode.HALF_UP);
  }

  /** An alias of H2. */
  public static ResultSet cheapest(Connection connection, int limit) throws SQLException {
    var statement =
        connection.prepareStatement(
            "select id, name from products where price > 0 order by price, id limit ?");
    statement.setInt(1, limit);
    return statement.executeQuery();
  }

  /** An alias of H2. */
  public static int addBrand(Connection connection, int id, String name) throws SQLException {
    try (var insert = connection.prepareStatement("insert into brands (id, name) values (?, ?)")) {
      insert.setInt(1, id);
      insert.setString(2, name);
      insert.executeUpdate();
    }
    if (name.equals("forbidden")) {
      throw new IllegalArgumentException("Not this brand: " + name);
    }
    return id;
  }

  /** An alias of H2. */
  public static void forgetPrices(Connection connection) throws SQLException {
    try (var statement = connection.createStatement()) {
      statement.execute("delete from prices");
    }
  }

  @AfterEach
  void close() {
    rest.close();
  }

  @Test
  void get_ofAPlainValue_answersIt() {
    var answer = rest.send("GET", "/rpc/price_with_tax?p1=100&p2=19");
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    assertThat(answer.body()).isEqualTo("119.00");
    var tag = answer.headers().firstValue("etag").orElseThrow();
    assertThat(
            rest.send("GET", "/rpc/price_with_tax?p1=100&p2=19", "If-None-Match", tag).statusCode())
        .isEqualTo(304);
  }

  @Test
  void post_ofAPlainValue_answersIt() {
    var answer = rest.write("POST", "/rpc/price_with_tax", "{\"p1\":100,\"p2\":\"19\"}");
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    assertThat(answer.body()).isEqualTo("119.00");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "/rpc/cheapest?p1=2               | [{'id':2,'name':'Rope'},{'id':1,'name':'Anvil'}]",
        "/rpc/cheapest?p1=2&select=name   | [{'name':'Rope'},{'name':'Anvil'}]",
        "/rpc/cheapest?p1=2&select=n:id::text | [{'n':'2'},{'n':'1'}]",
        "/rpc/cheapest?p1=3&limit=1&offset=1  | [{'id':1,'name':'Anvil'}]",
        "/rpc/cheapest?p1=0               | []",
      })
  void get_ofRows_answersThem(String target, String rows) {
    assertThat(rest.get(target)).isEqualTo(rows.replace('\'', '"'));
  }

  @Test
  void otherForms_areAnsweredAsOfTables() {
    assertThat(rest.get("/rpc/cheapest?p1=1", "Accept", "text/csv"))
        .isEqualTo("id,name\r\n2,Rope\r\n");
    assertThat(rest.get("/rpc/cheapest?p1=2", "Accept", "application/x-ndjson"))
        .isEqualTo("{\"id\":2,\"name\":\"Rope\"}\n{\"id\":1,\"name\":\"Anvil\"}\n");
    assertThat(rest.get("/rpc/cheapest?p1=1", "Accept", "application/vnd.pgrst.object+json"))
        .isEqualTo("{\"id\":2,\"name\":\"Rope\"}");
    assertThat(
            rest.send("GET", "/rpc/cheapest?p1=2", "Accept", "application/vnd.pgrst.object+json")
                .statusCode())
        .isEqualTo(406);
  }

  @Test
  void post_thatWrites_isCommitted_andItsFailureUndone() {
    assertThat(rest.write("POST", "/rpc/add_brand", "{\"p1\":7,\"p2\":\"N\"}").body())
        .isEqualTo("7");
    assertThat(rest.get("/brands?id=eq.7&select=name")).isEqualTo("[{\"name\":\"N\"}]");

    var failed = rest.write("POST", "/rpc/add_brand", "{\"p1\":8,\"p2\":\"forbidden\"}");
    assertThat(failed.statusCode()).isEqualTo(400);
    assertThat(failed.body()).contains("\"code\":\"P0001\"").contains("Not this brand: forbidden");
    assertThat(rest.get("/brands?id=eq.8")).isEqualTo("[]");
  }

  @Test
  void post_thatAnswersNothing_is204() {
    var answer = rest.write("POST", "/rpc/forget_prices", "");
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(204);
    assertThat(rest.get("/prices")).isEqualTo("[]");
  }

  @Test
  void inABatch_andOnce() {
    var body =
        "{\"requests\":[{\"id\":\"a\",\"method\":\"POST\",\"url\":\"rpc/add_brand\",\"body\":{\"p1\":9,"
            + "\"p2\":\"N\"}},{\"method\":\"GET\",\"url\":\"brands?id=eq.9&select=name\"}]}";
    var first = rest.write("POST", "/$batch", body, "Idempotency-Key", "k");
    assertThat(first.body()).contains("\"body\":9").contains("[{\"name\":\"N\"}]");
    assertThat(rest.write("POST", "/$batch", body, "Idempotency-Key", "k").body())
        .isEqualTo(first.body());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "GET  | /rpc/add_brand?p1=1&p2=x      | 405 | PGRST101",
        "PUT  | /rpc/cheapest                 | 405 | PGRST101",
        "GET  | /rpc/nothing                  | 404 | PGRST202",
        "GET  | /rpc/cheapest                 | 404 | There is cheapest(p1)",
        "GET  | /rpc/cheapest?p1=1&p9=2       | 404 | PGRST202",
        "GET  | /rpc/cheapest?p1=x            | 400 | 22P02",
        "GET  | /rpc/cheapest?p1=1&p1=2       | 400 | given twice",
        "GET  | /rpc/cheapest?p1=1&order=id   | 400 | 0A000",
        "GET  | /rpc/cheapest?p1=1&limit=x    | 400 | PGRST100",
        "GET  | /rpc/cheapest?p1=1&select=no  | 400 | 42703",
        "GET  | /rpc/cheapest?p1=1&select=brands(id) | 400 | 0A000",
        "POST | /rpc/cheapest?p1=1            | 400 | 0A000",
        "POST | /rpc/cheapest                 | 404 | PGRST202",
        "GET  | /rpc/                         | 404 | PGRST202",
        "GET  | /rpc                          | 404 | PGRST205",
      })
  void mistakes_areExplained(String method, String target, int status, String message) {
    var answer = rest.send(method, target);
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(status);
    assertThat(answer.body()).contains(message);
  }

  @ParameterizedTest
  @ValueSource(strings = {"[1]", "7", "{\"p1\":\"x\"}", "{\"p1\":1.5}", "{"})
  void bodiesThatAreNoArguments_areRefused(String body) {
    assertThat(rest.write("POST", "/rpc/cheapest", body).statusCode()).isEqualTo(400);
  }
}

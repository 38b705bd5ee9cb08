// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.rest.routines;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evita.externalapi.core.limits.Limits;
import dev.evita.externalapi.rest.RestServer;
import java.util.List;
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
@ValueSource(strings = {"h2", "postgresql", "later"})
final class CallIT {

  @Parameter private String kind = "";
  private RestServer rest;

  @BeforeEach
  void open() {
    rest = RestServer.over(kind, RestServer.SHOP + RestServer.routines(kind), Limits.DEFAULT);
  }

  @AfterEach
  void close() {
    rest.close();
  }

  @Test
  void get_ofAScalarFunction_returnsIt() {
    var answer = rest.send("GET", "/rpc/price_with_tax?p1=100&p2=19");
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    assertThat(answer.body()).isEqualTo("119.00");
    var tag = answer.headers().firstValue("etag").orElseThrow();
    assertThat(
            rest.send("GET", "/rpc/price_with_tax?p1=100&p2=19", "If-None-Match", tag).statusCode())
        .isEqualTo(304);
  }

  @Test
  void post_ofAScalarFunction_returnsIt() {
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
        "/rpc/cheapest?p1=3&id=gt.1&order=name.desc | [{'id':2,'name':'Rope'},{'id':3,'name':'Cube'}]",
        "/rpc/cheapest?p1=3&or=(id.eq.1,name.like.C*)&order=id&select=name | [{'name':'Anvil'},{'name':'Cube'}]",
        "/rpc/cheapest?p1=3&name=not.in.(Rope,Cube) | [{'id':1,'name':'Anvil'}]",
        "/rpc/cheapest?p1=3&order=id.desc&limit=1&select=x:id::text | [{'x':'3'}]",
        "/rpc/cheapest?p1=3&select=count(),id.max() | [{'count':3,'max':3}]",
        "/rpc/cheapest?p1=3&select=count()&limit=1&order=id | [{'count':3}]",
        "/rpc/cheapest?p1=3&select=count()&offset=1 | []",
      })
  void get_ofRows_returnsThem(String target, String rows) {
    assertThat(rest.get(target)).isEqualTo(rows.replace('\'', '"'));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "/rpc/cheapest?p1=3                 | count=exact | 0-2/3 | 200 | [{'id':2},{'id':1},{'id':3}]",
        "/rpc/cheapest?p1=3&limit=1         | count=exact | 0-0/3 | 206 | [{'id':2}]",
        "/rpc/cheapest?p1=3&limit=1         | tx=commit   | 0-0/* | 200 | [{'id':2}]",
        "/rpc/cheapest?p1=3&id=lt.3&order=id&limit=1&offset=1 | count=exact | 1-1/2 | 206 | [{'id':2}]",
        "/rpc/cheapest?p1=3&id=gt.9         | count=exact | */0   | 200 | []",
        "/rpc/cheapest?p1=3&offset=7        | count=exact | */3   | 416 | -",
      })
  void rows_areCounted(String target, String preference, String range, int status, String ids) {
    var query = target + "&select=id";
    var get = rest.send("GET", query, "Prefer", preference);
    assertThat(get.statusCode()).as(get.body()).isEqualTo(status);
    assertThat(get.headers().firstValue("content-range")).hasValue(range);
    var rows = query.replace("?p1=3&", "?");
    var post = rest.write("POST", rows, "{\"p1\":3}", "Prefer", preference);
    assertThat(post.statusCode()).as(post.body()).isEqualTo(status);
    if (status < 300) {
      assertThat(get.body()).isEqualTo(ids.replace('\'', '"'));
      assertThat(post.body()).isEqualTo(get.body());
      assertThat(post.headers().firstValue("content-range")).hasValue(range);
      assertThat(get.headers().firstValue("preference-applied").isPresent())
          .isEqualTo(preference.startsWith("count"));
    }
  }

  @Test
  void otherFormats_areReturnedAsForTables() {
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
  void post_thatWrites_commits_andRollsBackOnFailure() {
    assertThat(rest.write("POST", "/rpc/add_brand", "{\"p1\":7,\"p2\":\"N\"}").body())
        .isEqualTo("7");
    assertThat(rest.get("/brands?id=eq.7&select=name")).isEqualTo("[{\"name\":\"N\"}]");

    var failed = rest.write("POST", "/rpc/add_brand", "{\"p1\":8,\"p2\":\"forbidden\"}");
    assertThat(failed.statusCode()).isEqualTo(400);
    assertThat(failed.body()).contains("\"code\":\"P0001\"").contains("Not this brand: forbidden");
    assertThat(rest.get("/brands?id=eq.8")).isEqualTo("[]");
  }

  @ParameterizedTest
  @ValueSource(strings = {"GET", "HEAD"})
  void get_ofARoutineThatWrites_changesNothing(String method) {
    for (var target : List.of("/rpc/add_brand?p1=7&p2=x", "/rpc/forget_prices")) {
      var answer = rest.send(method, target);
      assertThat(answer.statusCode()).as(answer.body()).isEqualTo(405);
      assertThat(answer.headers().firstValue("allow")).hasValue("POST");
    }
    assertThat(rest.get("/brands?id=eq.7")).isEqualTo("[]");
    assertThat(rest.get("/prices?select=count()")).isEqualTo("[{\"count\":3}]");
  }

  @Test
  void batch_getOfARoutineThatMayWrite_isRejected() {
    var body = "{\"requests\":[{\"method\":\"GET\",\"url\":\"rpc/add_brand?p1=7&p2=x\"}]}";
    var answer = rest.write("POST", "/$batch", body);
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(405);
    assertThat(answer.body()).contains("PGRST101");
    assertThat(rest.get("/brands?id=eq.7")).isEqualTo("[]");
  }

  @Test
  void post_withoutResult_is204() {
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
        "GET  | /rpc/add_brand?p1=7&p2=x      | 405 | 25006",
        "GET  | /rpc/forget_prices            | 405 | 25006",
        "PUT  | /rpc/cheapest                 | 405 | PGRST101",
        "GET  | /rpc/nothing                  | 404 | PGRST202",
        "GET  | /rpc/cheapest                 | 404 | There is cheapest(p1)",
        "GET  | /rpc/cheapest?p1=1&p9=2       | 404 | PGRST202",
        "GET  | /rpc/cheapest?p1=x            | 400 | 22P02",
        "GET  | /rpc/cheapest?p1=1&p1=2       | 400 | occurs twice",
        "GET  | /rpc/price_with_tax?p1=1&p2=1&order=id | 400 | 0A000",
        "GET  | /rpc/cheapest?p1=1&order=no   | 400 | 42703",
        "GET  | /rpc/cheapest?p1=1&id=eq.x    | 400 | 22P02",
        "GET  | /rpc/cheapest?p1=1&id=2       | 400 | PGRST100",
        "GET  | /rpc/cheapest?p1=1&select=id,count() | 400 | 0A000",
        "GET  | /rpc/cheapest?p1=1&limit=x    | 400 | PGRST100",
        "GET  | /rpc/cheapest?p1=1&select=no  | 400 | 42703",
        "GET  | /rpc/cheapest?p1=1&select=brands(id) | 400 | PGRST200",
        "POST | /rpc/cheapest?p1=1            | 400 | PGRST100",
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
  void invalidArgumentBodies_areRejected(String body) {
    assertThat(rest.write("POST", "/rpc/cheapest", body).statusCode()).isEqualTo(400);
  }
}

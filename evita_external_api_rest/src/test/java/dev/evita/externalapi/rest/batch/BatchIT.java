// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.rest.batch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evita.externalapi.rest.RestServer;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Several requests in one, on every database. */
@ParameterizedClass
@ValueSource(strings = {"h2", "sqlite", "postgresql", "later"})
final class BatchIT {

  @Parameter private String kind = "";
  private RestServer rest;

  @BeforeEach
  void open() {
    rest = RestServer.shop(kind);
  }

  @AfterEach
  void close() {
    rest.close();
  }

  private HttpResponse<String> batch(String requests, String... headers) {
    return rest.write(
        "POST", "/$batch", "{\"requests\":[" + requests.replace('\'', '"') + "]}", headers);
  }

  @Test
  void batch_ofReadsAndWrites_seesItsOwn() {
    var answer =
        batch(
            """
            {'method':'POST','url':'brands','body':{'id':4,'name':'N'}},
            {'id':'read','method':'GET','url':'/brands?id=gte.3&select=id,name&order=id'},
            {'id':'change','method':'PATCH','url':'/rest/brands?id=eq.4&select=name',
             'headers':{'prefer':'return=representation'},'body':{'name':'M'}},
            {'id':'gone','method':'DELETE','url':'trips?id=eq.2'}
            """);
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    assertThat(answer.body())
        .contains("{\"id\":\"0\",\"status\":201,")
        .contains("\"body\":[{\"id\":3,\"name\":\"Zeta\"},{\"id\":4,\"name\":\"N\"}]}")
        .contains("{\"id\":\"change\",\"status\":200,")
        .contains("\"body\":[{\"name\":\"M\"}]}")
        .contains("{\"id\":\"gone\",\"status\":204,");
    assertThat(rest.get("/brands?select=name&id=eq.4")).isEqualTo("[{\"name\":\"M\"}]");
    assertThat(rest.get("/trips?select=id")).isEqualTo("[{\"id\":1}]");
  }

  @Test
  void laterRequests_referToEarlierResults() {
    var answer =
        batch(
            """
            {'id':'b','method':'POST','url':'brands?select=id,name',
             'body':[{'id':10,'name':'Ten'},{'id':11,'name':'Eleven & more'}]},
            {'id':'p','method':'POST','url':'products',
             'body':[{'id':20,'brand_id':{'$ref':'b.id'},'name':{'$ref':'b[1].name'},'active':true}]},
            {'id':'r','method':'GET',
             'url':'products?brand_id=eq.${b.id}&name=eq.${b[1].name}&select=id,name,brand(name)'}
            """);
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    assertThat(answer.body())
        .contains("\"body\":[{\"id\":20,\"name\":\"Eleven & more\",\"brand\":{\"name\":\"Ten\"}}]")
        .doesNotContain("\"body\":[{\"id\":10");
  }

  @Test
  void page_linksToTheNext() {
    var answer = batch("{'id':'p','method':'GET','url':'products?select=id&order=id&limit=2'}");
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    var link = answer.body().replaceAll(".*\"Link\":\"<([^>]*)>; rel=.*", "$1");
    assertThat(link).startsWith("/rest/products?select=id&order=id&limit=2&$after=");
    var next = batch("{'method':'GET','url':'" + link + "'}");
    assertThat(next.body()).contains("\"body\":[{\"id\":3},{\"id\":4}]").doesNotContain("Link");
  }

  @Test
  void failure_rollsBack_andNamesTheRequest() {
    var answer =
        batch(
            """
            {'id':'good','method':'POST','url':'brands','body':{'id':4,'name':'N'}},
            {'id':'bad','method':'POST','url':'products','body':{'id':9,'brand_id':99,'name':'x','active':true}}
            """);
    assertThat(answer.statusCode()).isEqualTo(409);
    assertThat(answer.body()).contains("\"code\":\"23503\"").contains("\"request\":\"bad\"");
    assertThat(rest.get("/brands?id=eq.4")).isEqualTo("[]");
  }

  @Test
  void rollback_returnsTheResponseOfACommit() {
    var answer =
        batch(
            "{'method':'POST','url':'brands','body':{'id':4,'name':'N'}}", "Prefer", "tx=rollback");
    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(rest.get("/brands?id=eq.4")).isEqualTo("[]");
  }

  @Test
  void conditions_holdForAllOfIt() {
    var tag = rest.send("GET", "/brands?id=eq.1").headers().firstValue("etag").orElseThrow();
    var requests =
        """
        {'method':'POST','url':'brands','body':{'id':%d,'name':'N'}},
        {'id':'guarded','method':'PATCH','url':'brands?id=eq.1','headers':{'If-Match':'%s'},'body':{'founded':1}}
        """;
    var quoted = tag.replace("\"", "\\\"");
    assertThat(batch(requests.formatted(4, quoted)).statusCode()).isEqualTo(200);
    var second = batch(requests.formatted(5, quoted));
    assertThat(second.statusCode()).isEqualTo(412);
    assertThat(second.body()).contains("\"request\":\"guarded\"");
    assertThat(rest.get("/brands?id=gte.4&select=id")).isEqualTo("[{\"id\":4}]");
  }

  @Test
  void repeated_withItsKey_isExecutedOnce() {
    var request = "{'method':'POST','url':'brands','body':{'id':4,'name':'N'}}";
    var first = batch(request, "Idempotency-Key", "k");
    var second = batch(request, "Idempotency-Key", "k");
    assertThat(first.statusCode()).isEqualTo(200);
    assertThat(second.statusCode()).isEqualTo(200);
    assertThat(second.body()).isEqualTo(first.body());
  }

  @Test
  void csvInAndOut_areTexts() {
    var answer =
        batch(
            """
            {'method':'POST','url':'brands','headers':{'Content-Type':'text/csv'},'body':'id,name\\n4,N\\n'},
            {'method':'GET','url':'brands?id=eq.4&select=id,name','headers':{'Accept':'text/csv'}}
            """);
    assertThat(answer.body()).contains("\"body\":\"id,name\\r\\n4,N\\r\\n\"");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{'method':'GET'}                                              | 400 | has no url",
        "{'method':'get','url':'brands'}                               | 400 | has no method",
        "{'method':'HEAD','url':'brands'}                              | 400 | has no method",
        "{'url':'brands'}                                              | 400 | has no method",
        "7                                                             | 400 | is no object",
        "{'method':'GET','url':'brands','x':1}                         | 400 | the member 'x'",
        "{'method':'GET','url':'brands','headers':{'a':1}}             | 400 | is no text",
        "{'method':'GET','url':'brands','headers':[]}                  | 400 | are no object",
        "{'method':'GET','url':'nothing'}                              | 404 | PGRST205",
        "{'method':'GET','url':'a/b'}                                  | 404 | PGRST125",
        "{'method':'GET','url':'$batch'}                               | 404 | PGRST205",
        "{'method':'GET','url':'brands?id=eq.x'}                       | 400 | 22P02",
        "{'method':'GET','url':'brands?id=eq.${a.id}'}                 | 400 | no earlier request",
        "{'method':'GET','url':'brands?id=eq.${a}'}                    | 400 | is no reference",
        "{'method':'POST','url':'brands','body':{'id':{'$ref':'0.id'}}}| 400 | no earlier request",
        "{'id':'a','method':'GET','url':'brands'},{'id':'a','method':'GET','url':'brands'} | 400 | Two requests",
        "{'id':'a','method':'GET','url':'brands'},{'method':'GET','url':'brands?id=eq.${a.no}'} | 400 | There is no 'a.no'",
        "{'id':'a','method':'GET','url':'brands?id=eq.3'},{'method':'GET','url':'brands?id=eq.${a.founded}'} | 400 | is null",
        "{'id':'a','method':'GET','url':'brands?id=eq.99'},{'method':'GET','url':'brands?id=eq.${a.id}'} | 400 | There is no 'a.id'",
      })
  void mistakes_areExplained(String requests, int status, String message) {
    var answer = batch(requests);
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(status);
    assertThat(answer.body()).contains(message);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "[]",
        "{}",
        "{\"requests\":1}",
        "{\"requests\":[]",
        "{\"requests\":[],\"x\":1}"
      })
  void invalidBatchBodies_areRejected(String body) {
    assertThat(rest.write("POST", "/$batch", body).statusCode()).isEqualTo(400);
  }

  @Test
  void otherMethods_areRejected() {
    assertThat(rest.write("PUT", "/$batch", "{}").statusCode()).isEqualTo(405);
  }

  @Test
  void tooMany_areRefused() {
    var one = "{'method':'GET','url':'brands'}";
    var answer = batch(one + ("," + one).repeat(100));
    assertThat(answer.statusCode()).isEqualTo(400);
    assertThat(answer.body()).contains("BATCH_TOO_LARGE").contains("101 requests");
    assertThat(batch("").body()).isEqualTo("{\"responses\":[]}");
  }

  /** What was stored is a value, and never a piece of a filter. */
  @Test
  void references_stayOneValue() {
    var name = "x,id.gt.0) & \\\\ \\\"y\\\"";
    rest.write("POST", "/tags", "{\"id\":100,\"name\":\"" + name + "\"}");
    for (var filter :
        new String[] {
          "name=eq.${a.name}",
          "and=(id.gt.0,or(name.eq.${a.name}))",
          "name=in.(${a.name})",
          "or=(name.in.(${a.name},no),id.eq.77)",
          "name=eq(any).{${a.name}}",
        }) {
      var answer =
          batch(
              "{'id':'a','method':'GET','url':'tags?id=eq.100'},"
                  + "{'method':'GET','url':'tags?select=id&"
                  + filter
                  + "'}");
      assertThat(answer.body()).as(filter).endsWith("\"body\":[{\"id\":100}]}]}");
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "tags?select=${a.name}        | is not within the value of a filter",
        "tags?${a.name}=eq.1          | is not within the value of a filter",
        "${a.name}?id=eq.1            | is not within the value of a filter",
      })
  void references_elsewhere_areRejected(String url, String message) {
    var answer =
        batch(
            "{'id':'a','method':'GET','url':'tags?id=eq.1'},{'method':'GET','url':'" + url + "'}");
    assertThat(answer.statusCode()).isEqualTo(400);
    assertThat(answer.body()).contains(message);
  }

  @Test
  void whatHoldsForAll_isRefusedAtOne() {
    var one = "{'method':'POST','url':'tags','body':{'id':9,'name':'n'},'headers':{%s}}";
    assertThat(batch(one.formatted("'Prefer':'tx=rollback'")).statusCode()).isEqualTo(400);
    assertThat(batch(one.formatted("'idempotency-key':'k'")).statusCode()).isEqualTo(400);
    var most = "handling=strict,max-affected=0";
    assertThat(batch(one.formatted(""), "Prefer", most).statusCode()).isEqualTo(400);
    assertThat(rest.get("/tags?id=eq.9")).isEqualTo("[]");
  }
}

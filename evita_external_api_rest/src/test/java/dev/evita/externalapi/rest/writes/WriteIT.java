// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.rest.writes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evita.externalapi.core.limits.Limits;
import dev.evita.externalapi.rest.RestOptions;
import dev.evita.externalapi.rest.RestServer;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Writes follow PostgREST's documentation on every database. */
@ParameterizedClass
@ValueSource(strings = {"h2", "sqlite", "postgresql", "later"})
final class WriteIT {

  private static final String REPRESENTATION = "return=representation";

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

  private HttpResponse<String> send(
      String method, String target, String prefer, String type, String body) {
    var request =
        HttpRequest.newBuilder(rest.escapedUri(target))
            .header("Content-Type", type)
            .method(method, HttpRequest.BodyPublishers.ofString(body));
    if (!prefer.isEmpty()) {
      request.header("Prefer", prefer);
    }
    return rest.send(request.build());
  }

  private HttpResponse<String> send(String method, String target, String prefer, String body) {
    return send(method, target, prefer, "application/json", body);
  }

  private String brands() {
    return rest.get("/brands?select=id,name,founded&order=id", "Accept", "text/csv");
  }

  private static final String UNCHANGED =
      "id,name,founded\r\n1,Acme,1920\r\n2,Borg,2365\r\n3,Zeta,\r\n";

  @Test
  void post_ofAnObject_isThere() {
    var answer = send("POST", "/brands", "", "{\"id\":4,\"name\":\"Node\"}");
    assertThat(answer.statusCode()).isEqualTo(201);
    assertThat(answer.body()).isEmpty();
    assertThat(brands()).isEqualTo(UNCHANGED + "4,Node,\r\n");
  }

  @Test
  void post_ofMany_returnsTheRequestedRepresentation() {
    var body =
        "[{\"id\":4,\"name\":\"N\",\"founded\":1},{\"id\":5,\"name\":\"M\",\"founded\":null}]";
    var answer = send("POST", "/brands?select=n:name,id", REPRESENTATION, body);
    assertThat(answer.statusCode()).isEqualTo(201);
    assertThat(answer.body()).isEqualTo("[{\"n\":\"N\",\"id\":4},{\"n\":\"M\",\"id\":5}]");
    assertThat(answer.headers().firstValue("preference-applied")).hasValue(REPRESENTATION);
  }

  @Test
  void post_returnsRelatedRows() {
    var body = "{\"id\":9,\"brand_id\":2,\"name\":\"New\",\"active\":true}";
    var answer = send("POST", "/products?select=id,brands(name)", REPRESENTATION, body);
    assertThat(answer.body()).isEqualTo("[{\"id\":9,\"brands\":{\"name\":\"Borg\"}}]");
  }

  @Test
  void post_headersOnly_returnsTheLocation() {
    var answer = send("POST", "/brands", "return=headers-only", "{\"id\":4,\"name\":\"N\"}");
    assertThat(answer.statusCode()).isEqualTo(201);
    assertThat(answer.headers().firstValue("location")).hasValue("/rest/brands?id=eq.4");
  }

  @Test
  void post_ofCsv_readsQuotesAndNull() {
    var answer =
        send(
            "POST",
            "/brands",
            "",
            "text/csv",
            "id,name,founded\n4,\"a \"\"b\"\", c\",NULL\n5,M,7\n");
    assertThat(answer.statusCode()).isEqualTo(201);
    assertThat(brands()).isEqualTo(UNCHANGED + "4,\"a \"\"b\"\", c\",\r\n5,M,7\r\n");
  }

  @Test
  void post_ofColumns_leavesOutTheOthers() {
    var body = "[{\"id\":4,\"name\":\"N\",\"founded\":5},{\"name\":\"M\",\"id\":5,\"junk\":1}]";
    assertThat(send("POST", "/brands?columns=id,name", "", body).statusCode()).isEqualTo(201);
    assertThat(brands()).isEqualTo(UNCHANGED + "4,N,\r\n5,M,\r\n");
  }

  @Test
  void post_ofWhatExists_isMergedOrIgnored() {
    var body = "[{\"id\":1,\"name\":\"New\"},{\"id\":4,\"name\":\"N\"}]";
    var plain = send("POST", "/brands", "", body);
    assertThat(plain.statusCode()).isEqualTo(409);
    assertThat(plain.body()).contains("\"code\":\"23505\"");
    assertThat(brands()).isEqualTo(UNCHANGED);
    send("POST", "/brands", "resolution=ignore-duplicates", body);
    assertThat(brands()).isEqualTo(UNCHANGED + "4,N,\r\n");
    send("POST", "/brands?on_conflict=id", "resolution=merge-duplicates", body);
    assertThat(brands()).isEqualTo(UNCHANGED.replace("Acme", "New") + "4,N,\r\n");
  }

  @Test
  void patch_changesMatchingRows() {
    var answer =
        send("PATCH", "/brands?id=gt.1&select=id&order=id", REPRESENTATION, "{\"founded\":7}");
    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.body()).contains("{\"id\":2}", "{\"id\":3}");
    assertThat(answer.headers().firstValue("content-range")).hasValue("0-1/*");
    var silent = send("PATCH", "/brands?id=eq.1", "", "{\"founded\":null}");
    assertThat(silent.statusCode()).isEqualTo(204);
    assertThat(brands()).isEqualTo("id,name,founded\r\n1,Acme,\r\n2,Borg,7\r\n3,Zeta,7\r\n");
  }

  @Test
  void delete_removesMatchingRows() {
    assertThat(send("DELETE", "/trips?id=gt.0", "", "").statusCode()).isEqualTo(204);
    var answer = send("DELETE", "/brands?id=eq.3&select=name", REPRESENTATION, "");
    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.body()).isEqualTo("[{\"name\":\"Zeta\"}]");
    var referred = send("DELETE", "/brands?id=eq.1", "", "");
    assertThat(referred.statusCode()).isEqualTo(409);
    assertThat(referred.body()).contains("\"code\":\"23503\"");
  }

  @Test
  void put_addsOrReplacesOneRow() {
    send("PUT", "/brands?id=eq.4", "", "{\"id\":4,\"name\":\"N\",\"founded\":1}");
    send("PUT", "/brands?id=eq.1", "", "{\"id\":1,\"name\":\"A\",\"founded\":2}");
    assertThat(brands())
        .isEqualTo("id,name,founded\r\n1,A,2\r\n2,Borg,2365\r\n3,Zeta,\r\n4,N,1\r\n");
  }

  /** Invalid writes; a bar separates method, target, preference, body, status, code. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      emptyValue = "",
      textBlock =
          """
          PATCH | /brands | `` | {"founded":1} | 400 | 21000
          DELETE | /brands | `` | `` | 400 | 21000
          PATCH | /brands?id=eq.1&limit=1 | `` | {"founded":1} | 400 | PGRST114
          PATCH | /brands | `` | {} | 400 | 21000
          PATCH | /brands?id=eq.1 | `` | [{"id":1},{"id":2}] | 400 | PGRST102
          PATCH | /brands?id=eq.1 | `` | {"founded":"x"} | 400 | 22P02
          PATCH | /brands?id=eq.1 | `` | {"nothing":1} | 400 | PGRST204
          PATCH | /brands?id=gt.0 | handling=strict, max-affected=2 | {"founded":1} | 400 | PGRST124
          POST | /brands | `` | `` | 400 | PGRST102
          POST | /brands | `` | {"id":4 | 400 | PGRST102
          POST | /brands | `` | {"id":4,"id":5} | 400 | PGRST100
          POST | /brands | `` | 7 | 400 | PGRST102
          POST | /brands | `` | [7] | 400 | PGRST102
          POST | /brands | `` | [{"id":4,"name":"N"},{"id":5}] | 400 | PGRST102
          POST | /brands | `` | {"id":4} | 400 | 23502
          POST | /brands | `` | {"id":4,"name":{"a":1}} | 400 | 22P02
          POST | /brands?id=eq.1 | `` | {"id":4,"name":"N"} | 400 | PGRST100
          POST | /prices | `` | {"product_id":99,"currency":"EUR","amount":1} | 409 | 23503
          POST | /brands?on_conflict=name | resolution=merge-duplicates | {"id":1,"name":"N"} | 400 | 42P10
          PUT | /brands?id=eq.4 | `` | {"id":5,"name":"N"} | 400 | PGRST115
          PUT | /brands?name=eq.Acme | `` | {"id":5,"name":"N"} | 405 | PGRST105
          PUT | /brands | `` | {"id":5,"name":"N"} | 405 | PGRST105
          POST | /nothing | `` | {} | 404 | PGRST205
          """)
  void write_wrong_isRefusedAndChangesNothing(
      String method, String target, String prefer, String body, int status, String code) {
    var answer = send(method, target, prefer, body);
    assertThat(answer.body()).contains("\"code\":\"" + code + "\"");
    assertThat(answer.statusCode()).isEqualTo(status);
    assertThat(brands()).isEqualTo(UNCHANGED);
  }

  @Test
  void write_ofAnotherMediaType_is415() {
    var answer = send("POST", "/brands", "", "text/xml", "<a/>");
    assertThat(answer.statusCode()).isEqualTo(415);
  }

  @Test
  void bulk_thatFailsInOneRow_changesNothing() {
    var body = "[{\"id\":4,\"name\":\"N\"},{\"id\":5,\"name\":null}]";
    assertThat(send("POST", "/brands", "", body).statusCode()).isEqualTo(400);
    assertThat(brands()).isEqualTo(UNCHANGED);
  }

  @Test
  void rollback_returnsRowsAndChangesNothing() {
    var answer =
        send("POST", "/brands", "tx=rollback, " + REPRESENTATION, "{\"id\":4,\"name\":\"N\"}");
    assertThat(answer.body()).contains("\"id\":4");
    assertThat(brands()).isEqualTo(UNCHANGED);
  }

  @Test
  void singleObject_ofSeveralRows_rollsBack() {
    var request =
        HttpRequest.newBuilder(rest.escapedUri("/brands?id=gt.1"))
            .header("Content-Type", "application/json")
            .header("Accept", "application/vnd.pgrst.object+json")
            .header("Prefer", REPRESENTATION)
            .method("PATCH", HttpRequest.BodyPublishers.ofString("{\"founded\":1}"));
    assertThat(rest.send(request.build()).statusCode()).isEqualTo(406);
    assertThat(brands()).isEqualTo(UNCHANGED);
  }

  /** What browsers send for any page without asking first, as to a server on this machine. */
  @Test
  void foreignPage_mayNotWrite() {
    var own = rest.uri("").getScheme() + "://" + rest.uri("").getAuthority();
    var body = "{\"id\":4,\"name\":\"N\"}";
    for (var headers :
        new String[][] {
          {"Origin", "https://evil.example"},
          {"Origin", "null"},
          {"Sec-Fetch-Site", "cross-site"},
          {"Sec-Fetch-Site", "same-site", "Origin", own},
        }) {
      var refused = rest.write("POST", "/brands", body, headers);
      assertThat(refused.statusCode()).as(String.join(" ", headers)).isEqualTo(403);
      assertThat(refused.body()).contains("ORIGIN_NOT_ALLOWED").contains("cors-origins");
    }
    assertThat(brands()).isEqualTo(UNCHANGED);
    assertThat(rest.write("POST", "/brands", body, "Origin", own).statusCode()).isEqualTo(201);
    var fromOwnPage = new String[] {"Sec-Fetch-Site", "same-origin", "Origin", "https://proxied"};
    assertThat(rest.write("POST", "/brands?columns=id,name", body, fromOwnPage).statusCode())
        .isEqualTo(409);
  }

  @Test
  void unfilteredWrites_whereConfigured_writeAllRows() {
    rest = rest.restarted(RestOptions.builder().restUnfilteredWrites(true).build());
    assertThat(rest.write("PATCH", "/brands", "{\"founded\":7}").statusCode()).isEqualTo(204);
    assertThat(rest.get("/brands?founded=eq.7&select=id")).contains("1", "2", "3");
    assertThat(rest.write("DELETE", "/trips", "").statusCode()).isEqualTo(204);
    assertThat(rest.get("/trips")).isEqualTo("[]");
  }

  @Test
  void preferences_inSeveralLines_areAllApplied() {
    var body = "{\"id\":4,\"name\":\"N\"}";
    var answer =
        rest.write("POST", "/brands", body, "Prefer", REPRESENTATION, "Prefer", "tx=rollback");
    assertThat(answer.body()).contains("\"id\":4");
    assertThat(answer.headers().firstValue("preference-applied")).get().asString().contains("tx=");
    assertThat(brands()).isEqualTo(UNCHANGED);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"id,name\n4,\"cut off he", "id,name\n4", "id,name\n4,a,b", "id,name\n4,a\n5"})
  void truncatedCsv_isRejected(String csv) {
    assertThat(send("POST", "/brands", "", "text/csv", csv).statusCode()).isEqualTo(400);
    assertThat(brands()).isEqualTo(UNCHANGED);
  }

  @Test
  void csvOfExcel_isRead() {
    var answer = send("POST", "/brands", "", "text/csv", "\uFEFFid,name\n4,\"N\"\n");
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(201);
  }

  @Test
  void incompleteCharacter_isRejected() {
    var answer = rest.write("POST", "/brands", "{\"id\":4,\"name\":\"a\\ud800b\"}");
    assertThat(answer.statusCode()).isEqualTo(400);
    assertThat(answer.body()).contains("unpaired surrogate");
    var whole = rest.write("POST", "/brands", "{\"id\":4,\"name\":\"a\\ud83d\\ude00b\"}");
    assertThat(whole.statusCode()).isEqualTo(201);
  }

  @Test
  void maxAffected_withoutStrict_isNotReportedAsApplied() {
    var answer = send("PATCH", "/brands?id=gt.0", "max-affected=1", "{\"founded\":1}");
    assertThat(answer.statusCode()).isEqualTo(204);
    assertThat(answer.headers().firstValue("preference-applied")).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "PUT | /brands | GET, HEAD, QUERY, POST, PATCH, DELETE, OPTIONS",
        "DELETE | /rpc/nothing | GET, HEAD, QUERY, POST, OPTIONS",
        "FOO | /brands | GET, HEAD, QUERY, POST, PUT, PATCH, DELETE, OPTIONS",
        "POST | /openapi.json | GET, HEAD, OPTIONS",
      })
  void rejectedMethod_listsTheAllowedOnes(String method, String target, String allowed) {
    var answer = rest.write(method, target, "{\"id\":1,\"name\":\"x\"}");
    assertThat(answer.statusCode()).isEqualTo(405);
    assertThat(answer.headers().firstValue("allow")).hasValue(allowed);
  }

  /** What columns= names and the body does not. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "missing=default | {'note':'n'}             | {'size':5,'label':'none','note':'n'}",
        "missing=default | {'size':null,'label':'l'} | {'size':null,'label':'l','note':null}",
        "missing=default | {}                       | {'size':5,'label':'none','note':null}",
        "missing=null    | {'note':'n'}             | {'size':null,'label':null,'note':'n'}",
        "tx=commit       | {'note':'n'}             | {'size':null,'label':null,'note':'n'}",
      })
  void patch_columnsThatAreMissing_getTheirDefaultOrNull(String prefer, String body, String row) {
    rest.close();
    var settings =
        """
        create table settings (
          id int primary key, size int default 5, label varchar(9) default 'none', note varchar(9));
        insert into settings values (1, 9, 'x', 'y'), (2, 9, 'x', 'y');
        """;
    rest = RestServer.over(kind, RestServer.SHOP + settings, Limits.DEFAULT);
    var target = "/settings?id=eq.1&columns=size,label,note&select=size,label,note";
    var answer = send("PATCH", target, REPRESENTATION + ", " + prefer, body.replace('\'', '"'));
    assertThat(answer.body()).isEqualTo("[" + row.replace('\'', '"') + "]");
    assertThat(rest.get("/settings?id=eq.2&select=size")).isEqualTo("[{\"size\":9}]");
  }

  /** Whether a view can be written is decided by the database. */
  @Test
  void write_toAReadOnlyView_isAClientError() {
    rest.close();
    var view = "create view counts as select count(*) as n from brands;\n";
    rest = RestServer.over(kind, RestServer.SHOP + view, Limits.DEFAULT);
    assertThat(rest.write("POST", "/counts", "{\"n\":1}").statusCode()).isEqualTo(400);
    assertThat(rest.write("DELETE", "/counts?n=eq.3", "").statusCode()).isEqualTo(400);
  }

  /** What JavaScript calls {@code toISOString}, and a plain date, for a column without a zone. */
  @ParameterizedTest
  @CsvSource({"2026-03-01T10:00:00.000Z, 2026-03-01T10:00:00", "2026-03-01, 2026-03-01T00:00:00"})
  void timesOfAnotherForm_areTaken(String given, String stored) {
    if (kind.equals("sqlite")) {
      return; // has no times but texts
    }
    var body = "{\"added\":\"" + given + "\"}";
    assertThat(rest.write("PATCH", "/products?id=eq.1", body).statusCode()).isEqualTo(204);
    assertThat(rest.get("/products?id=eq.1&select=added")).contains(stored);
    assertThat(rest.get("/products?added=eq." + given + "&select=id")).isEqualTo("[{\"id\":1}]");
    var elsewhere = rest.send("GET", "/products?added=eq.2026-03-01T10:00:00+02:00");
    assertThat(elsewhere.statusCode()).isEqualTo(400);
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.rest.reads;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evita.externalapi.core.exchange.JsonTree;
import dev.evita.externalapi.core.limits.Limits;
import dev.evita.externalapi.rest.RestServer;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Pages that are followed by {@code Link: rel=next}, on every database. */
@ParameterizedClass
@ValueSource(strings = {"h2", "sqlite", "postgresql"})
final class PagingIT {

  private static final int ROWS = 47;
  private static final String OBJECT = "application/vnd.pgrst.object+json";

  /** Ties and nulls in {@code grade}, an index on {@code code}. */
  private static final String TABLES =
      """
      create table items (
        id int primary key, brand_id int references brands (id), grade int, code int not null,
        name varchar(2000));
      create index items_code on items (code);
      create view items_shown as select id, grade from items;
      """;

  @Parameter private String kind = "";
  private RestServer rest;

  @BeforeEach
  void open() {
    var script = new StringBuilder(RestServer.SHOP).append(TABLES);
    for (int i = 1; i <= ROWS; i++) {
      script.append(
          "insert into items values (%d, %s, %s, %d, '%s');\n"
              .formatted(
                  i,
                  i % 3 == 0 ? "null" : i % 3,
                  i % 5 == 0 ? "null" : i % 4,
                  i % 7,
                  "x".repeat(i % 2 == 0 ? 1900 : 3)));
    }
    rest = RestServer.over(kind, script.toString(), Limits.DEFAULT);
  }

  @AfterEach
  void close() {
    rest.close();
  }

  private static String next(HttpResponse<String> page) {
    return page.headers()
        .firstValue("link")
        .map(link -> {
          assertThat(link).startsWith("</rest/").endsWith(">; rel=\"next\"");
          return link.substring("</rest".length(), link.indexOf('>'));
        })
        .orElse("");
  }

  private static List<?> rows(HttpResponse<String> page) {
    assertThat(page.statusCode()).as(page.body()).isEqualTo(200);
    var body = page.body().getBytes(StandardCharsets.UTF_8);
    return (List<?>) Objects.requireNonNull(JsonTree.parse(body));
  }

  /** All that is found by following the links. */
  private List<Object> followed(String target, int pageLength) {
    var all = new ArrayList<>();
    for (var page = rest.send("GET", target); ; page = rest.follow(next(page))) {
      var rows = rows(page);
      all.addAll(rows);
      if (next(page).isEmpty()) {
        return all;
      }
      assertThat(rows).hasSize(pageLength);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "order=id",
        "order=id.desc",
        "order=grade",
        "order=grade.desc.nullslast",
        "order=grade.nullsfirst,name.desc",
        "order=code.desc,id",
        "order=brand(name),grade&select=id,brand(name)",
        "order=brand(name)&select=id,brand(name)&brand.id=gt.1",
        "select=id,brand(name),grade",
        "order=name&select=id",
      })
  void links_leadThroughAllRows_once_inOrder(String query) {
    for (int length : new int[] {1, 10, 46, 47, 48}) {
      var all = rows(rest.send("GET", "/items?" + query + "&limit=1000"));
      assertThat(all).hasSize(ROWS);
      assertThat(followed("/items?" + query + "&limit=" + length, length)).isEqualTo(all);
    }
  }

  @Test
  void filter_staysInTheLink() {
    var page = rest.send("GET", "/items?grade=eq.1&order=id&select=id&limit=3&offset=2");
    assertThat(page.body()).isEqualTo("[{\"id\":13},{\"id\":17},{\"id\":21}]");
    assertThat(rest.follow(next(page)).body()).isEqualTo("[{\"id\":29},{\"id\":33},{\"id\":37}]");
  }

  @Test
  void range_isTakenOver() {
    var page = rest.send("GET", "/items?select=id&order=id", "Range", "0-1");
    assertThat(page.body()).isEqualTo("[{\"id\":1},{\"id\":2}]");
    assertThat(rest.follow(next(page)).body()).isEqualTo("[{\"id\":3},{\"id\":4}]");
  }

  @Test
  void pageOfManyBytes_hasALinkAndATag() {
    var page = rest.send("GET", "/items?order=id&limit=40");
    assertThat(page.body().length()).isGreaterThan(32 << 10);
    assertThat(next(page)).isNotEmpty();
    assertThat(page.headers().firstValue("etag")).isPresent();
  }

  /**
   * A page reads one row more than it shows, to find out whether there is another page: that row
   * was taken for a second row of the response.
   */
  @ParameterizedTest
  @CsvSource({
    "/items?select=id&order=id&limit=1,          '',  1",
    "/items?select=id&order=id&limit=1&offset=4, '',  5",
    "/items?select=id&limit=1,                   '',  1",
    "/items?select=id&order=id,                  0-0, 1",
    "/items?select=id&order=id.desc&limit=7,     2-2, 45",
  })
  void object_pageOfOneRow_isReturned(String target, String range, int id) {
    var page = rest.send("GET", target, "Accept", OBJECT, "Range", range);
    assertThat(page.statusCode()).as(page.body()).isEqualTo(200);
    assertThat(page.body()).isEqualTo("{\"id\":" + id + "}");
    assertThat(rest.follow(next(page)).statusCode()).isEqualTo(200);
  }

  @Test
  void object_pageOfTwoRows_isRejected() {
    var page = rest.send("GET", "/items?select=id&order=id&limit=2", "Accept", OBJECT);
    assertThat(page.statusCode()).isEqualTo(406);
    assertThat(page.body()).contains("PGRST116");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/items?order=code&limit=5", // an index gives this order, and would not give one with the
        // id
        "/items?grade=eq.1&limit=5", // an index may find these rows, in an order of its own
        "/items?order=id",
        "/items?order=id&limit=0",
        "/items?select=grade,count()&limit=2",
        "/items_shown?order=id&limit=2",
      })
  void withoutATotalOrder_noLinkIsReturned(String target) {
    var page = rest.send("GET", target);
    assertThat(page.statusCode()).as(page.body()).isEqualTo(200);
    assertThat(next(page)).isEmpty();
    var separator = target.contains("?") ? "&" : "?";
    if (!target.endsWith("limit=0")) {
      assertThat(rest.send("GET", target + separator + "$after=x").statusCode()).isEqualTo(400);
    }
  }

  @Test
  void cursorOfAnotherOrder_orNone_isRejected() {
    var link = next(rest.send("GET", "/items?order=id&limit=5"));
    var cursor = link.substring(link.indexOf("$after=") + "$after=".length());
    var other = rest.send("GET", "/items?order=grade&limit=5&$after=" + cursor);
    assertThat(other.statusCode()).isEqualTo(400);
    assertThat(other.body()).contains("another order");
    assertThat(rest.send("GET", "/items?order=id&limit=5&$after=abc").body())
        .contains("'abc' is not a cursor");
    assertThat(rest.send("GET", "/items?order=id&limit=5&$after=" + cursor).statusCode())
        .isEqualTo(200);
  }

  @Test
  void cursorOfEmbeddedRows_isRejected() {
    var answer = rest.send("GET", "/items?select=id,brand(name)&brand.$after=abc&limit=5");
    assertThat(answer.statusCode()).isEqualTo(400);
    assertThat(answer.body())
        .contains("PGRST100", "'brand.$after' is a cursor of embedded rows; only the table itself");
  }

  /** The query of a QUERY request is in its body, which a link cannot contain. */
  @Test
  void query_hasNoLink() {
    var request =
        HttpRequest.newBuilder(rest.uri("/items"))
            .header("Content-Type", "application/x-www-form-urlencoded")
            .method("QUERY", HttpRequest.BodyPublishers.ofString("order=id&limit=5"));
    assertThat(next(rest.send(request.build()))).isEmpty();
  }
}

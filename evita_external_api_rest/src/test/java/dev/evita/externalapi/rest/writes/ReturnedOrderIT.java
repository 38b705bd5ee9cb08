// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.rest.writes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evita.externalapi.core.limits.Limits;
import dev.evita.externalapi.rest.RestServer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Rows that a write returns come in the order of the URL, on every database. */
@ParameterizedClass
@ValueSource(strings = {"h2", "sqlite", "postgresql", "later"})
final class ReturnedOrderIT {

  private static final String KEYLESS = "create table notes (a int, b int);\n";
  private static final String REPRESENTATION = "return=representation";

  @Parameter private String kind = "";
  private RestServer rest;

  @BeforeEach
  void open() {
    rest = RestServer.over(kind, RestServer.SHOP + KEYLESS, Limits.DEFAULT);
  }

  @AfterEach
  void close() {
    rest.close();
  }

  /** Method, target, preference, body, and the rows of the response. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      emptyValue = "",
      textBlock =
          """
          PATCH  | /brands?id=gt.0&select=id&order=name.desc | tx=commit | {"founded":1} | [{"id":3},{"id":2},{"id":1}]
          PATCH  | /products?id=gt.0&select=id&order=price.desc.nullslast,id | tx=commit | {"stock":1} | [{"id":3},{"id":1},{"id":2},{"id":4}]
          PATCH  | /products?id=lt.4&select=id,price&order=stock,id.desc | tx=commit | {"stock":1,"price":2} | [{"id":3,"price":2.00},{"id":2,"price":2.00},{"id":1,"price":2.00}]
          PATCH  | /products?id=lt.4&select=id,brand(name)&order=brand(name).desc,id.desc | tx=commit | {"stock":1} | [{"id":3,"brand":{"name":"Borg"}},{"id":2,"brand":{"name":"Acme"}},{"id":1,"brand":{"name":"Acme"}}]
          PATCH  | /products?id=lt.4&select=id,brand()&brand.name=eq.Borg&order=brand(name),id.desc | tx=commit | {"stock":1} | [{"id":3},{"id":2},{"id":1}]
          PATCH  | /products?id=eq.1&select=id&order=name | tx=commit | {"stock":1} | [{"id":1}]
          PATCH  | /products?id=eq.99&select=id&order=name | tx=commit | {"stock":1} | []
          PATCH  | /prices?amount=gt.0&select=currency,product_id&order=currency.desc,product_id.desc | tx=commit | {"amount":1} | [{"currency":"USD","product_id":1},{"currency":"EUR","product_id":2},{"currency":"EUR","product_id":1}]
          PATCH  | /brands?id=gt.0&select=id&order=name.desc | handling=strict,max-affected=3 | {"founded":1} | [{"id":3},{"id":2},{"id":1}]
          PATCH  | /brands?id=gt.0&select=id&order=name.desc | tx=rollback | {"founded":1} | [{"id":3},{"id":2},{"id":1}]
          DELETE | /prices?amount=gt.0&select=currency,product_id&order=product_id.desc,currency | tx=commit | `` | [{"currency":"EUR","product_id":2},{"currency":"EUR","product_id":1},{"currency":"USD","product_id":1}]
          DELETE | /product_tags?tag_id=gt.0&order=tag_id.desc,product_id.desc | tx=commit | `` | [{"product_id":1,"tag_id":3},{"product_id":2,"tag_id":2},{"product_id":1,"tag_id":2},{"product_id":3,"tag_id":1}]
          DELETE | /tags?id=eq.9&order=id | tx=commit | `` | []
          POST   | /brands?select=id&order=id.desc | tx=commit | [{"id":5,"name":"N"},{"id":7,"name":"M"},{"id":6,"name":"O"}] | [{"id":7},{"id":6},{"id":5}]
          POST   | /brands?select=id&order=founded,name&columns=id,name,founded | missing=default | [{"id":5,"name":"N","founded":3},{"id":7,"name":"M"},{"id":6,"name":"O","founded":1}] | [{"id":6},{"id":5},{"id":7}]
          POST   | /brands?select=id,name&order=name.desc | resolution=merge-duplicates | [{"id":1,"name":"N"},{"id":7,"name":"M"},{"id":2,"name":"O"}] | [{"id":2,"name":"O"},{"id":1,"name":"N"},{"id":7,"name":"M"}]
          POST   | /brands?select=id,name&order=name.desc | resolution=ignore-duplicates | [{"id":1,"name":"N"},{"id":7,"name":"M"},{"id":8,"name":"O"}] | [{"id":8,"name":"O"},{"id":7,"name":"M"}]
          POST   | /brands?select=name,products(id)&order=name.desc | tx=commit | [{"id":5,"name":"N","products":[{"id":8,"name":"x","active":true}]},{"id":6,"name":"O","products":[]}] | [{"name":"O","products":[]},{"name":"N","products":[{"id":8}]}]
          POST   | /products?select=id,brand(id)&order=brand(id).desc | tx=commit | [{"id":8,"name":"x","active":true,"brand":{"id":11,"name":"X"}},{"id":9,"name":"y","active":true,"brand":{"id":12,"name":"Y"}}] | [{"id":9,"brand":{"id":12}},{"id":8,"brand":{"id":11}}]
          PUT    | /brands?id=eq.1&select=id,name&order=name | tx=commit | {"id":1,"name":"N","founded":1} | [{"id":1,"name":"N"}]
          """)
  void write_withAnOrder_returnsRowsInIt(
      String method, String target, String prefer, String body, String rows) {
    var answer = rest.write(method, target, body, "Prefer", REPRESENTATION + ", " + prefer);
    assertThat(answer.body()).isEqualTo(kind.equals("sqlite") ? rows.replace(".00", "") : rows);
    assertThat(answer.statusCode()).isEqualTo(method.equals("POST") ? 201 : 200);
  }

  @Test
  void write_withAnOrder_isWrittenInOtherForms() {
    var target = "/brands?id=gt.0&select=id,name&order=id.desc";
    var csv =
        rest.write(
            "PATCH", target, "{\"founded\":1}", "Prefer", REPRESENTATION, "Accept", "text/csv");
    assertThat(csv.body()).isEqualTo("id,name\r\n3,Zeta\r\n2,Borg\r\n1,Acme\r\n");
  }

  /** More rows than one statement inserts. */
  @Test
  void post_manyRows_returnsThemInOrder() {
    var body =
        IntStream.range(0, 700)
            .mapToObj(i -> "{\"id\":%d,\"name\":\"N\"}".formatted(100 + (i * 263) % 700))
            .collect(Collectors.joining(",", "[", "]"));
    var answer = rest.write("POST", "/brands?select=id&order=id", body, "Prefer", REPRESENTATION);
    var expected =
        IntStream.range(100, 800)
            .mapToObj(id -> "{\"id\":" + id + "}")
            .collect(Collectors.joining(",", "[", "]"));
    assertThat(answer.body()).isEqualTo(expected);
  }

  @Test
  void write_withAnOrderOfRowsThatAreNotReturned_isDone() {
    assertThat(rest.write("PATCH", "/notes?a=eq.1&order=a", "{\"b\":2}").statusCode())
        .isEqualTo(204);
  }

  /** The written rows cannot be identified among the existing ones. */
  @Test
  void write_withAnOrderOfRowsWithoutAKey_isRefused() {
    var answer =
        rest.write("PATCH", "/notes?a=eq.1&order=a", "{\"b\":2}", "Prefer", REPRESENTATION);
    assertThat(answer.statusCode()).isEqualTo(400);
    assertThat(answer.body()).contains("0A000", "Written rows of 'notes' cannot be ordered");
  }

  /** The reading of the order holds keys, and counts towards the limit as rows do. */
  @Test
  void delete_ofTooManyReturnedRows_isRejectedAndChangesNothing() {
    rest.close();
    var limits = Limits.builder().maxRows(3).build();
    rest = RestServer.over(kind, RestServer.SHOP, limits);
    var three = "/prices?amount=gt.0&order=amount";
    assertThat(rest.write("DELETE", three, "", "Prefer", REPRESENTATION).statusCode())
        .isEqualTo(200);
    var four = "/product_tags?tag_id=gt.0&order=tag_id";
    var refused = rest.write("DELETE", four, "", "Prefer", REPRESENTATION);
    assertThat(refused.body()).contains("TOO_MANY_ROWS");
    assertThat(rest.get("/product_tags?select=count()")).isEqualTo("[{\"count\":4}]");
  }
}

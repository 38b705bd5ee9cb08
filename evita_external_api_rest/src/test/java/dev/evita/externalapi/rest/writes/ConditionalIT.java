// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.rest.writes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evita.externalapi.rest.RestServer;
import java.util.ArrayList;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Entity tags and conditions (RFC 9110, section 13) of rows and lists, on every database. */
@ParameterizedClass
@ValueSource(strings = {"h2", "sqlite", "postgresql", "later"})
final class ConditionalIT {

  private static final String OBJECT = "application/vnd.pgrst.object+json";

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

  private String tag(String target, String... headers) {
    return rest.send("GET", target, headers).headers().firstValue("etag").orElseThrow();
  }

  @ParameterizedTest
  @ValueSource(strings = {"/brands?id=eq.1", "/brands?order=id", "/products?select=id,brand(name)"})
  void get_ofTheCachedTag_is304(String target) {
    var tag = tag(target);
    assertThat(tag).matches("\"[0-9a-f]+\"");
    for (var known : new String[] {tag, "W/" + tag, "\"x\", " + tag, "*"}) {
      var again = rest.send("GET", target, "If-None-Match", known);
      assertThat(again.statusCode()).as(known).isEqualTo(304);
      assertThat(again.body()).isEmpty();
      assertThat(again.headers().firstValue("etag")).hasValue(tag);
    }
    assertThat(rest.send("GET", target, "If-None-Match", "\"x\"").statusCode()).isEqualTo(200);
    assertThat(rest.send("HEAD", target).headers().firstValue("etag")).hasValue(tag);
  }

  @Test
  void tag_isAnotherForOtherRowsAndOtherForms() {
    var before = tag("/brands?id=eq.1");
    assertThat(tag("/brands?id=eq.1")).isEqualTo(before);
    assertThat(tag("/brands?id=eq.1", "Accept", OBJECT)).isNotEqualTo(before);
    assertThat(tag("/brands?id=eq.1", "Accept", "text/csv")).isNotEqualTo(before);
    rest.write("PATCH", "/brands?id=eq.2", "{\"name\":\"Other\"}");
    assertThat(tag("/brands?id=eq.1")).isEqualTo(before);
    rest.write("PATCH", "/brands?id=eq.1", "{\"name\":\"New\"}");
    assertThat(tag("/brands?id=eq.1")).isNotEqualTo(before);
  }

  @ParameterizedTest
  @ValueSource(strings = {"application/json", OBJECT, "text/csv", "application/x-ndjson"})
  void patch_ofRowsAsTheyWereRead_isDoneOnce(String accept) {
    var tag = tag("/brands?id=eq.1", "Accept", accept);
    var same = accept.equals(OBJECT) ? "application/json" : accept;
    var first =
        rest.write(
            "PATCH", "/brands?id=eq.1", "{\"name\":\"New\"}", "If-Match", tag, "Accept", same);
    assertThat(first.statusCode()).as(first.body()).isEqualTo(204);
    var second =
        rest.write(
            "PATCH", "/brands?id=eq.1", "{\"name\":\"Lost\"}", "If-Match", tag, "Accept", same);
    assertThat(second.statusCode()).isEqualTo(412);
    assertThat(second.body())
        .contains("\"error\":\"PRECONDITION_FAILED\"")
        .contains("The condition of If-Match does not hold");
    assertThat(rest.get("/brands?id=eq.1&select=name")).isEqualTo("[{\"name\":\"New\"}]");
  }

  @Test
  void patch_oneOfManyTags_isDone() {
    var tag = tag("/brands?id=eq.1&select=id,name");
    var target = "/brands?id=eq.1&select=id,name";
    var done = rest.write("PATCH", target, "{\"founded\":1}", "If-Match", "\"x\", " + tag);
    assertThat(done.statusCode()).isEqualTo(204);
    // What the tag was made of is still the same.
    assertThat(rest.write("PATCH", target, "{\"founded\":2}", "If-Match", tag).statusCode())
        .isEqualTo(204);
  }

  /** A condition is on all rows that the write changes, whatever Range comes with it. */
  @Test
  void patch_withARange_comparesAllRows() {
    var target = "/brands?id=lt.3&order=id";
    var part = tag(target, "Range", "0-0");
    var body = "{\"founded\":1}";
    assertThat(rest.write("PATCH", target, body, "If-Match", part, "Range", "0-0").statusCode())
        .isEqualTo(412);
    assertThat(
            rest.write("PATCH", target, body, "If-Match", tag(target), "Range", "0-0").statusCode())
        .isEqualTo(204);
  }

  @Test
  void delete_ofModifiedRows_isRejected() {
    var tag = tag("/trips?id=eq.1");
    rest.write("PATCH", "/trips?id=eq.1", "{\"home_id\":3}");
    assertThat(rest.write("DELETE", "/trips?id=eq.1", "", "If-Match", tag).statusCode())
        .isEqualTo(412);
    tag = tag("/trips?id=eq.1");
    assertThat(rest.write("DELETE", "/trips?id=eq.1", "", "If-Match", tag).statusCode())
        .isEqualTo(204);
    assertThat(rest.write("DELETE", "/trips?id=eq.1", "", "If-Match", "*").statusCode())
        .isEqualTo(412);
  }

  @Test
  void put_onlyWhereThereIsNone_orOnlyWhereThereIs() {
    var body = "{\"id\":7,\"name\":\"Seven\",\"founded\":1}";
    assertThat(rest.write("PUT", "/brands?id=eq.7", body, "If-Match", "*").statusCode())
        .isEqualTo(412);
    assertThat(rest.write("PUT", "/brands?id=eq.7", body, "If-None-Match", "*").statusCode())
        .isEqualTo(201);
    assertThat(rest.write("PUT", "/brands?id=eq.7", body, "If-None-Match", "*").statusCode())
        .isEqualTo(412);
    var other = "{\"id\":7,\"name\":\"Other\",\"founded\":1}";
    var tag = tag("/brands?id=eq.7");
    assertThat(rest.write("PUT", "/brands?id=eq.7", other, "If-Match", tag).statusCode())
        .isEqualTo(204);
    assertThat(rest.write("PUT", "/brands?id=eq.7", other, "If-Match", tag).statusCode())
        .isEqualTo(412);
  }

  @Test
  void put_onAnyCondition_reportsWhetherItCreated() {
    var headers = new String[] {"If-None-Match", "\"x\"", "Prefer", "return=representation"};
    var body = "{\"id\":8,\"name\":\"Eight\",\"founded\":1}";
    var created = rest.write("PUT", "/brands?id=eq.8", body, headers);
    assertThat(created.statusCode()).as(created.body()).isEqualTo(201);
    assertThat(created.body()).contains("Eight");
    assertThat(rest.write("PUT", "/brands?id=eq.8", body, headers).statusCode()).isEqualTo(200);
  }

  /** Counters that many raise at once, each by reading and writing back, lose nothing. */
  @Test
  void writersAtOnce_loseNoChange() {
    var done = new AtomicInteger();
    var clients = new ArrayList<CompletableFuture<Void>>();
    for (int i = 0; i < 4; i++) {
      clients.add(
          CompletableFuture.runAsync(() -> {
            for (int n = 0; n < 10; n++) {
              while (!raise()) {
                Thread.onSpinWait();
              }
              done.incrementAndGet();
            }
          }));
    }
    clients.forEach(CompletableFuture::join);
    assertThat(rest.get("/products?id=eq.1&select=stock")).isEqualTo("[{\"stock\":45}]");
    assertThat(done).hasValue(40);
  }

  private boolean raise() {
    var target = "/products?id=eq.1&select=stock";
    var read = rest.send("GET", target);
    var stock = Integer.parseInt(read.body().replaceAll("[^0-9]", ""));
    var tag = read.headers().firstValue("etag").orElseThrow();
    var answer = rest.write("PATCH", target, "{\"stock\":" + (stock + 1) + "}", "If-Match", tag);
    assertThat(answer.statusCode()).as(answer.body()).isIn(204, 412);
    return answer.statusCode() == 204;
  }
}

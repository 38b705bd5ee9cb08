// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.rest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.evita.externalapi.core.limits.Limits;
import java.io.IOException;
import java.net.http.HttpRequest;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The limits that hold for all protocols hold for REST, and the server goes on. */
final class LimitsIT {

  private static final String SCRIPT =
      """
      create table brands (id int primary key, name varchar not null);
      insert into brands select x, 'brand ' || x from system_range(1, 20000);
      """;

  private static final int MOST = 5_000;

  private static RestServer server() {
    return RestServer.over("h2", SCRIPT, Limits.builder().maxRows(MOST).build());
  }

  @Test
  void rows_tooManyWithinTheFirstBytes_areRefused() {
    var limits = Limits.builder().maxRows(2).build();
    try (var rest = RestServer.over("h2", SCRIPT, limits)) {
      var answer = rest.send("GET", "/brands");
      assertThat(answer.statusCode()).isEqualTo(400);
      assertThat(answer.body()).contains("\"error\":\"TOO_MANY_ROWS\"").contains("max-rows");
    }
  }

  /** The limit of the run counts, with the row more that tells of a next page; a key is one row. */
  @ParameterizedTest
  @CsvSource({
    "/brands, 400",
    "/brands?limit=5, 400",
    "/brands?limit=4, 200",
    "/brands?id=eq.1, 200",
    "/brands?select=id&limit=9, 200",
    "/brands?select=id&limit=10, 400",
  })
  void cost_aboveTheLimit_isRefused(String target, int status) {
    try (var rest = RestServer.over("h2", SCRIPT, Limits.builder().maxCost(10).build())) {
      var answer = rest.send("GET", target);
      assertThat(answer.statusCode()).isEqualTo(status);
      assertThat(answer.body().contains("TOO_COSTLY")).isEqualTo(status == 400);
    }
  }

  /** What is told of written rows costs as what is read: by key one row, of others an estimate. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "PATCH  | /brands?id=eq.1 | {'name':'x'} | 200",
        "PATCH  | /brands?id=gt.0 | {'name':'x'} | 400",
        "DELETE | /brands?id=gt.0 | | 400",
        "POST   | /brands?select=id | [{'id':90001,'name':'x'},{'id':90002,'name':'y'}] | 201",
        "POST   | /brands?select=id | [{'id':91},{'id':92},{'id':93},{'id':94},{'id':95},{'id':96},"
            + "{'id':97},{'id':98},{'id':99},{'id':100},{'id':101}] | 400",
        "POST   | /$batch | {'requests':[{'id':'a','method':'GET','url':'/rest/brands?limit=4'}]} | 200",
        "POST   | /$batch | {'requests':[{'id':'a','method':'GET','url':'/rest/brands?limit=4'},"
            + "{'id':'b','method':'GET','url':'/rest/brands?id=eq.1'}]} | 400",
      })
  void costOfWrites_aboveTheLimit_isRefused(
      String method, String target, @Nullable String body, int status) {
    try (var rest = RestServer.over("h2", SCRIPT, Limits.builder().maxCost(10).build())) {
      var request =
          HttpRequest.newBuilder(rest.uri(target))
              .header("Content-Type", "application/json")
              .header("Prefer", "return=representation")
              .method(
                  method,
                  body == null
                      ? HttpRequest.BodyPublishers.noBody()
                      : HttpRequest.BodyPublishers.ofString(body.replace('\'', '"')));
      var answer = rest.send(request.build());
      assertThat(answer.statusCode()).as(answer.body()).isEqualTo(status);
      assertThat(answer.body().contains("TOO_COSTLY")).isEqualTo(status == 400);
    }
  }

  /** What has left cannot be taken back: so that nobody takes a part for the whole. */
  @Test
  void rows_tooManyAfterSomeHaveLeft_breakTheAnswerOff() {
    try (var rest = server()) {
      assertThatThrownBy(() -> rest.send("GET", "/brands")).hasCauseInstanceOf(IOException.class);
      assertThat(rest.send("GET", "/brands?id=eq.1").statusCode()).isEqualTo(200);
    }
  }

  @Test
  void rowsWritten_tooManyToAnswer_areNotWritten() {
    try (var rest = server()) {
      var request =
          HttpRequest.newBuilder(rest.uri("/brands?id=gt.0"))
              .header("Content-Type", "application/json")
              .header("Prefer", "return=representation")
              .method("PATCH", HttpRequest.BodyPublishers.ofString("{\"name\":\"x\"}"));
      var answer = rest.send(request.build());
      assertThat(answer.statusCode()).isEqualTo(400);
      assertThat(answer.body()).contains("TOO_MANY_ROWS");
      assertThat(rest.get("/brands?select=name&id=eq.1")).isEqualTo("[{\"name\":\"brand 1\"}]");
    }
  }

  @ParameterizedTest
  @CsvSource({"select, 'a(', '*', ')'", "or, '(or', '(id.eq.1)', ')'"})
  void nesting_tooDeep_isRefused(String parameter, String open, String inner, String close) {
    var depth = Limits.DEFAULT.maxDepth() + 1;
    var value = open.repeat(depth) + inner + close.repeat(depth);
    try (var rest = server()) {
      var answer = rest.send("GET", "/brands?" + parameter + "=" + value);
      assertThat(answer.statusCode()).as(answer.body()).isEqualTo(400);
      assertThat(answer.body()).contains("TOO_DEEP");
    }
  }
}

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

/** The common limits apply to REST, and the server continues. */
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
  void tooManyRows_withinTheFirstBytes_areRejected() {
    var limits = Limits.builder().maxRows(2).build();
    try (var rest = RestServer.over("h2", SCRIPT, limits)) {
      var answer = rest.send("GET", "/brands");
      assertThat(answer.statusCode()).isEqualTo(400);
      assertThat(answer.body()).contains("\"error\":\"TOO_MANY_ROWS\"").contains("max-rows");
    }
  }

  /**
   * The cost includes the additional row that reveals a next page; a look-up by key costs one row.
   */
  @ParameterizedTest
  @CsvSource({
    "/brands, 400",
    "/brands?limit=5, 400",
    "/brands?limit=4, 200",
    "/brands?id=eq.1, 200",
    "/brands?select=id&limit=9, 200",
    "/brands?select=id&limit=10, 400",
  })
  void cost_aboveTheLimit_isRejected(String target, int status) {
    try (var rest = RestServer.over("h2", SCRIPT, Limits.builder().maxCost(10).build())) {
      var answer = rest.send("GET", target);
      assertThat(answer.statusCode()).isEqualTo(status);
      assertThat(answer.body().contains("TOO_COSTLY")).isEqualTo(status == 400);
    }
  }

  /**
   * Returned rows of a write cost as much as reading them: one row by key, otherwise an estimate.
   */
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
  void costOfWrites_aboveTheLimit_isRejected(
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

  /**
   * Sent bytes cannot be withdrawn: the response is aborted so that it is not taken for complete.
   */
  @Test
  void tooManyRows_afterSomeWereSent_abortTheResponse() {
    try (var rest = server()) {
      assertThatThrownBy(() -> rest.send("GET", "/brands")).hasCauseInstanceOf(IOException.class);
      assertThat(rest.send("GET", "/brands?id=eq.1").statusCode()).isEqualTo(200);
    }
  }

  @Test
  void write_ofTooManyReturnedRows_isNotExecuted() {
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
  void nesting_tooDeep_isRejected(String parameter, String open, String inner, String close) {
    var depth = Limits.DEFAULT.maxDepth() + 1;
    var value = open.repeat(depth) + inner + close.repeat(depth);
    try (var rest = server()) {
      var answer = rest.send("GET", "/brands?" + parameter + "=" + value);
      assertThat(answer.statusCode()).as(answer.body()).isEqualTo(400);
      assertThat(answer.body()).contains("TOO_DEEP");
    }
  }
}

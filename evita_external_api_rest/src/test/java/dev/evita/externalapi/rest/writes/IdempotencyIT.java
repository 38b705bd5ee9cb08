// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.rest.writes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evita.externalapi.core.ServerOptions;
import dev.evita.externalapi.rest.RestOptions;
import dev.evita.externalapi.rest.RestServer;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests that come again with their {@code Idempotency-Key}, on every database. */
@ParameterizedClass
@ValueSource(strings = {"h2", "sqlite", "postgresql", "later"})
final class IdempotencyIT {

  private static final String BODY = "{\"id\":4,\"name\":\"Nöde \\\"4\\\"\"}";
  private static final String ANSWER = "[{\"id\":4,\"name\":\"Nöde \\\"4\\\"\",\"founded\":null}]";

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

  private HttpResponse<String> post(String key, String body) {
    return rest.write(
        "POST", "/brands", body, "Idempotency-Key", key, "Prefer", "return=representation");
  }

  private static String replayed(HttpResponse<String> answer) {
    return answer.headers().firstValue("idempotent-replayed").orElse("false");
  }

  @Test
  void post_repeated_replaysTheFirstResponse() {
    var first = post("a", BODY);
    assertThat(first.statusCode()).as(first.body()).isEqualTo(201);
    assertThat(first.body()).isEqualTo(ANSWER);
    assertThat(replayed(first)).isEqualTo("false");

    rest.write("PATCH", "/brands?id=eq.4", "{\"name\":\"other\"}");
    var second = post("a", BODY);

    assertThat(second.statusCode()).isEqualTo(201);
    assertThat(second.body()).isEqualTo(ANSWER);
    assertThat(replayed(second)).isEqualTo("true");
    assertThat(second.headers().firstValue("content-range"))
        .isEqualTo(first.headers().firstValue("content-range"));
    assertThat(second.headers().firstValue("content-type"))
        .isEqualTo(first.headers().firstValue("content-type"));
    assertThat(rest.get("/brands?id=eq.4&select=name")).isEqualTo("[{\"name\":\"other\"}]");
  }

  @Test
  void post_again_afterARestart() {
    post("a", BODY);
    rest = rest.restarted(RestOptions.DEFAULT);
    var second = post("a", BODY);
    assertThat(second.body()).isEqualTo(ANSWER);
    assertThat(replayed(second)).isEqualTo("true");
  }

  @Test
  void headersOnly_returnsTheSameLocation() {
    var headers = new String[] {"Idempotency-Key", "k", "Prefer", "return=headers-only"};
    rest.write("POST", "/brands", BODY, headers);
    var second = rest.write("POST", "/brands", BODY, headers);
    assertThat(second.statusCode()).isEqualTo(201);
    assertThat(second.headers().firstValue("location")).hasValue("/rest/brands?id=eq.4");
    assertThat(second.body()).isEmpty();
  }

  @Test
  void sameKey_ofAnotherRequest_isRejected() {
    post("a", BODY);
    var other = post("a", BODY.replace("4", "5"));
    assertThat(other.statusCode()).isEqualTo(422);
    assertThat(other.body()).contains("IDEMPOTENCY_KEY_REUSED");
    assertThat(rest.get("/brands?id=eq.5")).isEqualTo("[]");
    assertThat(post("b", BODY.replace("4", "5")).statusCode()).isEqualTo(201);
  }

  @Test
  void failure_isNotStored() {
    assertThat(post("a", "{\"id\":1,\"name\":\"N\"}").statusCode()).isEqualTo(409);
    rest.write("DELETE", "/trips?id=not.is.null", "");
    rest.write("DELETE", "/prices?product_id=not.is.null", "");
    rest.write("DELETE", "/product_tags?tag_id=not.is.null", "");
    rest.write("DELETE", "/products?id=not.is.null", "");
    rest.write("DELETE", "/brands?id=eq.1", "");
    assertThat(post("a", "{\"id\":1,\"name\":\"N\"}").statusCode()).isEqualTo(201);
  }

  @Test
  void manyAtOnce_writeOnce() {
    var answers =
        Stream.generate(() -> CompletableFuture.supplyAsync(() -> post("a", BODY)))
            .limit(8)
            .toList()
            .stream()
            .map(CompletableFuture::join)
            .toList();
    assertThat(answers).allSatisfy(answer -> assertThat(answer.body()).isEqualTo(ANSWER));
    assertThat(answers).filteredOn(answer -> replayed(answer).equals("false")).hasSize(1);
  }

  @Test
  void otherMethods_areStoredAsWell() {
    var headers = new String[] {"Idempotency-Key", "p", "Prefer", "return=representation"};
    var target = "/products?id=eq.1&select=stock";
    var first = rest.write("PATCH", target, "{\"stock\":6}", headers);
    rest.write("PATCH", target, "{\"stock\":9}");
    var second = rest.write("PATCH", target, "{\"stock\":6}", headers);
    assertThat(second.body()).isEqualTo(first.body()).isEqualTo("[{\"stock\":6}]");
    assertThat(rest.get(target)).isEqualTo("[{\"stock\":9}]");
  }

  @Test
  void rolledBack_isNotStored() {
    var headers =
        new String[] {"Idempotency-Key", "r", "Prefer", "return=representation, tx=rollback"};
    assertThat(rest.write("POST", "/brands", BODY, headers).body()).isEqualTo(ANSWER);
    assertThat(rest.get("/brands?id=eq.4")).isEqualTo("[]");
    assertThat(replayed(rest.write("POST", "/brands", BODY, headers))).isEqualTo("false");
  }

  @Test
  void table_isNotShown() {
    post("a", BODY);
    assertThat(rest.send("GET", "/evita_idempotency_keys").statusCode()).isEqualTo(404);
  }

  @Test
  void emptyOrTooLongKey_isRejected() {
    assertThat(post(" ", BODY).statusCode()).isEqualTo(400);
    var tooLong = post("x".repeat(256), BODY);
    assertThat(tooLong.statusCode()).isEqualTo(400);
    assertThat(tooLong.body()).contains("256 characters");
    assertThat(post("x".repeat(255), BODY).statusCode()).isEqualTo(201);
  }

  @Test
  void switchedOff_isRejected() {
    rest = rest.restarted(ServerOptions.builder().idempotencyRetention(Duration.ZERO).build());
    var answer = post("a", BODY);
    assertThat(answer.statusCode()).isEqualTo(400);
    assertThat(answer.body()).contains("idempotency-retention");
    assertThat(rest.get("/brands?id=eq.4")).isEqualTo("[]");
  }

  @Test
  @Timeout(60)
  void expired_isFree() {
    rest =
        rest.restarted(ServerOptions.builder().idempotencyRetention(Duration.ofMillis(50)).build());
    post("a", BODY);
    var other = BODY.replace("4", "5");
    var answer = post("a", other);
    while (answer.statusCode() == 422) {
      answer = post("a", other); // until the first is too old
    }
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(201);
    assertThat(rest.get("/brands?id=eq.5&select=id")).isEqualTo("[{\"id\":5}]");
  }
}

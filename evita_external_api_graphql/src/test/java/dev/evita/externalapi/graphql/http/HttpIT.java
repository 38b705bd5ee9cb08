// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.graphql.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evita.externalapi.graphql.Client;
import dev.evita.externalapi.graphql.ShopData;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** GraphQL over HTTP, with and without a socket. */
@ParameterizedClass
@EnumSource(Client.Way.class)
final class HttpIT {

  private static final String JSON = "application/json";
  private static final String RESPONSE_JSON = "application/graphql-response+json";

  private final Client client;

  HttpIT(Client.Way way) {
    this.client = new Client(ShopData.engine(), way);
  }

  @AfterEach
  void close() {
    client.close();
  }

  private Client.Answer post(String accept, String body) {
    return client.send("POST", "/graphql", Map.of("Content-Type", JSON, "Accept", accept), body);
  }

  private Client.Answer get(String query) {
    return client.send("GET", "/graphql?" + query, Map.of(), "");
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  @ParameterizedTest
  @CsvSource({
    "'', application/json",
    "*/*, application/json",
    "application/*, application/json",
    "application/json, application/json",
    "application/graphql-response+json, application/graphql-response+json",
    "'application/json;q=0.5, application/graphql-response+json',"
        + " application/graphql-response+json",
    "'text/html, */*;q=0.1', application/json",
  })
  void post_withAccept_returnsThatType(String accept, String type) {
    var headers =
        accept.isEmpty()
            ? Map.of("Content-Type", JSON)
            : Map.of("Content-Type", JSON, "Accept", accept);
    var answer = client.send("POST", "/graphql", headers, "{\"query\":\"{__typename}\"}");
    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.header("Content-Type")).isEqualTo(type + "; charset=utf-8");
    assertThat(answer.body()).isEqualTo("{\"data\":{\"__typename\":\"query_root\"}}");
  }

  @Test
  void post_acceptingOnlyImages_is406() {
    var answer = post("image/png", "{\"query\":\"{__typename}\"}");
    assertThat(answer.status()).isEqualTo(406);
    assertThat(answer.body()).contains("\"code\":\"NOT_ACCEPTABLE\"");
  }

  @ParameterizedTest
  @ValueSource(strings = {"text/plain", "application/json; charset=utf-16", "multipart/form-data"})
  void post_ofAnotherContentType_is415(String type) {
    var answer =
        client.send(
            "POST", "/graphql", Map.of("Content-Type", type), "{\"query\":\"{__typename}\"}");
    assertThat(answer.status()).isEqualTo(415);
    assertThat(answer.body()).contains("\"code\":\"UNSUPPORTED_MEDIA_TYPE\"");
  }

  @Test
  void post_withoutContentType_is415() {
    var answer = client.send("POST", "/graphql", Map.of(), "{\"query\":\"{__typename}\"}");
    assertThat(answer.status()).isEqualTo(415);
    assertThat(answer.body()).contains("Content-Type is missing").doesNotContain("null");
  }

  @Test
  void head_returnsTheHeadersOfGet() {
    var query = "/graphql?query=" + encoded("{__typename}");
    var answer = client.send("HEAD", query, Map.of(), "");
    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.header("Content-Type")).isEqualTo("application/json; charset=utf-8");
  }

  @Test
  void post_nestedTooDeeply_hasNoParserMessage() {
    var deep = "[".repeat(600) + "]".repeat(600);
    var body = "{\"query\":\"{__typename}\",\"variables\":{\"a\":" + deep + "}}";
    assertThat(post(JSON, body).body())
        .contains("TOO_DEEP", "at most 500 levels")
        .doesNotContain("Stream", "getMax", "Constraints");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{ products(limit: LONG) { id } }",
        "{ products_by_pk(id: LONG) { id } }",
        "{ products(where: {id: {_eq: LONG}}) { id } }",
        "{ products(where: {id: {_eq: \\\"LONG\\\"}}) { id } }",
        "{ products(where: {id: {_eq: aLONG}}) { id } }",
        "{ products { aLONG } }",
        "{ products LONG }",
        "{ products \\\"x xLONG\\\" }",
        "{ products(aLONG: 1) { id } }",
        "query($aLONG: Int) { products(limit: $bLONG) { id } }",
        "{ ...aLONG }",
      })
  void post_withALongWrongPart_echoesItsBeginning(String query) {
    for (var part : new String[] {"9".repeat(500_000), "9 9".repeat(100_000)}) {
      var answer = post(JSON, "{\"query\":\"" + query.replace("LONG", part) + "\"}");
      assertThat(answer.body()).contains("errors").hasSizeLessThan(2_000);
    }
  }

  /** A longer one would take seconds to be read. */
  @ParameterizedTest
  @CsvSource({"1000, false", "1001, true", "500000, true"})
  void post_withALongNumber_isRejectedAtOnce(int digits, boolean refused) {
    for (var number :
        List.of("9".repeat(digits), "-" + "9".repeat(digits - 1), "9".repeat(digits - 2) + "e9")) {
      var answer = post(JSON, "{\"query\":\"{ products(limit: " + number + ") { id } }\"}");
      assertThat(answer.body().contains("at most 1000 are read")).isEqualTo(refused);
      assertThat(answer.body()).contains("errors").doesNotContain("INTERNAL");
    }
  }

  @Test
  void post_withCharsetUtf8_isRead() {
    var answer =
        client.send(
            "POST",
            "/graphql",
            Map.of("Content-Type", "application/json; charset=UTF-8"),
            "{\"query\":\"{ echo(message: \\\"é\\\") { message } }\"}");
    assertThat(answer.body()).isEqualTo("{\"data\":{\"echo\":{\"message\":\"é\"}}}");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "{\"query\": ",
        "[]",
        "\"text\"",
        "{}",
        "{\"query\": null}",
        "{\"query\": 7}",
        "{\"query\": [\"{__typename}\"]}",
        "{\"query\": \"{__typename}\", \"variables\": []}",
        "{\"query\": \"{__typename}\", \"variables\": \"{}\"}",
        "{\"query\": \"{__typename}\", \"operationName\": 1}",
        "{\"query\": \"{__typename}\", \"extensions\": \"x\"}",
        "{\"query\": \"{__typename}\"} {}",
        "{\"query\": \"{__typename}\", \"query\": \"{__typename}\"}",
        "{\"query\": \"{__typename}\", \"variables\": {\"a\": 1, \"a\": 2}}",
      })
  void post_ofAMalformedRequest_is400(String body) {
    for (var accept : new String[] {JSON, RESPONSE_JSON}) {
      var answer = post(accept, body);
      assertThat(answer.status()).as(body).isEqualTo(400);
      assertThat(answer.body()).contains("\"code\":\"MALFORMED_REQUEST\"").doesNotContain("data");
    }
  }

  @Test
  void post_ofInvalidUtf8_is400() {
    var body = "{\"query\":\"{__typename}# \u0000\"}".getBytes(StandardCharsets.ISO_8859_1);
    body[body.length - 3] = (byte) 0xff;
    var answer = client.send("POST", "/graphql", Map.of("Content-Type", JSON), body);
    assertThat(answer.status()).isEqualTo(400);
    assertThat(answer.body()).contains("MALFORMED_REQUEST");
  }

  @ParameterizedTest
  @CsvSource({
    "{, INVALID_DOCUMENT",
    "{ nowhere }, INVALID_DOCUMENT",
    "query($v: Int!) { products(limit: $v) { id } }, INVALID_VALUE",
    "'{ products(where: {id: {_eq: null}}) { id } }', INVALID_VALUE",
    "'{ products_by_pk(id: \"x\") { id } }', INVALID_VALUE",
    "mutation { x }, INVALID_DOCUMENT",
    "subscription { brands @include(if: false) { id } }, INVALID_DOCUMENT",
    "subscription { ...F } fragment F on subscription_root { brands @skip(if: true) { id } },"
        + " INVALID_DOCUMENT",
  })
  void post_ofABadDocument_isTheTypesOwnStatus(String document, String code) {
    var body = "{\"query\":" + Client.quoted(document) + "}";
    assertThat(post(JSON, body).status()).isEqualTo(200);
    var answer = post(RESPONSE_JSON, body);
    assertThat(answer.status()).isEqualTo(400);
    assertThat(answer.body())
        .startsWith("{\"errors\":[{\"message\":")
        .contains("\"code\":\"" + code + "\",\"category\":\"USER\"")
        .doesNotContain("\"data\"");
  }

  @Test
  void get_ofAQuery_returnsItsResult() {
    var document =
        "query A { a: __typename } query B($m: String!) { echo(message: $m) { message } }";
    var answer =
        get(
            "query="
                + encoded(document)
                + "&operationName=B&variables="
                + encoded("{\"m\": \"+ &é\"}"));
    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.body()).isEqualTo("{\"data\":{\"echo\":{\"message\":\"+ &é\"}}}");
  }

  @Test
  void get_ofAMutation_is405() {
    var answer = get("query=" + encoded("mutation { x }"));
    assertThat(answer.status()).isEqualTo(405);
    assertThat(answer.header("Allow")).isEqualTo("POST");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "variables={}", "query={__typename}&variables=x"})
  void get_ofAMalformedRequest_is400(String query) {
    assertThat(get(query.replace("{", "%7B").replace("}", "%7D")).status()).isEqualTo(400);
  }

  @ParameterizedTest
  @CsvSource({
    "A, '{\"data\":{\"a\":\"query_root\"}}'",
    "B, '{\"data\":{\"b\":\"query_root\"}}'",
  })
  void operationName_ofSeveral_selectsOne(String name, String answer) {
    assertThat(
            client
                .post(
                    "{\"query\":\"query A {a:__typename} query B {b:__typename}\","
                        + "\"operationName\":\""
                        + name
                        + "\"}")
                .body())
        .isEqualTo(answer);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", ",\"operationName\":\"C\"", ",\"operationName\":null"})
  void operationName_thatSelectsNone_isAnError(String name) {
    assertThat(
            client
                .post("{\"query\":\"query A {a:__typename} query B {b:__typename}\"" + name + "}")
                .body())
        .contains("INVALID_DOCUMENT")
        .contains("operation");
  }
}

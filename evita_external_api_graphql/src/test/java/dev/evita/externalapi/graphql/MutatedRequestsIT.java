// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.graphql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import dev.evita.externalapi.core.error.HttpErrorCode;
import dev.evita.externalapi.graphql.plan.OracleIT;
import dev.evita.externalapi.graphql.request.GraphQlErrorCode;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Valid requests, mutated at random: every response is JSON, its status is one that the protocol
 * defines, and each error has the code of a client error.
 */
final class MutatedRequestsIT {

  private static final Set<String> USER_CODES =
      Stream.of(ErrorCode.values(), HttpErrorCode.values(), GraphQlErrorCode.values())
          .<EvitaException.Code>flatMap(Stream::of)
          .filter(code -> code.category() == ErrorCode.Category.USER)
          .map(EvitaException.Code::name)
          .collect(Collectors.toSet());

  private static final int REQUESTS = 4_000;

  private static final Set<Integer> STATUS = Set.of(200, 304, 400, 403, 405, 406, 415);

  private static final List<String> DOCUMENTS =
      List.of(
          "{ products(where: {brand: {name: {_eq: \"Brand 2\"}}}, order_by: {id: desc}, limit: 2)"
              + " { id serial brand { name } prices(order_by: {currency: asc}) { amount } } }",
          "query A($id: Int! = 1, $brief: Boolean = true) { p: products_by_pk(id: $id) {"
              + " __typename ...F @skip(if: $brief) } } fragment F on products { id weight added }",
          "query($w: products_bool_exp, $n: Int, $o: [products_order_by!]) {"
              + " products(where: $w, limit: $n, order_by: $o, offset: 1) { id name } }",
          "{ prices_aggregate(where: {currency: {_in: [\"CZK\", \"EUR\"]}}) { aggregate {"
              + " count(columns: amount, distinct: true) sum { amount } max { amount } }"
              + " nodes { amount } } brands { products_aggregate { aggregate { count } } } }",
          "{ products(where: {_or: [{weight: {_gt: 1.5}}, {added: {_is_null: true}},"
              + " {name: {_ilike: \"%3%\"}}, {_not: {active: {_eq: false}}}]},"
              + " distinct_on: brand_id, order_by: [{brand_id: asc}, {id: desc}]) { id } }",
          "{ __schema { queryType { name } types { name kind } } __type(name: \"products\") {"
              + " name fields { name } } }");

  private static final List<String> VARIABLES =
      List.of(
          "{}",
          "{\"id\": 2, \"brief\": false}",
          "{\"w\": {\"id\": {\"_in\": [1, 2, 3]}, \"serial\": {\"_lt\": \"9223372036854775807\"}},"
              + " \"n\": 3, \"o\": [{\"brand\": {\"name\": \"desc_nulls_last\"}}]}",
          "{\"w\": {\"_and\": [{\"added\": {\"_gte\": \"2024-02-29\"}}]}, \"n\": null}");

  private static final List<String> PIECES =
      List.of(
          "{",
          "}",
          "[",
          "]",
          "(",
          ")",
          ":",
          ",",
          "\"",
          "\\",
          "$",
          "...",
          "@",
          "!",
          "#",
          "\n",
          "\u0000",
          "é",
          "\ud83d",
          "null",
          "true",
          "-1",
          "0",
          "1e999",
          "99999999999999999999",
          "1.5",
          "\"x\"",
          "\"\\u00\"",
          "\"\"\"",
          "id",
          "name",
          "_eq",
          "_in",
          "_like",
          "where",
          "limit",
          "offset",
          "order_by",
          "query",
          "mutation",
          "subscription",
          "fragment",
          "on",
          "__typename",
          "__schema",
          "extensions",
          "persistedQuery",
          "documentId",
          "operationName",
          "variables",
          "{}",
          "[]",
          "[{}]");

  private static final List<String> TYPES =
      List.of(
          "application/json",
          "application/json; charset=utf-8",
          "application/graphql-response+json",
          "text/plain",
          "*/*",
          "application/*;q=0.1, text/html",
          ";;=,",
          "");

  private final Random random = new Random();

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void randomlyMutatedRequest_getsAWellFormedResponse(long seed) {
    random.setSeed(seed);
    try (var engine = H2Shop.open(ShopData.engine());
        var client = new Client(engine)) {
      for (int i = 0; i < REQUESTS; i++) {
        requireInOrder(random.nextInt(4) == 0 ? get(client) : post(client), seed + "/" + i);
      }
    }
  }

  private Client.Answer post(Client client) {
    var headers = new LinkedHashMap<String, String>();
    headers.put("Content-Type", random.nextInt(20) == 0 ? any(TYPES) : "application/json");
    accept(headers);
    var body = request();
    if (random.nextInt(10) == 0) {
      body = "[" + body + "," + request() + "]";
    }
    if (random.nextInt(3) == 0) {
      body = mutated(body);
    }
    var bytes = body.getBytes(StandardCharsets.UTF_8);
    if (bytes.length > 0 && random.nextInt(10) == 0) {
      bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
    }
    return client.send("POST", "/graphql", headers, bytes);
  }

  private String request() {
    var document = any(DOCUMENTS);
    var variables = any(VARIABLES);
    return "{\"query\": "
        + Client.quoted(random.nextBoolean() ? mutated(document) : document)
        + ", \"variables\": "
        + (random.nextInt(3) == 0 ? mutated(variables) : variables)
        + (random.nextInt(5) == 0 ? ", " + Client.quoted(any(PIECES)) + ": " + any(PIECES) : "")
        + "}";
  }

  private Client.Answer get(Client client) {
    var target = new StringBuilder("/graphql?x=");
    parameter(target, "query", any(DOCUMENTS));
    parameter(target, "variables", any(VARIABLES));
    if (random.nextInt(4) == 0) {
      parameter(
          target, "extensions", "{\"persistedQuery\": {\"version\": 1, \"sha256Hash\": \"a\"}}");
      parameter(target, any(PIECES), any(PIECES));
    }
    var headers = new LinkedHashMap<String, String>();
    accept(headers);
    headers.put("If-None-Match", any(PIECES));
    return client.send(random.nextInt(9) == 0 ? "HEAD" : "GET", target.toString(), headers, "");
  }

  private void parameter(StringBuilder target, String name, String value) {
    var sent = random.nextInt(3) == 0 ? mutated(value) : value;
    target
        .append('&')
        .append(URLEncoder.encode(name, StandardCharsets.UTF_8))
        .append('=')
        .append(URLEncoder.encode(sent, StandardCharsets.UTF_8));
  }

  private void accept(Map<String, String> headers) {
    if (random.nextInt(4) == 0) {
      headers.put("Accept", any(TYPES));
    }
  }

  private String mutated(String text) {
    var changed = new StringBuilder(text);
    for (int i = random.nextInt(3); i >= 0; i--) {
      var at = random.nextInt(changed.length() + 1);
      var to = Math.min(changed.length(), at + 1 + random.nextInt(6));
      switch (random.nextInt(4)) {
        case 0 -> changed.insert(at, any(PIECES));
        case 1 -> changed.delete(at, to);
        case 2 -> changed.replace(at, to, any(PIECES));
        default -> changed.insert(random.nextInt(changed.length() + 1), changed.substring(at, to));
      }
    }
    return changed.toString();
  }

  private <T> T any(List<T> values) {
    return values.get(random.nextInt(values.size()));
  }

  private static void requireInOrder(Client.Answer answer, String which) {
    assertThat(answer.status()).as("%s: %s", which, answer.body()).isIn(STATUS);
    if (answer.status() == 304) {
      assertThat(answer.body()).isEmpty();
      return;
    }
    assertThat(answer.body()).doesNotContain("Exception", "java.", "graphql.", "org.h2");
    var parsed = OracleIT.parse(answer.body());
    var results = parsed instanceof List<?> batch ? batch : List.of(parsed);
    for (var result : results) {
      var members = (Map<?, ?>) result;
      assertThat(members.containsKey("data") || members.containsKey("errors")).isTrue();
      if (members.get("errors") instanceof List<?> errors) {
        assertThat(errors).isNotEmpty().allSatisfy(error -> requireCode((Map<?, ?>) error, which));
      }
    }
  }

  private static void requireCode(Map<?, ?> error, String which) {
    assertThat(error.get("message")).as(which).isInstanceOf(String.class);
    var code = String.valueOf(((Map<?, ?>) error.get("extensions")).get("code"));
    assertThat(USER_CODES).as("%s: %s", which, error).contains(code);
  }
}

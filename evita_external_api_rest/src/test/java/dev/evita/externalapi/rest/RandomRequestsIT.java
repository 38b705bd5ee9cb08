// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.rest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evita.externalapi.core.limits.Limits;
import java.net.URLEncoder;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Random URLs, headers and bodies: the server responds, never with 500 or with a message of the
 * database, and continues.
 */
final class RandomRequestsIT {

  private static final int REQUESTS = 4_000;

  /** What grammar and schema are made of, put together by chance. */
  private static final List<String> WORDS =
      List.of(
          "id",
          "name",
          "founded",
          "brands",
          "products",
          "brand",
          "tags",
          "prices",
          "price",
          "active",
          "added",
          "stock",
          "*",
          "select",
          "order",
          "limit",
          "offset",
          "or",
          "and",
          "not",
          "columns",
          "on_conflict",
          "eq",
          "neq",
          "gt",
          "lt",
          "like",
          "ilike",
          "in",
          "is",
          "isdistinct",
          "match",
          "fts",
          "fts(english)",
          "wfts",
          "cs",
          "cd",
          "ov",
          "{\"a\":1}",
          "{1",
          "&|",
          "null",
          "true",
          "unknown",
          "(",
          ")",
          "(1,2)",
          "{a,b}",
          "(any)",
          "(all)",
          ",",
          ".",
          ".",
          ".",
          ":",
          "::",
          "text",
          "int8",
          "int",
          "numeric",
          "date",
          "bool",
          "jsonb",
          "uuid",
          "!",
          "inner",
          "left",
          "...",
          "count()",
          "sum()",
          "avg()",
          "max()",
          "asc",
          "desc",
          "nullsfirst",
          "\"",
          "\\",
          "'",
          ";",
          "--",
          "%",
          "1",
          "-1",
          "0",
          "99999999999999999999",
          "1e999",
          "NaN",
          "x",
          "\u0000",
          "é",
          "\ud83d\ude00",
          " ",
          "=",
          "&",
          "->",
          "->>",
          "2026-01-31",
          "2026-13-41");

  private static final List<String> FIELDS =
      List.of(
          "id",
          "name",
          "price",
          "active",
          "added",
          "brands.name",
          "data",
          "data->a",
          "data->>a",
          "data->a->>0",
          "data->-1",
          "data->''\"",
          "list",
          "name->>a");

  private static final List<String> TYPES_TO_CAST_TO =
      List.of(
          "int", "int2", "numeric", "float4", "date", "timestamp", "bool", "uuid", "jsonb", "x");

  /** What the databases have of their own. */
  private static final Map<String, String> INSIDE =
      Map.of(
          "h2",
          """
          create table inside (id int primary key, data json, list int array, name varchar);
          insert into inside values (1, '{"a":[1,"x"]}' format json, array[1, null], '1');
          """,
          "sqlite",
          """
          create table inside (id int primary key, data json, list text, name text);
          insert into inside values (1, '{"a":[1,"x"]}', '[', '1');
          """,
          "postgresql",
          """
          create table inside (id int primary key, data jsonb, list int[], name text);
          insert into inside values (1, '{"a":[1,"x"]}', '{1,null}', '1');
          """);

  private static final List<String> BODIES =
      List.of(
          "",
          "{}",
          "[]",
          "[{}]",
          "null",
          "1",
          "\"x\"",
          "{\"id\":1}",
          "{\"id\":null}",
          "[1]",
          "{\"name\":{\"a\":[1,2]}}",
          "{\"id\":1e400,\"name\":\"x\"}",
          "[{\"id\":7},{\"name\":1}]",
          "{\"id\":8,\"name\":\"\\u0000\"}",
          "{\"id\":8,\"name\":\"\\ud800\"}",
          "{",
          "]",
          "id,name\n1",
          "id,name\n9,x",
          "{\"founded\":99999999999999999999}",
          "[".repeat(2_000),
          "{\"active\":\"maybe\"}",
          "{\"price\":1e999999999}",
          "{\"added\":\"tomorrow\"}");

  private static final List<String> METHODS =
      List.of("GET", "GET", "GET", "GET", "QUERY", "POST", "PATCH", "PUT", "DELETE");

  private static final List<String> TYPES =
      List.of("application/json", "text/csv", "application/x-www-form-urlencoded", "x/y");

  private static final List<String> ACCEPTED =
      List.of("*/*", "text/csv", "application/x-ndjson", "application/vnd.pgrst.object+json");

  private static final List<String> PREFERRED =
      List.of(
          "return=representation",
          "return=headers-only",
          "count=exact",
          "tx=rollback",
          "resolution=merge-duplicates",
          "missing=default",
          "handling=strict",
          "max-affected=x");

  /** Members of rows, some of which are rows themselves. */
  private static final List<String> NESTED =
      List.of(
          "'id':%d",
          "'id':%d,'name':'N'",
          "'id':%d,'name':'N','active':true",
          "'name':'N','products':[{'id':%d,'name':'P','active':true}]",
          "'id':%d,'name':'N','active':true,'brand':{'id':%<d,'name':'B'}",
          "'id':%d,'name':'N','active':true,'brand_id':{'name':'B'}",
          "'id':%d,'name':'N','active':true,'tags':[{'id':%<d,'name':'T'},7]",
          "'id':%d,'name':'N','active':true,'prices':[{'currency':'EUR','amount':1},{}]",
          "'id':%d,'name':'N','products':{'id':1}",
          "'id':%d,'name':'N','active':true,'brand':[]",
          "'id':%d,'name':'N','active':true,'brand':null",
          "'id':%d,'name':'N','nothing':{'a':[{}]}");

  private static final List<String> CONDITIONS =
      List.of("*", "\"x\"", "W/\"0\", \"1-csv\"", "\"", "x", "\"\",,", "~");

  /** Valid and invalid references of a batch to earlier results. */
  private static final List<String> REFERENCES =
      List.of(
          "${0.id}", "${a.id}", "${a[1].id}", "${a.brand.name}", "${9.id}", "${a}", "${", "${}");

  private final Random random = new Random(7);

  @ParameterizedTest
  @ValueSource(strings = {"h2", "sqlite", "postgresql"})
  void randomRequest_getsAResponse_neverStatus500(String kind) {
    var statuses = new TreeMap<Integer, Integer>();
    try (var rest = RestServer.over(kind, RestServer.SHOP + INSIDE.get(kind), Limits.DEFAULT)) {
      for (int i = 0; i < REQUESTS; i++) {
        var target = i % 8 == 0 ? "/$batch" : target();
        var request = request(rest, target);
        var answer = rest.send(request);
        statuses.merge(answer.statusCode(), 1, Integer::sum);
        assertThat(answer.statusCode())
            .as("%s %s: %s", request.method(), target, answer.body())
            .isLessThan(500);
        assertThat(answer.body())
            .as("%s %s", request.method(), target)
            .doesNotContainIgnoringCase("jdbc", "org.h2", "sqlexception", "from \"", "insert into");
      }
      assertThat(rest.send("GET", "/tags?select=id&id=eq.1").statusCode()).isEqualTo(200);
    }
    assertThat(statuses).as("of each kind there are some").containsKeys(200, 400, 404);
  }

  private <T> T any(List<T> of) {
    return of.get(random.nextInt(of.size()));
  }

  private HttpRequest request(RestServer rest, String target) {
    var batch = target.equals("/$batch");
    var nested = !batch && random.nextInt(4) == 0;
    var body = batch ? batch() : nested ? nested() : any(BODIES);
    var request =
        HttpRequest.newBuilder(rest.uri(target))
            .header("Content-Type", batch || nested ? TYPES.getFirst() : any(TYPES))
            .header("Accept", any(ACCEPTED))
            .header("Prefer", any(PREFERRED) + ", " + any(PREFERRED))
            .method(
                batch || nested ? "POST" : any(METHODS), HttpRequest.BodyPublishers.ofString(body));
    if (random.nextInt(4) == 0) {
      request.header(any(List.of("If-Match", "If-None-Match")), any(CONDITIONS));
    }
    if (random.nextInt(8) == 0) {
      request.header("Idempotency-Key", any(List.of("a", "b", " ", "x".repeat(300))));
    }
    return request.build();
  }

  /** A row of several tables, or some of them. */
  private String nested() {
    var rows = new StringBuilder();
    for (int i = 1 + random.nextInt(2); i > 0; i--) {
      var row = any(NESTED).formatted(1 + random.nextInt(1_000));
      rows.append(rows.isEmpty() ? "" : ",").append('{').append(row).append('}');
    }
    return ("[" + rows + "]").replace('\'', '"');
  }

  /** A few requests, which may refer to the first of them. */
  private String batch() {
    var requests = new StringBuilder("{\"id\":\"a\",\"method\":\"GET\",\"url\":\"brands\"}");
    for (int i = random.nextInt(4); i > 0; i--) {
      requests.append(",{\"method\":\"").append(any(METHODS)).append("\",\"url\":\"");
      requests.append(target().substring(1));
      if (random.nextBoolean()) {
        requests.append("?id=").append(any(List.of("eq.", "in.(1,", "x"))).append(any(REFERENCES));
      }
      requests.append("\",\"body\":").append(member());
      if (random.nextInt(4) == 0) {
        requests.append(",\"headers\":{\"If-Match\":\"*\",\"Prefer\":\"").append(any(PREFERRED));
        requests.append("\"}");
      }
      requests.append('}');
    }
    return "{\"requests\":[" + requests + "]}";
  }

  private String member() {
    return switch (random.nextInt(4)) {
      case 0 -> nested();
      case 1 -> "{\"id\":{\"$ref\":\"a.id\"},\"name\":{\"$ref\":\"" + any(FIELDS) + "\"}}";
      case 2 -> "{\"id\":" + random.nextInt(1_000) + ",\"name\":\"N\"}";
      default -> "[]";
    };
  }

  private String target() {
    var target =
        new StringBuilder(
            "/" + any(List.of("brands", "products", "nothing", "tags", "inside", "inside")));
    for (int i = random.nextInt(4); i > 0; i--) {
      target.append(target.indexOf("?") < 0 ? '?' : '&').append(parameter());
    }
    return target.toString();
  }

  /** Half of them nearly right, so that they come further. */
  private String parameter() {
    return switch (random.nextInt(8)) {
      case 0 -> encoded(any(FIELDS)) + "=" + test();
      case 1 -> "select=" + text(1 + random.nextInt(5), ",");
      case 6 -> "select=id," + encoded(any(FIELDS)) + "::" + any(TYPES_TO_CAST_TO);
      case 7 -> "order=" + encoded(any(FIELDS)) + ".desc";
      case 2 -> "or=(" + encoded("id.") + test() + "," + encoded("name.") + test() + ")";
      case 3 -> "order=" + text(1 + random.nextInt(3), ".");
      default -> text(1 + random.nextInt(2), "") + "=" + text(random.nextInt(6), "");
    };
  }

  private String test() {
    return any(
            List.of(
                "eq",
                "in",
                "is",
                "like",
                "gt",
                "not.eq",
                "eq(any)",
                "isdistinct",
                "cs",
                "cd",
                "ov",
                "fts",
                "wfts(simple)"))
        + "."
        + text(1 + random.nextInt(2), "");
  }

  private String text(int words, String between) {
    var text = new StringBuilder();
    for (int i = 0; i < words; i++) {
      text.append(i > 0 ? between : "").append(any(WORDS));
    }
    return encoded(text.toString());
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }
}

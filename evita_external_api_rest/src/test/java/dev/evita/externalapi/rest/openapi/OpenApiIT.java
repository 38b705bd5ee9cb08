// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.rest.openapi;

import static org.assertj.core.api.Assertions.assertThat;

import com.networknt.schema.InputFormat;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import dev.evita.externalapi.core.exchange.JsonTree;
import dev.evita.externalapi.core.json.JsonWriter;
import dev.evita.externalapi.core.limits.Limits;
import dev.evita.externalapi.rest.RestServer;
import java.net.URLEncoder;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The server conforms to the OpenAPI document. */
final class OpenApiIT {

  private static final String BATCH = "{\"requests\": [{\"method\": \"GET\", \"url\": \"rpc\"}]}";
  private static final String HERE = "https://evita.example/openapi.json";

  /** Requests for which the document's schemas must hold, as long as they name and cast nothing. */
  private static final List<String> READS =
      List.of(
          "/brands",
          "/brands?select=id",
          "/brands?select=id,name&order=name.desc&limit=1",
          "/brands?select=n:name",
          "/brands?select=id&founded=is.null",
          "/brands?id=in.(1,3)",
          "/brands?or=(id.eq.1,and(id.gt.1,not.or(name.eq.Borg,id.eq.9)))",
          "/brands?id=eq.9",
          "/products",
          "/products?select=id,brand(name)",
          "/products?select=*,brands(*)",
          "/products?select=id,tags(name)",
          "/products?select=id,prices(amount)&prices.limit=1",
          "/products?select=id,...brands(maker:name)",
          "/products?select=count()",
          "/brands?select=name,products!inner(id,prices!inner(amount))",
          "/brands?select=name,products(count())",
          "/categories?select=*,parent(*)",
          "/trips?select=id,home(name),away(name)",
          "/prices",
          "/product_tags",
          "/nothing",
          "/brands?nothing=eq.1",
          "/brands?id=xy.1",
          "/trips?select=brands(id)",
          "/brands?limit=-1");

  private static final String TYPES =
      """
      create table kinds (
        id int primary key, small smallint, big bigint, exact numeric(12, 2), single real,
        twice double precision, truth boolean, word varchar(9), a_day date, a_time time,
        moment timestamp, zoned timestamp with time zone, tag uuid, doc json, bytes %s);
      insert into kinds (id) values (1);
      insert into kinds values (
        2, 3, 9223372036854775807, 12.50, 0.5, %s, true, 'x', '2026-01-31', '13:45:00',
        '2026-01-31 13:45:00', '2026-01-31 13:45:00+01:00', '0b59a8b4-61f0-4d4c-a4f4-c9b2f8f3a3a1',
        %s '{"a": [1, null]}', %s);
      """;

  @ParameterizedTest
  @ValueSource(strings = {"h2", "sqlite", "postgresql"})
  void parameters_documented_areAccepted(String kind) {
    try (var rest = RestServer.over(kind, StrangeNames.script(0), Limits.DEFAULT)) {
      var document = document(rest.get("/openapi.json"));
      var paths = at(document, "paths");
      assertThat(paths).hasSize(StrangeNames.TABLES.size() + 2);
      paths.forEach((path, item) ->
          object(item)
              .forEach(
                  (method, operation) -> accepts(rest, document, path, method, object(operation))));
    }
  }

  private static void accepts(
      RestServer rest,
      Map<String, Object> document,
      String path,
      String method,
      Map<String, Object> operation) {
    var required = new ArrayList<String>();
    var optional = new ArrayList<String>();
    for (var each : list(operation.get("parameters"))) {
      var parameter = resolved(document, object(each));
      if (parameter.get("in").equals("query") && parameter.containsKey("example")) {
        var text = encoded(parameter.get("name")) + "=" + encoded(parameter.get("example"));
        (Boolean.TRUE.equals(parameter.get("required")) ? required : optional).add(text);
      }
    }
    if (method.equals("patch") || method.equals("delete")) {
      required.add(encoded("the key") + "=eq.1");
    }
    var targets = new ArrayList<String>();
    optional.forEach(text -> targets.add(String.join("&", required) + "&" + text));
    targets.add(String.join("&", required));
    for (var target : targets) {
      var answer = send(rest, method, path + "?" + target);
      assertThat(answer.statusCode())
          .as("%s %s %s", method, answer.uri(), answer.body())
          .isBetween(200, 299);
    }
  }

  private static HttpResponse<String> send(RestServer rest, String method, String target) {
    var body =
        switch (method) {
          case "post" -> target.startsWith("/$batch") ? BATCH : "{\"the key\":2}";
          case "put" -> "{\"the key\":1}";
          case "patch" -> "{\"my col\":\"x\"}";
          default -> "";
        };
    return rest.send(
        HttpRequest.newBuilder(rest.uri(target))
            .method(
                method.toUpperCase(java.util.Locale.ROOT),
                HttpRequest.BodyPublishers.ofString(body))
            .header("Prefer", "tx=rollback, return=representation")
            .build());
  }

  @ParameterizedTest
  @ValueSource(strings = {"h2", "sqlite", "postgresql"})
  void responses_ofAllKinds_areAsDocumented(String kind) {
    try (var rest = RestServer.shop(kind)) {
      var schemas = new Schemas(rest.get("/openapi.json"));
      for (var target : READS) {
        var path = target.replaceFirst("\\?.*", "");
        var documented = path.equals("/nothing") ? "/brands" : path;
        schemas.require(documented, "get", rest.send("GET", target));
        var object = "application/vnd.pgrst.object+json";
        schemas.require(documented, "get", rest.send("GET", target, "Accept", object));
      }
      for (var method : List.of("delete", "patch")) {
        schemas.require(
            "/brands", method, rest.send(method.toUpperCase(java.util.Locale.ROOT), "/brands"));
      }
      schemas.require(
          "/brands", "get", rest.send("GET", "/brands", "Range", "7-9", "Prefer", "count=exact"));
      schemas.require("/brands", "get", rest.send("GET", "/brands", "Accept", "image/png"));
      var batch =
          HttpRequest.newBuilder(rest.uri("/$batch"))
              .POST(HttpRequest.BodyPublishers.ofString(BATCH.replace("rpc", "brands")));
      schemas.require("/$batch", "post", rest.send(batch.build()));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"h2", "sqlite", "postgresql"})
  void rows_ofAllTypes_areAsDocumented(String kind) {
    var script =
        switch (kind) {
          case "h2" -> TYPES.formatted("varbinary(9)", "'NaN'", "json", "X'00ff'");
          case "sqlite" -> TYPES.formatted("blob", "9e999", "", "X'00ff'");
          default -> TYPES.formatted("bytea", "'NaN'", "", "'\\x00ff'");
        };
    try (var rest = RestServer.over(kind, script, Limits.DEFAULT)) {
      var rows = rest.send("GET", "/kinds");
      assertThat(rows.body()).contains("9223372036854775807");
      new Schemas(rest.get("/openapi.json")).require("/kinds", "get", rows);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"h2", "postgresql"})
  void routines_areAsDocumented(String kind) {
    try (var rest =
        RestServer.over(kind, RestServer.SHOP + RestServer.routines(kind), Limits.DEFAULT)) {
      var text = rest.get("/openapi.json");
      var schemas = new Schemas(text);
      assertThat(at(document(text), "paths", "/rpc/add_brand")).containsOnlyKeys("post");
      for (var target : List.of("cheapest?p1=2", "cheapest?p1=0", "price_with_tax?p1=10&p2=20")) {
        var path = "/rpc/" + target.replaceFirst("\\?.*", "");
        schemas.require(path, "get", rest.send("GET", "/rpc/" + target));
      }
      var add =
          HttpRequest.newBuilder(rest.uri("/rpc/add_brand"))
              .POST(HttpRequest.BodyPublishers.ofString("{\"p1\": 7, \"p2\": \"x\"}"));
      schemas.require("/rpc/add_brand", "post", rest.send(add.build()));
      schemas.require("/rpc/add_brand", "post", rest.send(add.build()));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"h2", "postgresql"})
  void document_ofSchemas_describesTheRequestedOne(String kind) {
    var script =
        """
        create schema sales;
        create table brands (id int generated always as identity primary key, name varchar(9) not null);
        create table sales.orders (id int primary key, brand_id int references public.brands (id), n int default 7);
        create view names as select name from brands;
        comment on table brands is 'Who makes it';
        comment on column brands.name is 'As people say it';
        """;
    try (var rest = RestServer.over(kind, script, Limits.DEFAULT)) {
      var whole = document(rest.get("/openapi.json"));
      assertThat(at(whole, "paths"))
          .containsOnlyKeys("/brands", "/names", "/sales_orders", "/$batch");
      assertThat(at(whole, "paths", "/names")).containsOnlyKeys("get", "head");
      var schemas = at(whole, "components", "schemas");
      assertThat(at(schemas, "BrandsRow")).containsEntry("description", "Who makes it");
      assertThat(at(schemas, "BrandsRow", "properties", "id")).containsEntry("readOnly", true);
      assertThat(at(schemas, "BrandsRow", "properties", "name").get("description").toString())
          .startsWith("As people say it");
      assertThat(at(schemas, "BrandsInsert").get("required")).isEqualTo(List.of("name"));
      assertThat(at(schemas, "BrandsInsert", "properties")).containsOnlyKeys("name");
      assertThat(at(schemas, "SalesOrdersInsert", "properties", "n"))
          .containsEntry("type", List.of("integer", "null"))
          .containsEntry("default", 7L);
      var sales = document(rest.get("/openapi.json", "Accept-Profile", "sales"));
      assertThat(at(sales, "paths")).containsOnlyKeys("/orders", "/$batch");
      var nowhere = rest.send("GET", "/openapi.json", "Accept-Profile", "nowhere");
      assertThat(nowhere.statusCode()).isEqualTo(406);
      assertThat(nowhere.body()).contains("PGRST106");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"h2", "sqlite", "postgresql"})
  void document_sameDatabase_isTheSameBytesAtRootAndByName(String kind) {
    try (var rest = RestServer.shop(kind);
        var other = RestServer.shop(kind)) {
      var named = rest.send("GET", "/openapi.json");
      assertThat(named.headers().firstValue("content-type")).hasValue("application/openapi+json");
      assertThat(rest.get("/")).isEqualTo(named.body());
      assertThat(rest.get("")).isEqualTo(named.body());
      assertThat(other.get("/")).isEqualTo(named.body());
      var tag = named.headers().firstValue("etag").orElseThrow();
      var again = rest.send("GET", "/", "If-None-Match", "\"x\", W/" + tag);
      assertThat(again.statusCode()).isEqualTo(304);
      assertThat(again.body()).isEmpty();
      var json = rest.send("GET", "/", "Accept", "application/json");
      assertThat(json.headers().firstValue("content-type")).hasValue("application/json");
      assertThat(rest.send("GET", "/", "Accept", "text/csv").statusCode()).isEqualTo(406);
      assertThat(rest.send("POST", "/openapi.json").statusCode()).isEqualTo(405);
    }
  }

  /** Validates responses against the schemas of a document. */
  private static final class Schemas {
    private final Map<String, Object> document;
    private final SchemaRegistry registry;

    private Schemas(String text) {
      document = document(text);
      registry =
          SchemaRegistry.withDefaultDialect(
              SpecificationVersion.DRAFT_2020_12, builder -> builder.schemas(Map.of(HERE, text)));
    }

    private void require(String path, String method, HttpResponse<String> answer) {
      var pointer = "/paths/" + path.replace("~", "~0").replace("/", "~1") + "/" + method;
      var responses = at(document, "paths", path, method, "responses");
      var status = String.valueOf(answer.statusCode());
      assertThat(responses).as("%s %s", answer.uri(), answer.body()).containsKey(status);
      var response = resolved(document, object(responses.get(status)));
      var type = answer.headers().firstValue("content-type").orElseThrow().replaceFirst(";.*", "");
      assertThat(at(response, "content")).as(pointer).containsKey(type);
      var schema = at(response, "content", type, "schema");
      var whole = JsonWriter.inMemory();
      whole.tree(absolute(schema));
      var problems =
          registry
              .getSchema(
                  SchemaLocation.of(HERE + "/one"),
                  new String(whole.take(), StandardCharsets.UTF_8),
                  InputFormat.JSON)
              .validate(answer.body(), InputFormat.JSON);
      assertThat(problems).as("%s %s", answer.uri(), answer.body()).isEmpty();
    }

    private static Object absolute(Object schema) {
      return switch (schema) {
        case Map<?, ?> map -> {
          var copy = new java.util.LinkedHashMap<String, Object>();
          map.forEach((key, value) ->
              copy.put((String) key, key.equals("$ref") ? HERE + value : absolute(value)));
          yield copy;
        }
        case List<?> list -> list.stream().map(Schemas::absolute).toList();
        default -> schema;
      };
    }
  }

  private static Map<String, Object> document(String text) {
    return object(JsonTree.parse(text.getBytes(StandardCharsets.UTF_8)));
  }

  private static Map<String, Object> resolved(
      Map<String, Object> document, Map<String, Object> node) {
    var reference = node.get("$ref");
    return reference == null ? node : at(document, reference.toString().substring(2).split("/"));
  }

  private static Map<String, Object> at(Map<String, Object> tree, String... path) {
    var node = tree;
    for (var name : path) {
      assertThat(node).containsKey(name);
      node = object(node.get(name));
    }
    return node;
  }

  @SuppressWarnings("unchecked") // the names of JSON's objects are texts
  private static Map<String, Object> object(Object node) {
    return (Map<String, Object>) node;
  }

  private static List<?> list(Object node) {
    return (List<?>) node;
  }

  private static String encoded(Object text) {
    return URLEncoder.encode(String.valueOf(text), StandardCharsets.UTF_8);
  }
}

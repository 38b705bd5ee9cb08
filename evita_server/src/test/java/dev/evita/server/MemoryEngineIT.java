// SPDX-License-Identifier: Apache-2.0
package dev.evita.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.MethodDescriptor;
import dev.evita.api.Column;
import dev.evita.api.Column.Generation;
import dev.evita.api.DataType.Scalar;
import dev.evita.api.ForeignKey;
import dev.evita.api.Key;
import dev.evita.api.Table;
import dev.evita.api.TableName;
import dev.evita.api.testkit.memory.MemoryEngine;
import dev.evita.externalapi.core.ExternalApiServer;
import dev.evita.externalapi.core.InProcessClient.Request;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;

/**
 * All protocols serve an engine without SQL: they offer what it supports, which works, and refuse
 * the rest with the names of the feature and the engine.
 */
final class MemoryEngineIT {

  private final MemoryEngine engine = new MemoryEngine();
  private @Nullable ExternalApiServer server;

  private static TableName name(String table) {
    return new TableName(MemoryEngine.SCHEMA, table);
  }

  private static Table table(String name, List<ForeignKey> foreignKeys, Column... further) {
    var columns = new ArrayList<Column>();
    columns.add(Column.of("id", Scalar.INT32, false));
    columns.add(Column.of("name", Scalar.TEXT, false));
    columns.addAll(List.of(further));
    var key = new Key(name + "_pk", List.of("id"));
    return new Table(
        name(name), Table.Kind.TABLE, columns, key, List.of(), List.of(), foreignKeys, null);
  }

  @BeforeEach
  void start() {
    engine.createTable(table("brands", List.of()));
    var brand = new ForeignKey("brand", List.of("brand_id"), name("brands"), List.of("id"));
    engine.createTable(
        table(
            "products",
            List.of(brand),
            Column.of("brand_id", Scalar.INT32, true),
            new Column("stock", Scalar.INT32, "int32", true, "5", Generation.NONE, null)));
    server = ExternalApiServer.over(engine).start();
    assertThat(
            graphQl(
                "mutation { insert_brands(objects: [{id: 1, name: \"Acme\"}]) { affected_rows }"
                    + " insert_products(objects: [{id: 1, name: \"Anvil\", brand_id: 1},"
                    + " {id: 2, name: \"Rope\", brand_id: 1, stock: 7}])"
                    + " { returning { id stock } } }"))
        .isEqualTo(
            "{\"data\":{\"insert_brands\":{\"affected_rows\":1},\"insert_products\":{\"returning\":"
                + "[{\"id\":1,\"stock\":5},{\"id\":2,\"stock\":7}]}}}");
  }

  @AfterEach
  void stop() {
    server().close();
    engine.close();
  }

  private ExternalApiServer server() {
    return Objects.requireNonNull(server);
  }

  private String graphQl(String query) {
    var body = "{\"query\": " + new ObjectMapper().writeValueAsString(query) + "}";
    return server().client().send(Request.post("/graphql", "application/json", body)).text();
  }

  @Test
  void graphQl_everyKindOfField_works() {
    assertThat(
            graphQl(
                "{ products(where: {name: {_like: \"%o%\"}, _or: [{stock: {_gt: 1}}]}, order_by:"
                    + " {id: desc}, limit: 5, offset: 0) { id name } products_by_pk(id: 1) { name"
                    + " brand_id } }"))
        .isEqualTo(
            "{\"data\":{\"products\":[{\"id\":2,\"name\":\"Rope\"}],\"products_by_pk\":{\"name\":"
                + "\"Anvil\",\"brand_id\":1}}}");
    assertThat(
            graphQl(
                "mutation { update_products_by_pk(pk_columns: {id: 2}, _inc: {stock: 3}) { stock }"
                    + " update_products(where: {id: {_eq: 1}}, _set: {name: \"Anvil 2\"}) {"
                    + " affected_rows } update_products_many(updates: [{where: {id: {_eq: 1}},"
                    + " _set: {stock: 0}}]) { affected_rows } insert_products_one(object: {id: 3,"
                    + " name: \"Cube\"}) { id } delete_products_by_pk(id: 3) { name }"
                    + " delete_brands(where: {}) { affected_rows } }"))
        .isEqualTo(
            "{\"data\":{\"update_products_by_pk\":{\"stock\":10},\"update_products\":"
                + "{\"affected_rows\":1},\"update_products_many\":[{\"affected_rows\":1}],"
                + "\"insert_products_one\":{\"id\":3},\"delete_products_by_pk\":{\"name\":\"Cube\"},"
                + "\"delete_brands\":{\"affected_rows\":1}}}");
    assertThat(
            graphQl(
                "mutation { insert_products_one(object: {id: 4, name: \"Oil\", brand: {data: {id: 8,"
                    + " name: \"Yoyo\"}}}) { brand_id } }"))
        .isEqualTo("{\"data\":{\"insert_products_one\":{\"brand_id\":8}}}");
  }

  /** The names of a kind of members of the types of the schema. */
  private List<String> introspected(String type, String members) {
    var answer = graphQl("{ __type(name: \"" + type + "\") { " + members + " { name } } }");
    var names = new ArrayList<String>();
    JsonNode found = new ObjectMapper().readTree(answer).at("/data/__type/" + members);
    found.forEach(each -> names.add(each.at("/name").asString()));
    return names;
  }

  @Test
  void graphQl_schema_hasNoFieldThatAlwaysFails() {
    assertThat(introspected("query_root", "fields"))
        .containsExactlyInAnyOrder("brands", "brands_by_pk", "products", "products_by_pk");
    assertThat(introspected("products", "fields"))
        .containsExactlyInAnyOrder("id", "name", "brand_id", "stock");
    assertThat(introspected("products_bool_exp", "inputFields"))
        .containsExactlyInAnyOrder("_and", "_not", "_or", "id", "name", "brand_id", "stock");
    assertThat(introspected("products_order_by", "inputFields"))
        .containsExactlyInAnyOrder("id", "name", "brand_id", "stock");
    assertThat(introspected("String_comparison_exp", "inputFields"))
        .contains("_like")
        .doesNotContain("_regex");
    assertThat(introspected("products_insert_input", "inputFields"))
        .containsExactlyInAnyOrder("id", "name", "brand_id", "stock", "brand");
    var all = graphQl("{ __schema { types { name fields { name args { name } } } } }");
    assertThat(all)
        .doesNotContain(
            "distinct_on",
            "on_conflict",
            "products_aggregate",
            "products_group",
            "PageInfo",
            "select_column");
  }

  private String rest(Request request, int status) {
    var response = server().client().send(request);
    assertThat(response.status()).as(response.text()).isEqualTo(status);
    return response.text();
  }

  @Test
  void rest_readsAndWrites() {
    assertThat(
            rest(
                Request.get("/rest/products?select=id,name&name=like.*o*&order=id.desc&limit=3"),
                200))
        .isEqualTo("[{\"id\":2,\"name\":\"Rope\"}]");
    assertThat(rest(Request.get("/rest/products?select=id&order=id&limit=1&offset=1"), 200))
        .isEqualTo("[{\"id\":2}]");
    rest(Request.post("/rest/brands", "application/json", "{\"id\": 7, \"name\": \"Zeta\"}"), 201);
    assertThat(rest(Request.get("/rest/brands?select=name&id=eq.7"), 200))
        .isEqualTo("[{\"name\":\"Zeta\"}]");
  }

  @Test
  void rest_missingFeature_isRefusedByItsName() {
    assertThat(rest(Request.get("/rest/products?select=id,brand(name)"), 400))
        .contains("UNSUPPORTED_OPERATION", "MemoryEngine", "nested rows of single relationships");
    assertThat(rest(Request.get("/rest/products?select=price:stock.sum()"), 400))
        .contains("UNSUPPORTED_OPERATION", "MemoryEngine", "aggregates");
    assertThat(rest(Request.get("/rest/products?name=match.A"), 400))
        .contains("UNSUPPORTED_OPERATION");
    assertThat(rest(Request.get("/rest/products?select=stock::text,name::int"), 400))
        .contains("UNSUPPORTED_OPERATION", "MemoryEngine", "casts");
    var upsert =
        new Request(
            "POST",
            "/rest/brands?on_conflict=id",
            Map.of("Content-Type", "application/json", "Prefer", "resolution=merge-duplicates"),
            "{\"id\": 1, \"name\": \"\"}".getBytes(StandardCharsets.UTF_8));
    assertThat(rest(upsert, 400)).contains("UNSUPPORTED_OPERATION", "MemoryEngine", "upserts");
  }

  @Test
  void openApi_hasNoOperationThatAlwaysFails() {
    var document = new ObjectMapper().readTree(rest(Request.get("/rest/openapi.json"), 200));
    var products = document.at("/paths/~1products");
    assertThat(products.propertyNames())
        .containsExactlyInAnyOrder("get", "head", "post", "patch", "delete");
    assertThat(products.at("/post/parameters").toString())
        .doesNotContain("onConflict", "idempotencyKey");
  }

  @Test
  void grpc_readsAndOffersNothingThatAlwaysFails() throws Exception {
    var client = new GrpcWebClient(server().uri());
    var file = client.file(MemoryEngine.SCHEMA + ".proto");
    var service = file.findServiceByName("Products");
    assertThat(service.getMethods())
        .extracting(MethodDescriptor::getName)
        .containsExactly("Get", "Scan", "Insert", "InsertMany", "Update", "Delete", "Watch");
    assertThat(client.call(service.findMethodByName("Scan"))).hasSize(2);
    assertThat(fields(file.findMessageTypeByName("ProductsFilter")))
        .containsExactlyInAnyOrder(
            "id", "name", "brand_id", "stock", "all_of", "any_of", "none_of");
    assertThat(fields(file.findMessageTypeByName("TextComparison")))
        .contains("like")
        .doesNotContain("matches", "imatches");
  }

  private static List<String> fields(Descriptor message) {
    return message.getFields().stream().map(FieldDescriptor::getName).toList();
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.rest.writes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evita.externalapi.rest.RestServer;
import java.net.http.HttpResponse;
import java.util.List;
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

/** Rows of several tables in one POST, on every database. */
@ParameterizedClass
@ValueSource(strings = {"h2", "sqlite", "postgresql", "later"})
final class NestedInsertIT {

  private static final String ORDER =
      """
      {"customer":"x",
       "order_items":[{"product_id":1,"qty":2},{"product":{"id":9,"name":"New","brand_id":2},"qty":3}],
       "address":{"city":"Brno"}}
      """;

  private static final String SHOWN =
      "/orders?select=customer,address(city),order_items(qty,product(name))&order_items.order=qty";

  private static final List<String> TABLES =
      List.of("brands", "products", "tags", "addresses", "orders", "order_items", "staff", "trips");

  @Parameter private String kind = "";
  private RestServer rest;

  @BeforeEach
  void open() {
    rest = NestedDatabase.open(kind);
  }

  @AfterEach
  void close() {
    rest.close();
  }

  private HttpResponse<String> post(String target, String body, String... preferences) {
    return rest.write("POST", target, body, "Prefer", String.join(", ", preferences));
  }

  private void answers(String target, String body, String expected) {
    var answer = post(target, body.replace('\'', '"'), "return=representation");
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(201);
    assertThat(answer.body()).isEqualTo(expected.strip().replace('\'', '"'));
  }

  private String count(String table) {
    return rest.get("/" + table + "?select=count()").replaceAll("[^0-9]", "");
  }

  private String counts() {
    return TABLES.stream().map(this::count).collect(Collectors.joining(","));
  }

  @Test
  void parentsAndChildren_withKeysOfTheDatabase() {
    answers(
        SHOWN,
        ORDER,
        """
        [{'customer':'x','address':{'city':'Brno'},'order_items':[\
        {'qty':2,'product':{'name':'Anvil'}},{'qty':3,'product':{'name':'New'}}]}]
        """);
    assertThat(rest.get("/products?id=eq.9&select=brand(name)"))
        .isEqualTo("[{\"brand\":{\"name\":\"Borg\"}}]");
  }

  @Test
  void arrays_areReturnedInTheirOrder() {
    answers(
        SHOWN,
        """
        [{'customer':'b','order_items':[{'qty':1}]},
         {'customer':'a'},
         {'customer':'c','address':{'city':'C'},'order_items':[]}]
        """,
        """
        [{'customer':'b','address':null,'order_items':[{'qty':1,'product':null}]},\
        {'customer':'a','address':null,'order_items':[]},\
        {'customer':'c','address':{'city':'C'},'order_items':[]}]
        """);
  }

  @Test
  void relationships_haveTheNamesThatSelectEmbedsBy() {
    answers(
        "/products?select=id,brand(name)&order=id",
        "{'id':20,'name':'a','brand':{'id':20,'name':'by relationship'}}",
        "[{'id':20,'brand':{'name':'by relationship'}}]");
    answers(
        "/products?select=id,brand(name)",
        "{'id':21,'name':'a','brands':{'id':21,'name':'by table'}}",
        "[{'id':21,'brand':{'name':'by table'}}]");
    answers(
        "/products?select=id,brand(name)",
        "{'id':22,'name':'a','brand_id':{'id':22,'name':'by column'}}",
        "[{'id':22,'brand':{'name':'by column'}}]");
    answers(
        "/trips?select=home(name),away(name)",
        "{'id':1,'home':{'id':23,'name':'H'},'brands!away_id':{'id':24,'name':'A'}}",
        "[{'home':{'name':'H'},'away':{'name':'A'}}]");
  }

  @Test
  void selfReferences_workInBothDirections() {
    answers(
        "/staff?select=name,boss(name),staff(name,staff(name))&staff.order=id",
        """
        {'id':2,'name':'Mid','boss':{'id':1,'name':'Top'},'staff':[{'id':3,'name':'Low'},
         {'id':4,'name':'Lower','staff':[{'id':5,'name':'Lowest'}]}]}
        """,
        """
        [{'name':'Mid','boss':{'name':'Top'},'staff':[{'name':'Low','staff':[]},\
        {'name':'Lower','staff':[{'name':'Lowest'}]}]}]
        """);
  }

  @Test
  void oneToOne_worksInBothDirections() {
    answers(
        "/staff?select=name,passports(number)",
        "{'id':1,'name':'A','passports':{'number':'P1'}}",
        "[{'name':'A','passports':{'number':'P1'}}]");
    answers(
        "/passports?select=staff_id,staff(name)",
        "{'number':'P2','staff':{'id':2,'name':'B'}}",
        "[{'staff_id':2,'staff':{'name':'B'}}]");
  }

  @Test
  void compositeKeys_linkAndAreReadAgain() {
    var body =
        IntStream.range(0, 70)
            .mapToObj(i ->
                "{'id':%d,'region':'r%d','tenant_users':[{'id':%d}]}".formatted(i / 7, i % 7, i))
            .collect(Collectors.joining(",", "[", "]"));
    var shown =
        IntStream.range(0, 70)
            .mapToObj(i ->
                "{'id':%d,'region':'r%d','tenant_users':[{'id':%d}]}".formatted(i / 7, i % 7, i))
            .collect(Collectors.joining(",", "[", "]"));
    answers("/tenants?select=id,region,tenant_users(id)", body, shown);
    answers(
        "/tenant_users?select=tenant_region,tenants(name)",
        "{'id':100,'tenants':{'id':50,'region':'eu','name':'T'}}",
        "[{'tenant_region':'eu','tenants':{'name':'T'}}]");
  }

  @Test
  void manyToMany_isNestedThroughTheJoiningTable_orDirectly() {
    answers(
        "/products?select=name,tags(name)&tags.order=name",
        "{'id':30,'name':'P','product_tags':[{'tag':{'name':'new'}},{'tag':{'name':'old'}}]}",
        "[{'name':'P','tags':[{'name':'new'},{'name':'old'}]}]");
    answers(
        "/products?select=name,tags(name)&tags.order=name",
        "{'id':31,'name':'Q','tags':[{'name':'x'},{'name':'y'}],'product_tags':[{'tag_id':1}]}",
        "[{'name':'Q','tags':[{'name':'new'},{'name':'x'},{'name':'y'}]}]");
  }

  @Test
  void minimal_andHeadersOnly_returnNoRows() {
    var minimal = post("/orders", ORDER, "count=exact");
    assertThat(minimal.statusCode()).as(minimal.body()).isEqualTo(201);
    assertThat(minimal.body()).isEmpty();
    assertThat(minimal.headers().firstValue("content-range")).hasValue("*/1");
    var headers =
        post(
            "/staff",
            "{\"id\":7,\"name\":\"A\",\"staff\":[{\"id\":8,\"name\":\"B\"}]}",
            "return=headers-only");
    assertThat(headers.headers().firstValue("location")).hasValue("/rest/staff?id=eq.7");
  }

  @Test
  void responses_haveTheRequestedFormat() {
    var csv =
        rest.write(
            "POST",
            "/staff?select=id,staff(name)",
            "[{\"id\":1,\"name\":\"A\",\"staff\":[{\"id\":2,\"name\":\"B\"}]},{\"id\":3,\"name\":\"C\"}]",
            "Prefer",
            "return=representation",
            "Accept",
            "text/csv");
    assertThat(csv.body()).isEqualTo("id,staff\r\n1,\"[{\"\"name\"\":\"\"B\"\"}]\"\r\n3,[]\r\n");
  }

  @Test
  void columns_andDefaults_holdForTheTableItself() {
    var body =
        """
        [{"customer":"a","junk":1,"order_items":[{"qty":1}]},{"customer":"b","total":2}]
        """;
    var target = "/orders?columns=customer,total,order_items&select=total,order_items(qty)";
    var nulls = post(target, body, "return=representation");
    assertThat(nulls.body())
        .isEqualTo(
            "[{\"total\":null,\"order_items\":[{\"qty\":1}]},{\"total\":2,\"order_items\":[]}]");
    var other = body.replace("\"a\"", "\"c\"").replace("\"b\"", "\"d\"");
    var defaults = post(target, other, "return=representation", "missing=default");
    assertThat(defaults.body()).startsWith("[{\"total\":7,");
    var unread = post("/orders?columns=customer", "{\"customer\":\"e\",\"order_items\":7}");
    assertThat(unread.statusCode()).as(unread.body()).isEqualTo(201);
    assertThat(count("order_items")).isEqualTo("2");
  }

  @Test
  void upsert_holdsForTheTableItself() {
    var body =
        """
        [{"customer":"Old","total":5,"order_items":[{"qty":1}]},{"customer":"n","total":6,"order_items":[]}]
        """;
    var target = "/orders?on_conflict=customer&select=customer,total,order_items(qty)";
    var ignored = post(target, body, "resolution=ignore-duplicates");
    assertThat(ignored.statusCode()).isEqualTo(409);
    assertThat(ignored.body()).contains("\"code\":\"23505\"", "[0]: the row exists");
    assertThat(count("orders")).isEqualTo("1");
    var merged = post(target, body, "resolution=merge-duplicates", "return=representation");
    assertThat(merged.body())
        .isEqualTo(
            "[{\"customer\":\"Old\",\"total\":5,\"order_items\":[{\"qty\":1}]},"
                + "{\"customer\":\"n\",\"total\":6,\"order_items\":[]}]");
    var nested =
        post(
            "/products?on_conflict=id",
            "{\"id\":1,\"name\":\"M\",\"brand\":{\"id\":1,\"name\":\"again\"}}",
            "resolution=merge-duplicates");
    assertThat(nested.statusCode()).isEqualTo(409);
    assertThat(rest.get("/products?id=eq.1&select=name")).isEqualTo("[{\"name\":\"Anvil\"}]");
  }

  @Test
  void upsert_setsWhatComesFromNestedRows() {
    var merged =
        post(
            "/products?select=name,brand(name)",
            "[{\"id\":1,\"name\":\"M\",\"brand\":{\"id\":7,\"name\":\"Seven\"}},{\"id\":2,\"name\":\"N\",\"brand_id\":2}]",
            "resolution=merge-duplicates",
            "return=representation");
    assertThat(merged.body())
        .contains("{\"name\":\"M\",\"brand\":{\"name\":\"Seven\"}}")
        .contains("{\"name\":\"N\",\"brand\":{\"name\":\"Borg\"}}");
  }

  @Test
  void failureInNestedRows_rollsBack() {
    var before = counts();
    var body = ORDER.replace("\"qty\":3", "\"qty\":0");
    var answer = post("/orders", body);
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(400);
    assertThat(answer.body()).contains("\"code\":\"23514\"");
    assertThat(counts()).isEqualTo(before);
    var refused = post("/orders", ORDER, "handling=strict", "max-affected=4");
    assertThat(refused.body()).contains("PGRST124", "affects 5 rows");
    assertThat(counts()).isEqualTo(before);
    assertThat(post("/orders", ORDER, "tx=rollback").statusCode()).isEqualTo(201);
    assertThat(counts()).isEqualTo(before);
  }

  @Test
  void batch_takesNestedRows_withReferences() {
    var answer =
        rest.write(
            "POST",
            "/$batch",
            """
            {"requests":[
              {"id":"o","method":"POST","url":"orders?select=id,address(id)",
               "body":{"customer":"x","address":{"city":"Brno"}}},
              {"method":"POST","url":"orders","body":{"customer":"y",
               "address_id":{"$ref":"o.address.id"},"order_items":[{"qty":1,"product_id":1}]}},
              {"method":"GET","url":"orders?customer=eq.y&select=address(city),order_items(qty)"}]}
            """);
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    assertThat(answer.body())
        .contains("\"body\":[{\"address\":{\"city\":\"Brno\"},\"order_items\":[{\"qty\":1}]}]");
  }

  @Test
  void idempotencyKey_repeated_replaysTheResponse() {
    var headers = new String[] {"Prefer", "return=representation", "Idempotency-Key", "k"};
    var first = rest.write("POST", SHOWN, ORDER, headers);
    var second = rest.write("POST", SHOWN, ORDER, headers);
    assertThat(first.statusCode()).as(first.body()).isEqualTo(201);
    assertThat(second.body()).isEqualTo(first.body());
    assertThat(second.headers().firstValue("idempotent-replayed")).hasValue("true");
    assertThat(count("order_items")).isEqualTo("2");
  }

  @Test
  void plainRows_takeOneStatement_andLevelsOneEach() {
    var before = rest.operations();
    post("/brands", "[{\"id\":50,\"name\":\"a\"},{\"id\":51,\"name\":\"b\"}]");
    assertThat(rest.operations() - before).isEqualTo(1);
    post("/brands?select=id", "{\"id\":52,\"name\":\"a\"}", "return=representation");
    assertThat(rest.operations() - before).isEqualTo(2);
    var many =
        IntStream.range(100, 300)
            .mapToObj(i ->
                "{\"id\":%1$d,\"name\":\"n\",\"brand\":{\"id\":%1$d,\"name\":\"b\"}}".formatted(i))
            .collect(Collectors.joining(",", "[", "]"));
    post("/products", many);
    assertThat(rest.operations() - before).isEqualTo(4);
    assertThat(count("products")).isEqualTo("202");
  }

  /** Invalid nested rows; a bar separates target, body, status, code, and the place. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          /orders | {"customer":"x","junk":1} | 400 | PGRST204 | find the 'junk' column of 'orders'
          /orders | {"customer":"x","junk":{}} | 400 | PGRST204 | and the relationships address, order_items
          /orders | {"order_items":[{"junk":1}]} | 400 | PGRST204 | find the 'junk' column of 'order_items'
          /orders | {"order_items":null} | 400 | PGRST102 | order_items: null is no row
          /orders | {"order_items":{"qty":1}} | 400 | PGRST102 | order_items: an object is no row of a relationship; expected an array
          /orders | {"order_items":[{"qty":1,"product":7}]} | 400 | PGRST102 | order_items[0].product: '7'
          /orders | [{"customer":"a"},{"customer":"b","order_items":[7]}] | 400 | PGRST102 | [1].order_items[0]: '7'
          /orders | {"address":[{"city":"x"}]} | 400 | PGRST102 | address: an array is no row
          /orders | {"address_id":1,"address":{"city":"x"}} | 400 | PGRST102 | address_id: its value comes from a relationship
          /orders | {"address":{"city":"x"},"addresses":{"city":"y"}} | 400 | PGRST102 | address_id: its value comes from a relationship
          /orders | {"order_items":[{"order_id":1}]} | 400 | PGRST102 | order_items[0].order_id: its value
          /orders | {"order_items":[{"qty":"many"}]} | 400 | 22P02 | order_items[0].qty
          /orders | {"doubled":1,"order_items":[]} | 400 | 428C9 | doubled
          /orders | [{"customer":"a","order_items":[]},{"total":1}] | 400 | PGRST102 | All object keys must match
          /orders?columns=customer,junk | {"customer":"a"} | 400 | PGRST204 | 'junk' column of 'orders'
          /orders?select=count() | {"customer":"a","order_items":[]} | 400 | 0A000 | aggregated
          /orders?id=eq.1 | {"order_items":[]} | 400 | PGRST100 | A filter
          /trips | {"id":1,"brands":{"id":7,"name":"x"}} | 300 | PGRST201 | brands!home
          /log?select=text,brand(name) | [{"text":"a","brand":{"id":7,"name":"x"}},{"text":"b"}] | 400 | 0A000 | 'log' cannot be returned
          /products | {"id":7,"name":{"a":1}} | 400 | 22P02 | name
          /orders | {"customer":"x","order_items":[{"qty":1,"product":{"id":7,"name":null}}]} | 400 | 23502 | NOT_NULL
          """)
  void invalidNestedRows_areRejectedAndChangeNothing(
      String target, String body, int status, String code, String place) {
    var before = counts();
    var answer = post(target, body, "return=representation");
    assertThat(answer.body()).contains(code).contains(place);
    assertThat(answer.statusCode()).isEqualTo(status);
    assertThat(counts()).isEqualTo(before);
  }

  @Test
  void otherRequests_takeNoNestedRows() {
    var patch = rest.write("PATCH", "/orders?id=eq.1", "{\"address\":{\"city\":\"x\"}}");
    assertThat(patch.body()).contains("PGRST204");
    var put =
        rest.write(
            "PUT",
            "/staff?id=eq.1",
            "{\"id\":1,\"name\":\"A\",\"boss\":{\"id\":2,\"name\":\"B\"}}");
    assertThat(put.body()).contains("PGRST204");
    var deep =
        IntStream.range(0, 60)
            .mapToObj(i -> "{\"id\":" + i + ",\"name\":\"x\"")
            .collect(Collectors.joining(",\"boss\":", "", "}".repeat(60)));
    var tooDeep = post("/staff", deep);
    assertThat(tooDeep.statusCode()).isEqualTo(400);
    assertThat(tooDeep.body()).contains("TOO_DEEP", "max-depth");
  }
}

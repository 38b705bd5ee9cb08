// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.rest.reads;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evita.externalapi.core.limits.Limits;
import dev.evita.externalapi.rest.RestServer;
import java.net.http.HttpRequest;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Reads follow PostgREST's documentation on every database. */
@ParameterizedClass
@ValueSource(strings = {"h2", "sqlite", "postgresql", "later"})
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class ReadIT {

  @Parameter private String kind = "";
  private RestServer rest;

  @BeforeParameterizedClassInvocation
  void open() {
    rest = RestServer.shop(kind);
  }

  @AfterParameterizedClassInvocation
  void close() {
    rest.close();
  }

  /** A range applies to the returned rows, not to the input of an aggregate. */
  @Test
  void aggregate_range_appliesToTheResponse() {
    var all = rest.send("GET", "/products?select=count()", "Range", "0-0");
    assertThat(all.body()).isEqualTo("[{\"count\":4}]");
    assertThat(all.headers().firstValue("Content-Range")).hasValue("0-0/*");
    assertThat(rest.send("GET", "/products?select=count()", "Range", "1-1").body()).isEqualTo("[]");
    var counted = rest.send("GET", "/products?select=count()", "Prefer", "count=exact");
    assertThat(counted.body()).isEqualTo("[{\"count\":4}]");
    assertThat(counted.headers().firstValue("Content-Range")).hasValue("0-0/4");
  }

  /** A target and its response, separated by a bar. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          /brands?id=eq.1 | [{"id":1,"name":"Acme","founded":1920}]
          /brands?select=name&order=name.desc | [{"name":"Zeta"},{"name":"Borg"},{"name":"Acme"}]
          /brands?select=n:name,id::text&id=eq.2 | [{"n":"Borg","id":"2"}]
          /brands?select=id&founded=is.null | [{"id":3}]
          /brands?select=id&founded=not.is.null&order=id | [{"id":1},{"id":2}]
          /brands?select=id&founded=is.not_null&order=id | [{"id":1},{"id":2}]
          /brands?select=id&order=founded.asc.nullsfirst | [{"id":3},{"id":1},{"id":2}]
          /brands?select=id&order=founded.desc | [{"id":3},{"id":2},{"id":1}]
          /brands?select=id&order=founded.desc.nullslast,id | [{"id":2},{"id":1},{"id":3}]
          /brands?select=id&id=in.(1,3)&order=id | [{"id":1},{"id":3}]
          /brands?select=id&name=in.("Acme","Zeta")&order=id | [{"id":1},{"id":3}]
          /brands?select=id&id=in.() | []
          /brands?select=id&id=not.in.(1,3) | [{"id":2}]
          /brands?select=id&name=neq.Acme&order=id | [{"id":2},{"id":3}]
          /brands?select=id&name=like.*e*&order=id | [{"id":1},{"id":3}]
          /brands?select=id&name=ilike.a% | [{"id":1}]
          /brands?select=id&name=like(any).{A*,B*}&order=id | [{"id":1},{"id":2}]
          /brands?select=id&name=like(all).{*e*,Z*} | [{"id":3}]
          /brands?select=id&id=eq(any).{2,3}&order=id | [{"id":2},{"id":3}]
          /brands?select=id&founded=isdistinct.1920&order=id | [{"id":2},{"id":3}]
          /brands?select=id&founded=not.isdistinct.1920 | [{"id":1}]
          /brands?select=id&id=gt.1&id=lt.3 | [{"id":2}]
          /brands?select=id&id=gte.2&order=id&limit=1 | [{"id":2}]
          /brands?select=id&order=id&limit=1&offset=1 | [{"id":2}]
          /brands?select=id&or=(id.eq.1,name.eq.Zeta)&order=id | [{"id":1},{"id":3}]
          /brands?select=id&not.or=(id.eq.1,id.eq.3) | [{"id":2}]
          /brands?select=id&or=(id.eq.1,and(id.gt.1,not.or(name.eq.Borg,id.eq.9)))&order=id | [{"id":1},{"id":3}]
          /brands?select=id&and=(id.in.(1,2),name.not.eq.Acme) | [{"id":2}]
          /products?select=id&name=eq.100% wool, "soft" | [{"id":4}]
          /products?select=id&or=(name.eq."100% wool, \\"soft\\"",id.eq.3)&order=id | [{"id":3},{"id":4}]
          /products?select=id&active=is.false | [{"id":4}]
          /products?select=id&active=is.true&order=id | [{"id":1},{"id":2},{"id":3}]
          /products?select=id&active=eq.true&stock=lt.10&order=id | [{"id":1},{"id":3}]
          /products?select=id,price&price=gte.99.90&order=price | [{"id":1,"price":99.90},{"id":3,"price":1000.00}]
          /products?select=id&added=eq.2026-01-31 13:45:00 | [{"id":1}]
          /products?select=id,brand(name)&order=id | [{"id":1,"brand":{"name":"Acme"}},{"id":2,"brand":{"name":"Acme"}},{"id":3,"brand":{"name":"Borg"}},{"id":4,"brand":null}]
          /products?select=id,brands(name)&id=eq.3 | [{"id":3,"brands":{"name":"Borg"}}]
          /products?select=id,brand_id(name)&id=eq.3 | [{"id":3,"brand_id":{"name":"Borg"}}]
          /products?select=id,maker:brands!brand_id(name)&id=eq.3 | [{"id":3,"maker":{"name":"Borg"}}]
          /products?select=id,brands!inner(name)&brands.name=eq.Borg | [{"id":3,"brands":{"name":"Borg"}}]
          /products?select=id,brands(name)&brands.name=eq.Borg&id=lt.4&order=id | [{"id":1,"brands":null},{"id":2,"brands":null},{"id":3,"brands":{"name":"Borg"}}]
          /products?select=id,brands()&brands=is.null | [{"id":4}]
          /products?select=id,brands()&brands=not.is.null&order=id | [{"id":1},{"id":2},{"id":3}]
          /products?select=id,brands()&or=(brands.is.null,id.eq.1)&order=id | [{"id":1},{"id":4}]
          /products?select=id,brands(products())&id=eq.1 | [{"id":1}]
          /products?select=id,brands(products(prices()))&id=eq.1 | [{"id":1}]
          /products?select=id,brands!inner(products!inner(prices!inner()))&brands.products.prices.amount=lt.10&order=id | [{"id":1},{"id":2}]
          /products?select=id,brands(name,products())&id=eq.1 | [{"id":1,"brands":{"name":"Acme"}}]
          /products?select=id,brands(products(id),trips!home_id())&brands.products.order=id&id=eq.1 | [{"id":1,"brands":{"products":[{"id":1},{"id":2}]}}]
          /products?select=id,tags(product_tags())&id=eq.1 | [{"id":1}]
          /products?select=id,...brands(products())&id=eq.1 | [{"id":1}]
          /products?select=id,brands(...products())&id=eq.1 | [{"id":1}]
          /products?select=id,brands(products())&brands=is.null | [{"id":4}]
          /brands?select=products(prices())&order=id | [{},{},{}]
          /products?select=id,...brands(maker:name,founded)&order=id | [{"id":1,"maker":"Acme","founded":1920},{"id":2,"maker":"Acme","founded":1920},{"id":3,"maker":"Borg","founded":2365},{"id":4,"maker":null,"founded":null}]
          /products?select=id,brands()&order=brands(name).desc,id&brands=not.is.null | [{"id":3},{"id":1},{"id":2}]
          /products?select=id,brands(name)&brands.name=eq.Borg&order=brands(name),id | [{"id":3,"brands":{"name":"Borg"}},{"id":1,"brands":null},{"id":2,"brands":null},{"id":4,"brands":null}]
          /products?select=id,brands()&brands.name=neq.Borg&order=brands(name).nullsfirst,id.desc | [{"id":4},{"id":3},{"id":2},{"id":1}]
          /brands?select=name,products(id)&order=id&products.order=id.desc | [{"name":"Acme","products":[{"id":2},{"id":1}]},{"name":"Borg","products":[{"id":3}]},{"name":"Zeta","products":[]}]
          /brands?select=name,products(id)&order=id&products.order=id.desc&products.limit=1 | [{"name":"Acme","products":[{"id":2}]},{"name":"Borg","products":[{"id":3}]},{"name":"Zeta","products":[]}]
          /brands?select=name,products!inner(id,prices!inner(amount))&products.prices.amount=lt.10 | [{"name":"Acme","products":[{"id":2,"prices":[{"amount":9.00}]}]}]
          /brands?select=name,products(id)&products.or=(id.eq.1,id.eq.3)&id=lt.3&order=id | [{"name":"Acme","products":[{"id":1}]},{"name":"Borg","products":[{"id":3}]}]
          /products?select=id,tags(name)&tags.order=name&id=lt.3&order=id | [{"id":1,"tags":[{"name":"heavy"},{"name":"sale"}]},{"id":2,"tags":[{"name":"sale"}]}]
          /products?select=id,tags(name)&tags.order=name&tags.limit=1&id=eq.1 | [{"id":1,"tags":[{"name":"heavy"}]}]
          /products?select=id,tags!inner(name)&tags.name=eq.new | [{"id":3,"tags":[{"name":"new"}]}]
          /categories?select=name,parent(name)&order=id | [{"name":"All","parent":null},{"name":"Tools","parent":{"name":"All"}},{"name":"Hand tools","parent":{"name":"Tools"}}]
          /categories?select=name,children:categories!parent_id(name)&order=id | [{"name":"All","children":[{"name":"Tools"}]},{"name":"Tools","children":[{"name":"Hand tools"}]},{"name":"Hand tools","children":[]}]
          /categories?select=name,categories!parent_id(name,categories!parent_id(name))&id=eq.1 | [{"name":"All","categories":[{"name":"Tools","categories":[{"name":"Hand tools"}]}]}]
          /categories?select=name,above:categories!parent(name)&id=eq.2 | [{"name":"Tools","above":{"name":"All"}}]
          /trips?select=id,home(name),away(name)&id=eq.1 | [{"id":1,"home":{"name":"Acme"},"away":{"name":"Borg"}}]
          /trips?select=id,brands!home_id(name)&id=eq.1 | [{"id":1,"brands":{"name":"Acme"}}]
          /products?select=count() | [{"count":4}]
          /products?select=n:count(),stock.sum(),stock.max() | [{"n":4,"sum":106,"max":100}]
          /products?select=brand_id,count()&brand_id=not.is.null&order=brand_id | [{"brand_id":1,"count":2},{"brand_id":2,"count":1}]
          /products?select=count()&limit=2 | [{"count":4}]
          /products?select=count()&limit=0 | []
          /products?select=count()&offset=1 | []
          /products?select=id.max()&limit=1&order=id | [{"max":4}]
          /products?select=brand_id,count()&order=brand_id&limit=1 | [{"brand_id":1,"count":2}]
          /brands?select=name,products(id.max())&products.order=id&id=eq.1 | [{"name":"Acme","products":[{"max":2}]}]
          /brands?select=name,products(count())&order=id | [{"name":"Acme","products":[{"count":2}]},{"name":"Borg","products":[{"count":1}]},{"name":"Zeta","products":[{"count":0}]}]
          """)
  void read_url_returnsRows(String target, String expected) {
    var answer = rest.send("GET", target);
    assertThat(answer.body()).isEqualTo(shown(expected));
    assertThat(answer.statusCode()).isEqualTo(200);
  }

  /** SQLite keeps no zeros at the end of a decimal. */
  private String shown(String expected) {
    return kind.equals("sqlite")
        ? expected.replaceAll("\\.00\\b", "").replaceAll("(\\.\\d)0\\b", "$1")
        : expected;
  }

  /** Invalid URLs with their status and code. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          /nothing | 404 | PGRST205
          /brands/1 | 404 | PGRST125
          /brands?nothing=eq.1 | 400 | 42703
          /brands?select=nothing | 400 | 42703
          /brands?order=nothing | 400 | 42703
          /brands?id=1 | 400 | PGRST100
          /brands?id=xy.1 | 400 | PGRST100
          /brands?id=eq | 400 | PGRST100
          /brands?id=eq.one | 400 | 22P02
          /brands?id=eq.99999999999999999999 | 400 | 22P02
          /brands?id=in.1 | 400 | PGRST100
          /brands?id=in.(1 | 400 | PGRST100
          /brands?id=is.one | 400 | PGRST100
          /brands?id=is.true | 400 | 42804
          /brands?name=sl.x | 400 | 0A000
          /brands?name=cs.{x} | 400 | 0A000
          /brands?or=(id.eq.1 | 400 | PGRST100
          /brands?or=() | 400 | PGRST100
          /brands?or=id.eq.1 | 400 | PGRST100
          /brands?select=id, | 400 | PGRST100
          /brands?select=products(id | 400 | PGRST100
          /brands?select=id::json | 400 | 0A000
          /brands?select=name->a | 400 | 0A000
          /brands?select=tags(id) | 400 | PGRST200
          /categories?select=categories!id(id) | 400 | PGRST200
          /trips?select=brands(id) | 300 | PGRST201
          /brands?select=...products(...prices(amount)) | 400 | 0A000
          /products?select=...brands(count()) | 400 | 0A000
          /brands?select=products(count())&products.limit=1 | 400 | 0A000
          /brands?select=products(count())&products.offset=1 | 400 | 0A000
          /brands?products.id=eq.1 | 400 | PGRST108
          /brands?order=products(id) | 400 | PGRST108
          /brands?select=products()&order=products(id) | 400 | PGRST118
          /brands?limit=-1 | 416 | PGRST103
          /brands?offset=-1 | 400 | PGRST100
          /brands?limit=x | 400 | PGRST100
          /brands?order=id.up | 400 | PGRST100
          """)
  void read_invalidUrl_isRejectedWithTheCause(String target, int status, String code) {
    var answer = rest.send("GET", target);
    assertThat(answer.body()).contains("\"code\":\"" + code + "\"");
    assertThat(answer.statusCode()).isEqualTo(status);
    assertThat(answer.headers().firstValue("content-type")).hasValue("application/problem+json");
  }

  @Test
  void range_andCount_areReported() {
    var first =
        rest.send("GET", "/brands?select=id&order=id", "Range", "0-1", "Prefer", "count=exact");
    assertThat(first.statusCode()).isEqualTo(206);
    assertThat(first.body()).isEqualTo("[{\"id\":1},{\"id\":2}]");
    assertThat(first.headers().firstValue("content-range")).hasValue("0-1/3");
    var uncounted = rest.send("GET", "/brands?select=id&order=id&limit=2&offset=1");
    assertThat(uncounted.statusCode()).isEqualTo(200);
    assertThat(uncounted.headers().firstValue("content-range")).hasValue("1-2/*");
    var none = rest.send("GET", "/brands?id=eq.9", "Prefer", "count=exact");
    assertThat(none.statusCode()).isEqualTo(200);
    assertThat(none.headers().firstValue("content-range")).hasValue("*/0");
    var beyond = rest.send("GET", "/brands", "Range", "7-9", "Prefer", "count=exact");
    assertThat(beyond.statusCode()).isEqualTo(416);
    assertThat(beyond.headers().firstValue("content-range")).hasValue("*/3");
    assertThat(rest.send("GET", "/brands", "Range", "9-7").statusCode()).isEqualTo(416);
  }

  /** {@code Range} is defined for GET (RFC 9110, section 14.2), and for QUERY as for GET. */
  @Test
  void range_otherMethods_isIgnored() {
    var head = rest.send("HEAD", "/brands", "Range", "0-1", "Prefer", "count=exact");
    assertThat(head.statusCode()).isEqualTo(200);
    assertThat(head.headers().firstValue("content-range")).hasValue("0-2/3");
    assertThat(rest.send("HEAD", "/brands", "Range", "9-7").statusCode()).isEqualTo(200);
    var query =
        HttpRequest.newBuilder(rest.uri("/brands"))
            .header("Content-Type", "application/x-www-form-urlencoded")
            .header("Range", "1-1")
            .method("QUERY", HttpRequest.BodyPublishers.ofString("select=id&order=id"));
    assertThat(rest.send(query.build()).body()).isEqualTo("[{\"id\":2}]");
  }

  @Test
  void head_isGetWithoutBody() {
    var head = rest.send("HEAD", "/brands", "Prefer", "count=exact");
    assertThat(head.statusCode()).isEqualTo(200);
    assertThat(head.body()).isEmpty();
    assertThat(head.headers().firstValue("content-range")).hasValue("0-2/3");
  }

  @Test
  void object_isOneRowOrNone() {
    var accept = "application/vnd.pgrst.object+json";
    var one = rest.send("GET", "/brands?select=name&id=eq.1", "Accept", accept);
    assertThat(one.body()).isEqualTo("{\"name\":\"Acme\"}");
    assertThat(one.headers().firstValue("content-type").orElseThrow()).startsWith(accept);
    var none = rest.send("GET", "/brands?id=eq.9", "Accept", accept);
    assertThat(none.statusCode()).isEqualTo(406);
    assertThat(none.body()).contains("PGRST116", "0 rows");
    var many = rest.send("GET", "/brands", "Accept", accept);
    assertThat(many.statusCode()).isEqualTo(406);
    assertThat(many.body()).contains("PGRST116");
  }

  @Test
  void csv_ofSpreadRows_isPlain() {
    var target =
        "/products?select=id,...brands(maker:name,founded,one:products(id))&id=gt.2&order=id";
    assertThat(rest.send("GET", target, "Accept", "text/csv").body())
        .isEqualTo("id,maker,founded,one\r\n3,Borg,2365,\"[{\"\"id\"\":3}]\"\r\n4,,,\r\n");
  }

  /** A column means the foreign key that it is of, not one that refers to it. */
  @Test
  void embedding_byAColumnThatIsReferredTo_followsItsOwnKey() {
    var script =
        """
        create table a (id int primary key, x_id int unique);
        create table b (id int primary key, x_id int unique references a (x_id));
        create table c (id int primary key, x_id int unique references b (x_id));
        insert into a values (1, 5);
        insert into b values (2, 5);
        insert into c values (3, 5);
        """;
    try (var chain = RestServer.over(kind, script, Limits.DEFAULT)) {
      assertThat(chain.get("/b?select=x_id(id),c(id)"))
          .isEqualTo("[{\"x_id\":{\"id\":1},\"c\":{\"id\":3}}]");
    }
  }

  @Test
  void csv_hasHeaderAndQuotes() {
    var target = "/products?select=id,name,price,active,brands(name)&id=gt.2&order=id";
    var csv = rest.send("GET", target, "Accept", "text/csv");
    assertThat(csv.body())
        .isEqualTo(
            shown(
                """
                id,name,price,active,brands\r
                3,Cube,1000.00,true,"{""name"":""Borg""}"\r
                4,"100% wool, ""soft""\",,false,\r
                """));
    assertThat(csv.headers().firstValue("content-type")).hasValue("text/csv; charset=utf-8");
  }

  @Test
  void ndjson_isALineForEachRow() {
    assertThat(rest.get("/brands?select=id&order=id", "Accept", "application/x-ndjson"))
        .isEqualTo("{\"id\":1}\n{\"id\":2}\n{\"id\":3}\n");
  }

  @Test
  void vary_namesWhatChooses() {
    var tag = rest.send("GET", "/brands").headers().firstValue("etag").orElseThrow();
    for (var answer :
        List.of(
            rest.send("GET", "/brands"),
            rest.send("HEAD", "/brands?id=eq.1"),
            rest.send("GET", "/brands", "If-None-Match", tag),
            rest.send("GET", "/brands", "Accept", "image/png"))) {
      assertThat(answer.headers().firstValue("vary"))
          .as(answer.toString())
          .hasValue("Accept, Accept-Profile, Prefer, Range");
    }
  }

  @Test
  void accept_ofUnsupportedTypes_is406() {
    var answer = rest.send("GET", "/brands", "Accept", "image/png");
    assertThat(answer.statusCode()).isEqualTo(406);
    assertThat(answer.body()).contains("PGRST107");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "array+json;nulls=stripped   | /brands?id=eq.3 | [{'id':3,'name':'Zeta'}]",
        "object+json;nulls=stripped  | /brands?id=eq.3 | {'id':3,'name':'Zeta'}",
        "object;nulls=stripped       | /brands?id=eq.3 | {'id':3,'name':'Zeta'}",
        "object+json; nulls=stripped; q=0.5, text/csv;q=0.1 | /brands?id=eq.3 | {'id':3,'name':'Zeta'}",
        "array+json                  | /brands?id=eq.3 | [{'id':3,'name':'Zeta','founded':null}]",
        "array+json;nulls=stripped   | /brands?id=gt.9 | []",
        "array+json;nulls=stripped   | /products?select=id,price,brand(founded,name)&id=gte.3&order=id |"
            + " [{'id':3,'price':1000.00,'brand':{'founded':2365,'name':'Borg'}},{'id':4}]",
      })
  void accept_withoutNulls_omitsThem(String type, String target, String rows) {
    var accept = "application/vnd.pgrst." + type;
    var answer = rest.send("GET", target, "Accept", accept);
    assertThat(answer.body()).isEqualTo(shown(rows.replace('\'', '"')));
    var sent = answer.headers().firstValue("content-type").orElseThrow();
    assertThat(sent)
        .isEqualTo(
            type.startsWith("array+json") && !type.contains("nulls")
                ? "application/json; charset=utf-8"
                : "application/vnd.pgrst."
                    + (type.startsWith("array") ? "array" : "object")
                    + "+json; nulls=stripped; charset=utf-8");
    var tag = answer.headers().firstValue("etag").orElseThrow();
    assertThat(rest.send("GET", target, "Accept", accept, "If-None-Match", tag).statusCode())
        .isEqualTo(304);
  }

  @Test
  void profile_ofAnUnknownSchema_is406() {
    assertThat(rest.get("/brands", "Accept-Profile", "nowhere")).contains("PGRST106");
    assertThat(rest.get("/brands?select=id&id=eq.1", "Accept-Profile", "public"))
        .isEqualTo("[{\"id\":1}]");
  }

  @Test
  void prefer_unknown_isRejectedIfStrict() {
    assertThat(rest.send("GET", "/brands", "Prefer", "shiny").statusCode()).isEqualTo(200);
    assertThat(rest.get("/brands", "Prefer", "handling=strict, shiny")).contains("PGRST122");
  }

  @Test
  void query_takesTheFilterFromItsBody() {
    var request =
        HttpRequest.newBuilder(rest.uri("/brands?select=id"))
            .header("Content-Type", "application/x-www-form-urlencoded")
            .method("QUERY", HttpRequest.BodyPublishers.ofString("id=in.(1,3)&order=id"));
    assertThat(rest.send(request.build()).body()).isEqualTo("[{\"id\":1},{\"id\":3}]");
    var json =
        HttpRequest.newBuilder(rest.uri("/brands"))
            .header("Content-Type", "application/json")
            .method("QUERY", HttpRequest.BodyPublishers.ofString("{}"));
    assertThat(rest.send(json.build()).statusCode()).isEqualTo(415);
  }

  /**
   * Plans are cached by the shape of the URL: a value must not be mistaken for a part of another
   * shape.
   */
  @Test
  void shape_ofAnotherUrl_cannotBeImitated() {
    assertThat(rest.get("/brands?select=id&order=id&limit=1")).isEqualTo("[{\"id\":1}]");
    for (var select : new String[] {"id\n/order=id\n/limit", "id\n/8:order=id\n/limit\n"}) {
      var answer = rest.send("GET", "/brands?select=" + select);
      assertThat(answer.statusCode()).as(answer.body()).isEqualTo(400);
      assertThat(answer.body()).containsAnyOf("42703", "PGRST100");
    }
  }

  @Test
  void malformedEncoding_isRejected() {
    for (var query : new String[] {"?id=eq.%zz", "?id=eq.%e4", "?name=eq.%"}) {
      assertThat(rest.raw("/brands" + query)).as(query).startsWith("HTTP/1.1 400");
    }
  }

  @Test
  void count_asOlderClientsAskForIt() {
    assertThat(rest.get("/brands?select=id,products(count)&id=eq.1"))
        .isEqualTo("[{\"id\":1,\"products\":[{\"count\":2}]}]");
    assertThat(rest.get("/brands?select=count")).isEqualTo("[{\"count\":3}]");
  }
}

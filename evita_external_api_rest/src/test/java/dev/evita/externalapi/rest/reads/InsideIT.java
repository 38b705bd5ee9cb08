// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.rest.reads;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evita.externalapi.core.limits.Limits;
import dev.evita.externalapi.rest.RestServer;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Operators on arrays, JSON, texts and ranges, and casts, on databases that support them. */
@ParameterizedClass
@ValueSource(strings = {"h2", "sqlite", "postgresql"})
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class InsideIT {

  /** Tables with what each database has. */
  private static final Map<String, String> TABLES =
      Map.of(
          "h2",
          """
          create table things (id int primary key, label varchar(50), price numeric(10, 2),
            flag boolean, data json, added timestamp, tags varchar array, numbers int array);
          insert into things values
            (1, '42', 9.50, true, '{"a":{"b":["x","y z"]},"n":5}' format json,
              '2026-01-31 13:45:00', array['a', 'b c'], array[1, 2]),
            (2, 'lazy dogs', 10.49, false, '{"a":null,"n":7}' format json, null, array[], array[3]),
            (3, null, null, null, null, null, null, null);
          """,
          "sqlite",
          """
          create table things (id int4 primary key, label varchar(50), price numeric(10, 2),
            flag boolean, data json, added text, tags text, numbers text);
          insert into things values
            (1, '42', 9.50, true, '{"a":{"b":["x","y z"]},"n":5}', '2026-01-31 13:45:00', null, null),
            (2, 'lazy dogs', 10.49, false, '{"a":null,"n":7}', null, null, null),
            (3, null, null, null, null, null, null, null);
          """,
          "postgresql",
          """
          create table things (id int primary key, label varchar(50), price numeric(10, 2),
            flag boolean, data jsonb, added timestamp, tags text[], numbers int[],
            words tsvector, span int4range, plain json);
          insert into things values
            (1, '42', 9.50, true, '{"a":{"b":["x","y z"]},"n":5}', '2026-01-31 13:45:00',
              '{a,"b c"}', '{1,2}', to_tsvector('english', 'The quick foxes'), '[1,10)', '{"a":1}'),
            (2, 'lazy dogs', 10.49, false, '{"a":null,"n":7}', null, '{}', '{3}',
              to_tsvector('english', 'lazy dog'), '[20,30)', '{"a":2}'),
            (3, null, null, null, null, null, null, null, null, null, null);
          """);

  @Parameter private String kind = "";
  private RestServer rest;

  @BeforeParameterizedClassInvocation
  void open() {
    rest = RestServer.over(kind, TABLES.get(kind), Limits.DEFAULT);
  }

  @AfterParameterizedClassInvocation
  void close() {
    rest.close();
  }

  private void requireAnswer(String target, String expected) {
    var answer = rest.send("GET", "/things?" + target);
    assertThat(answer.body().replace(": ", ":").replace(", ", ",")).isEqualTo(expected);
    assertThat(answer.statusCode()).isEqualTo(200);
  }

  private void requireRefused(String target, String code) {
    var answer = rest.send("GET", "/things?" + target);
    assertThat(answer.body()).contains("\"code\":\"" + code + "\"");
    assertThat(answer.statusCode()).isEqualTo(400);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          select=price::int&id=lt.3&order=id | [{"price":10},{"price":10}]
          select=p:price::float8&id=eq.1 | [{"p":9.5}]
          select=flag::int,id::text,id::numeric&id=lt.3&order=id | [{"flag":1,"id":"1","id":1},{"flag":0,"id":"2","id":2}]
          select=id::bool&id=eq.2 | [{"id":true}]
          select=label::int&id=in.(1,3)&order=id | [{"label":42},{"label":null}]
          select=label::numeric&id=eq.1 | [{"label":42}]
          select=added::date&id=eq.1 | [{"added":"2026-01-31"}]
          select=data->n&id=lt.3&order=id | [{"n":5},{"n":7}]
          select=data->>n&id=lt.3&order=id | [{"n":"5"},{"n":"7"}]
          select=data->a->b->>1&id=eq.1 | [{"b":"y z"}]
          select=data->a->b->0,third:data->a->b->2&id=eq.1 | [{"b":"x","third":null}]
          select=data->a->b,data->>n::int&id=eq.1 | [{"b":["x","y z"],"n":5}]
          select=data->"a"->>b&id=eq.2 | [{"b":null}]
          select=data->nothing->>such&id=eq.1 | [{"such":null}]
          select=id&data->>n=eq.5 | [{"id":1}]
          select=id&data->n=eq.7 | [{"id":2}]
          select=id&data->>n=in.(5,7)&order=id | [{"id":1},{"id":2}]
          select=id&data->a->b->>1=like.y* | [{"id":1}]
          select=id&data->a->>b=is.null&order=id | [{"id":2},{"id":3}]
          select=id&or=(data->>n.eq.7,data->a->b->>0.eq.x)&order=id | [{"id":1},{"id":2}]
          select=id&not.and=(data->>n.eq.7)&data->>n=not.is.null | [{"id":1}]
          select=id&order=data->>n.desc.nullslast | [{"id":2},{"id":1},{"id":3}]
          """)
  void read_ofEveryDatabase_returnsRows(String target, String expected) {
    requireAnswer(target, expected);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          select=id&tags=cs.{a} | [{"id":1}]
          select=id&tags=cs.{"b c",a} | [{"id":1}]
          select=id&tags=cs.{}&order=id | [{"id":1},{"id":2}]
          select=id&tags=not.cs.{a} | [{"id":2}]
          select=id&tags=cd.{a,"b c",d}&order=id | [{"id":1},{"id":2}]
          select=id&tags=ov.{x,a} | [{"id":1}]
          select=id&numbers=cs.{2,1} | [{"id":1}]
          select=id&numbers=ov.{3,4} | [{"id":2}]
          select=id&numbers=eq.{1,2} | [{"id":1}]
          select=id&or=(numbers.cs.{1,2},tags.ov.{q,"z,}"})&order=id | [{"id":1}]
          """)
  void arrays_containAndOverlap(String target, String expected) {
    if (kind.equals("sqlite")) {
      requireRefused("tags=cs.{a}", "0A000");
    } else {
      requireAnswer(target, expected);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          data=cs.{"n":5} | [{"id":1}]
          or=(data.cs.{"a":{"b":["x"]}},id.eq.2)&order=id | [{"id":1},{"id":2}]
          data->a->b=cs.["x"] | [{"id":1}]
          data=cd.{"a":null,"n":7,"o":1} | [{"id":2}]
          plain=cs.{"a":2} | [{"id":2}]
          words=fts.fox | [{"id":1}]
          words=fts(english).dogs | [{"id":2}]
          words=plfts(english).lazy dogs | [{"id":2}]
          words=phfts(english).dog lazy | []
          words=wfts(english)."lazy dog" or fox&order=id | [{"id":1},{"id":2}]
          words=not.fts.fox | [{"id":2}]
          label=plfts(english).dog | [{"id":2}]
          label=fts(simple).dogs | [{"id":2}]
          or=(words.fts(english).foxes,label.plfts.lazy)&order=id | [{"id":1},{"id":2}]
          span=cs.[2,3] | [{"id":1}]
          span=cd.[0,100)&order=id | [{"id":1},{"id":2}]
          span=ov.[9,21)&order=id | [{"id":1},{"id":2}]
          """)
  void postgresql_hasMore(String target, String expected) {
    if (kind.equals("postgresql")) {
      requireAnswer("select=id&" + target, expected);
    } else {
      requireRefused("label=fts.x", "0A000");
      requireRefused("data=cs.{\"n\":5}", "0A000");
    }
  }

  /** Whatever is wrong is the request's fault, on each database. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          select=label::int | 22P02
          select=label::date | 22P02
          select=label::uuid | 22P02
          select=label::jsonb&id=eq.2 | 22P02
          select=price::date | 0A000
          select=price::money | 42704
          select=label::nothing | 42704
          select=price::int,count() | 0A000
          select=data->n,count() | 0A000
          select=label->a | 0A000
          select=data->>n->a | PGRST100
          select=data-> | PGRST100
          select=nothing->a | 42703
          data->n=cs | PGRST100
          data->"n"x=eq.1 | PGRST100
          label->>a=eq.1 | 0A000
          data->n=eq.{ | 22P02
          data->n=fts.x | 0A000
          numbers=sl.(1,2) | 0A000
          price=cs.{1} | 0A000
          label=ov.{1} | 0A000
          label=eq(english).x | PGRST100
          order=label->a | 0A000
          """)
  void wrong_isRefusedByCause(String target, String code) {
    requireRefused(target, code);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          numbers=cs.{1 | 22P02
          numbers=cs.1 | 22P02
          numbers=cs.{x} | 22P02
          numbers=cs.{1,} | 22P02
          numbers=cs.{{1}} | 22P02
          tags=cs.{"a} | 22P02
          numbers=in.({1}) | 0A000
          """)
  void wrongArrays_areRefusedByCause(String target, String code) {
    if (!kind.equals("sqlite")) {
      requireRefused(target, code);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          words=fts.a b | 22P02
          words=fts(klingon).a | 22P02
          label=fts('').a | 22P02
          data=cs.{"n" | 22P02
          data=ov.{"n":1} | 0A000
          span=cs.[1 | 22P02
          span=fts.x | 0A000
          """)
  void wrongOfPostgresql_isRefusedByCause(String target, String code) {
    if (kind.equals("postgresql")) {
      requireRefused(target, code);
    }
  }

  /** Arrays are as CSV that is sent has them; what has no text of its own is JSON. */
  @Test
  void csv_ofArraysAndPaths_isTheirText() {
    if (kind.equals("sqlite")) {
      return;
    }
    var csv = rest.get("/things?select=numbers,data->a->b&id=eq.1", "Accept", "text/csv");
    assertThat(csv.replace(", ", ","))
        .isEqualTo("numbers,b\r\n\"{1,2}\",\"[\"\"x\"\",\"\"y z\"\"]\"\r\n");
  }

  @ParameterizedTest
  @ValueSource(strings = {"POST", "PATCH"})
  void write_answersPathsAndCasts(String method) {
    var target =
        "/things?select=id,price::int,data->>n" + (method.equals("PATCH") ? "&id=eq.3" : "");
    var body =
        method.equals("PATCH")
            ? "{\"price\":2.5}"
            : "{\"id\":9,\"price\":2.5,\"data\":"
                + (kind.equals("sqlite") ? "\"{\\\"n\\\":1}\"" : "{\"n\":1}")
                + "}";
    var prefer = "return=representation, tx=rollback";
    var answer = rest.write(method, target, body, "Prefer", prefer);
    assertThat(answer.body())
        .isIn("[{\"id\":9,\"price\":3,\"n\":\"1\"}]", "[{\"id\":3,\"price\":3,\"n\":null}]");
  }
}

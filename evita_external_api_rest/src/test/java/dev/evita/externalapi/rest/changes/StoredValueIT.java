// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.rest.changes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evita.externalapi.core.limits.Limits;
import dev.evita.externalapi.rest.RestServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Decimals that are no numbers, where the database has them: rows with them are as any other. */
@ParameterizedClass
@ValueSource(strings = {"h2", "postgresql"})
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class StoredValueIT {

  @Parameter private String kind = "";
  private RestServer rest;

  @BeforeParameterizedClassInvocation
  void open() {
    var script =
        """
        create table readings (
          id int primary key, amount %1$s, price numeric(10, 2), ratio double precision);
        insert into readings values (1, 1.5, 2.5, 1.5), (2, 'NaN', 3, 'NaN'),
          (3, 'Infinity', 4, 'Infinity'), (4, '-Infinity', null, '-Infinity');
        create table marks (amount %1$s primary key);
        insert into marks values ('NaN'), (1.5);
        create table noted (id int primary key, mark %1$s references marks (amount));
        insert into noted values (1, 'NaN'), (2, 1.5), (3, null);
        """
            .formatted(kind.equals("h2") ? "decfloat" : "numeric");
    rest = RestServer.over(kind, script, Limits.DEFAULT);
  }

  @AfterParameterizedClassInvocation
  void close() {
    rest.close();
  }

  private void requireAnswer(String target, String expected) {
    var answer = rest.send("GET", target);
    assertThat(answer.body()).as(target).isEqualTo(expected);
    assertThat(answer.statusCode()).isEqualTo(200);
  }

  @Test
  void rows_haveThemAsStrings_asThoseOfFloatingPoint() {
    requireAnswer(
        "/readings?select=amount,ratio&order=id",
        """
        [{"amount":1.5,"ratio":1.5},{"amount":"NaN","ratio":"NaN"},\
        {"amount":"Infinity","ratio":"Infinity"},{"amount":"-Infinity","ratio":"-Infinity"}]\
        """);
    assertThat(rest.get("/readings?select=amount,ratio&order=id", "Accept", "text/csv"))
        .isEqualTo(
            "amount,ratio\r\n1.5,1.5\r\nNaN,NaN\r\nInfinity,Infinity\r\n-Infinity,-Infinity\r\n");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          amount=eq.NaN                           | [{"id":2}]
          amount=eq.Infinity                      | [{"id":3}]
          amount=in.(NaN,1.5)                     | [{"id":1},{"id":2}]
          amount=lt.Infinity                      | [{"id":1},{"id":4}]
          amount=neq.NaN                          | [{"id":1},{"id":3},{"id":4}]
          amount=gt.1.5                           | [{"id":2},{"id":3}]
          """)
  void filters_takeThem(String filter, String expected) {
    requireAnswer("/readings?select=id&order=id&" + filter, expected);
  }

  @Test
  void orderCastsAndAggregates_haveThem() {
    requireAnswer(
        "/readings?select=id&order=amount.desc", "[{\"id\":2},{\"id\":3},{\"id\":1},{\"id\":4}]");
    requireAnswer("/readings?select=amount::float8&id=eq.2", "[{\"amount\":\"NaN\"}]");
    requireAnswer("/readings?select=amount::text&id=eq.3", "[{\"amount\":\"Infinity\"}]");
    requireAnswer(
        "/readings?select=amount.sum(),amount.max()", "[{\"sum\":\"NaN\",\"max\":\"NaN\"}]");
    var average = rest.send("GET", "/readings?select=amount.avg()");
    if (kind.equals("h2")) {
      assertThat(average.statusCode()).as("H2 itself has none").isEqualTo(400);
    } else {
      assertThat(average.body()).isEqualTo("[{\"avg\":\"NaN\"}]");
    }
    assertThat(rest.send("GET", "/readings?select=amount::int&id=eq.2").statusCode())
        .isEqualTo(400);
  }

  @Test
  void related_areFoundByThem() {
    requireAnswer(
        "/noted?select=id,marks(amount)&order=id",
        "[{\"id\":1,\"marks\":{\"amount\":\"NaN\"}},{\"id\":2,\"marks\":{\"amount\":1.5}},{\"id\":3,\"marks\":null}]");
    requireAnswer(
        "/marks?select=amount,noted(id)&order=amount",
        "[{\"amount\":1.5,\"noted\":[{\"id\":2}]},{\"amount\":\"NaN\",\"noted\":[{\"id\":1}]}]");
  }

  @Test
  void writes_takeThem_whereTheColumnDoes() {
    var added =
        rest.write(
            "POST",
            "/readings",
            "[{\"id\":10,\"amount\":\"NaN\"},{\"id\":11,\"amount\":\"-Infinity\"}]",
            "Prefer",
            "return=representation");
    assertThat(added.body())
        .contains("{\"id\":10,\"amount\":\"NaN\",\"price\":null,\"ratio\":null}")
        .contains("{\"id\":11,\"amount\":\"-Infinity\",\"price\":null,\"ratio\":null}");
    var changed =
        rest.write(
            "PATCH",
            "/readings?id=eq.10&amount=eq.NaN&select=amount",
            "{\"amount\":\"Infinity\"}",
            "Prefer",
            "return=representation");
    assertThat(changed.body()).isEqualTo("[{\"amount\":\"Infinity\"}]");
    var refused = rest.write("PATCH", "/readings?id=eq.10", "{\"price\":\"Infinity\"}");
    assertThat(refused.statusCode()).as(refused.body()).isEqualTo(400);
    rest.write("DELETE", "/readings?id=gte.10", "");
  }

  @Test
  void changes_areReportedByTheirKeys() {
    try (var reader = EventReader.open(rest, "/marks?order=amount.desc")) {
      assertThat(reader.told()).isEqualTo("reset {\"reason\":\"start\"}");
      assertThat(reader.told())
          .isEqualTo("insert {\"key\":{\"amount\":\"NaN\"},\"row\":{\"amount\":\"NaN\"}}");
      while (!reader.told().equals("ready {}")) {
        // the other rows
      }
      rest.write("POST", "/marks", "{\"amount\":\"Infinity\"}");
      assertThat(reader.told()).startsWith("insert {\"key\":{\"amount\":\"Infinity\"}");
      rest.send("DELETE", "/marks?amount=eq.Infinity");
      assertThat(reader.told()).isEqualTo("delete {\"key\":{\"amount\":\"Infinity\"}}");
    }
  }

  @Test
  void tags_areOfTheirBytes() {
    var first = rest.send("GET", "/readings?id=eq.2");
    var tag = first.headers().firstValue("ETag").orElseThrow();
    assertThat(rest.send("GET", "/readings?id=eq.2", "If-None-Match", tag).statusCode())
        .isEqualTo(304);
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.graphql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evita.api.Engine;
import dev.evita.api.testkit.EngineDriver;
import dev.evita.testsupport.ShopRoutines;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Stored routines as fields, over the databases that have them. */
@ParameterizedClass
@EnumSource(
    value = MutationDatabase.class,
    names = {"SQLITE"},
    mode = EnumSource.Mode.EXCLUDE)
final class RoutineIT {

  private final Engine engine;
  private final Client client;
  private final boolean postgres;

  RoutineIT(MutationDatabase database) {
    this.postgres = database.name().startsWith("POSTGRESQL");
    this.engine = database.open();
    new EngineDriver(engine).script(postgres ? ShopRoutines.ofPostgres() : ShopRoutines.ofH2());
    engine.refresh();
    this.client = new Client(engine);
  }

  @AfterEach
  void close() {
    client.close();
    engine.close();
  }

  private String brands() {
    return client.ask("{ brands_aggregate { aggregate { count } } }");
  }

  private static String brands(int count) {
    return "{\"data\":{\"brands_aggregate\":{\"aggregate\":{\"count\":" + count + "}}}}";
  }

  @Test
  void routinesThatRead_areFieldsOfQueries() {
    assertThat(
            client.ask(
                """
                query($percent: numeric, $some: Int = 1) {
                  price_with_tax(p1: 10.5, p2: $percent) { gross: price_with_tax }
                  cheapest(p1: $some) { name __typename }
                  all: cheapest(p1: 10) { id }
                }
                """,
                "{\"percent\": 21}"))
        .isEqualTo(
            """
            {"data":{"price_with_tax":{"gross":12.71},\
            "cheapest":[{"name":"Rope","__typename":"cheapest_result"}],\
            "all":[{"id":2},{"id":1}]}}\
            """);
  }

  @Test
  void routinesThatWrite_areFieldsOfMutations_inOneTransaction() {
    assertThat(
            client.ask(
                """
                mutation {
                  add_brand(p1: 3, p2: "New") { id: add_brand }
                  update_brands_by_pk(pk_columns: {id: 3}, _set: {code: "N"}) { name code }
                  forget_prices { done }
                }
                """))
        .isEqualTo(
            """
            {"data":{"add_brand":{"id":3},"update_brands_by_pk":{"name":"New","code":"N"},\
            "forget_prices":{"done":true}}}\
            """);
    assertThat(client.ask("{ prices { amount } }")).isEqualTo("{\"data\":{\"prices\":[]}}");
    assertThat(brands()).isEqualTo(brands(3));
  }

  @Test
  void failingRoutine_rollsBackTheMutation_andReportsWhy() {
    var answer =
        client.ask(
            """
            mutation {
              add_brand(p1: 3, p2: "New") { add_brand }
              bad: add_brand(p1: 4, p2: "forbidden") { add_brand }
            }
            """);
    assertThat(answer)
        .isEqualTo(
            """
            {"data":null,"errors":[{"message":"Not this brand: forbidden",\
            "locations":[{"line":3,"column":3}],"path":["bad"],\
            "extensions":{"code":"RAISED","category":"USER"}}]}\
            """);
    assertThat(brands()).isEqualTo(brands(2));
  }

  @Test
  void errorOfPostgres_hasDetailsAndHint() {
    if (!postgres) {
      return;
    }
    new EngineDriver(engine)
        .script(
            """
            create function refuse() returns int language plpgsql as
              $$ begin raise exception 'No' using detail = 'As "it" is', hint = 'Ask again'; end $$\
            """);
    engine.refresh();
    try (var fresh = new Client(engine)) {
      assertThat(fresh.ask("mutation { refuse { refuse } }"))
          .contains(
              """
              "message":"No","locations":[{"line":1,"column":12}],"path":["refuse"],\
              "extensions":{"code":"RAISED","category":"USER",\
              "details":"As \\"it\\" is","hint":"Ask again"}\
              """);
      assertThat(fresh.ask("mutation { add_brand(p1: 1, p2: \"x\") { add_brand } }"))
          .contains("\"details\":\"Key (id)=(1) already exists.\"")
          .doesNotContain("\"hint\"");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "mutation { add_brand(p1: 1, p2: \"again\") { add_brand } }|UNIQUE_VIOLATION",
        "mutation { add_brand(p1: 9) { add_brand } }|INVALID_VALUE",
        "mutation($x: String) { add_brand(p1: 9, p2: $x) { add_brand } }|INVALID_VALUE",
        "mutation { add_brand(p1: \"x\", p2: \"x\") { add_brand } }|INVALID_",
        "mutation { cheapest(p1: 1) { id } }|INVALID_DOCUMENT",
        "{ forget_prices { done } }|INVALID_DOCUMENT",
        "{ price_with_tax(p1: 1, p2: 1, p3: 1) { price_with_tax } }|INVALID_DOCUMENT",
      })
  void whatIsWrong_isRefusedWithItsCode(String row) {
    var document = row.substring(0, row.indexOf('|'));
    assertThat(client.ask(document))
        .startsWith("{")
        .contains("\"errors\":[", "\"code\":\"" + row.substring(row.indexOf('|') + 1));
    assertThat(brands()).isEqualTo(brands(2));
  }

  @Test
  void defaultsOfPostgres_mayBeLeftOut() {
    if (!postgres) {
      return;
    }
    var driver = new EngineDriver(engine);
    driver.script(
        """
        create function greet(who text, greeting text default 'Hello', mark text default '!')
        returns text language sql stable as 'select greeting || '' '' || who || mark'\
        """);
    engine.refresh();
    try (var fresh = new Client(engine)) {
      assertThat(
              fresh.ask(
                  """
                  query($greeting: String, $absent: String, $null: String) {
                    a: greet(who: "Ann") { greet }
                    b: greet(who: "Ann", greeting: $greeting, mark: $absent) { greet }
                    c: greet(who: "Ann", greeting: $null) { greet }
                  }
                  """,
                  "{\"greeting\": \"Hi\", \"null\": null}"))
          .isEqualTo(
              """
              {"data":{"a":{"greet":"Hello Ann!"},"b":{"greet":"Hi Ann!"},"c":{"greet":null}}}\
              """);
    }
  }
}

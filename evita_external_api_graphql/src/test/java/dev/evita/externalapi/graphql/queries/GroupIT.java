// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.graphql.queries;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evita.engine.jdbc.JdbcEngine;
import dev.evita.externalapi.graphql.Client;
import dev.evita.externalapi.graphql.H2Shop;
import dev.evita.externalapi.graphql.ShopData;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Groups, and rows chosen and ordered by aggregates of related rows. */
final class GroupIT {

  private static final JdbcEngine ENGINE = H2Shop.open(ShopData.engine());
  private static final Client CLIENT = new Client(ENGINE);

  @AfterAll
  static void close() {
    CLIENT.close();
    ENGINE.close();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "order_by: [{prices_aggregate: {count: desc}}, {id: asc}] | 3,7,11,2,6,10,1,5,9,4,8,12",
        "order_by: [{prices_aggregate: {max: {amount: desc_nulls_last}}}], limit: 3 | 11,10,9",
        "order_by: [{brand: {products_aggregate: {max: {id: asc}}}}, {id: desc}] | "
            + "9,5,1,10,6,2,12,8,4,11,7,3",
        "where: {prices_aggregate: {count: {predicate: {_gte: 3}}}}, order_by: {id: asc} | 3,7,11",
        "where: {prices_aggregate: {count: {predicate: {_in: [0, 1]}}}}, order_by: {id: asc} | "
            + "1,4,5,8,9,12",
        "where: {prices_aggregate: {count: {arguments: currency, distinct: true, "
            + "filter: {amount: {_gt: 100}}, predicate: {_eq: 2}}}} | 10",
      })
  void rows_byAggregatesOfRelatedRows_areChosenAndOrdered(String arguments, String ids) {
    assertThat(CLIENT.ask("{ products(" + arguments + ") { id } }").replaceAll("[^0-9,]", ""))
        .isEqualTo(ids);
  }

  @Test
  void predicates_thatVariablesGive_areUsed() {
    var document =
        """
        query($w: products_bool_exp, $n: Int) {
          a: products(where: $w, order_by: {id: asc}) { id }
          b: products(where: {prices_aggregate: {count: {predicate: {_eq: $n}}}}) { id }
        }
        """;
    assertThat(
            CLIENT.ask(
                document,
                "{\"w\": {\"prices_aggregate\": {\"count\": {\"predicate\": {\"_gt\": 2}}}},"
                    + " \"n\": 99}"))
        .isEqualTo("{\"data\":{\"a\":[{\"id\":3},{\"id\":7},{\"id\":11}],\"b\":[]}}");
  }

  @Test
  void predicates_ofVariablesThatAreAbsent_areLeftOut() {
    assertThat(
            CLIENT.ask(
                """
                query($c: prices_aggregate_bool_exp_count, $f: prices_bool_exp) {
                  a: products_aggregate(where: {prices_aggregate: {count: $c}}) {
                    aggregate { count } }
                  b: products_aggregate(
                    where: {prices_aggregate: {count: {filter: $f, predicate: {_gt: 2}}}}) {
                    aggregate { count } }
                }
                """))
        .isEqualTo(
            """
            {"data":{"a":{"aggregate":{"count":12}},"b":{"aggregate":{"count":3}}}}\
            """);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{\"prices_aggregate\": {\"count\": {}}} | prices_aggregate.count: the field 'predicate' is missing",
        "{\"prices_aggregate\": {\"count\": null}} | prices_aggregate.count: null is not valid",
        "{\"prices_aggregate\": null} | prices_aggregate: null is not valid here",
        "{\"prices_aggregate\": {\"count\": {\"predicate\": {\"_gt\": 1}, \"filter\": null}}} | "
            + "count.filter: null is not valid here",
      })
  void predicates_thatAreWrong_areNamed(String where, String message) {
    assertThat(
            CLIENT.ask(
                "query($w: products_bool_exp) { products(where: $w) { id } }",
                "{\"w\": " + where + "}"))
        .contains(message)
        .contains("INVALID_VALUE");
  }

  @Test
  void groups_atTheRoot_areOrderedAndLimited() {
    assertThat(
            CLIENT.ask(
                """
                { products_group_by(
                    by: [brand_id, active], where: {id: {_lt: 12}},
                    order_by: [{aggregate: {count: desc}}, {key: {brand_id: asc}}], limit: 2) {
                  key { brand_id active }
                  aggregate { count max { id } }
                } }
                """))
        .isEqualTo(
            """
            {"data":{"products_group_by":[\
            {"key":{"brand_id":2,"active":false},"aggregate":{"count":3,"max":{"id":9}}},\
            {"key":{"brand_id":3,"active":true},"aggregate":{"count":3,"max":{"id":10}}}]}}\
            """);
  }

  @Test
  void groups_belowEachRow_areItsOwn() {
    assertThat(
            CLIENT.ask(
                """
                { products(where: {id: {_in: [3, 4]}}, order_by: {id: asc}) {
                  prices_group_by(
                    by: currency, order_by: {aggregate: {sum: {amount: desc}}}, limit: 1) {
                      __typename aggregate { count } }
                  id
                } }
                """))
        .isEqualTo(
            """
            {"data":{"products":[{"prices_group_by":[{"__typename":"prices_group",\
            "aggregate":{"count":1}}],"id":3},{"prices_group_by":[],"id":4}]}}\
            """);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "by: [] | { aggregate { count } } | by: nothing to group by; expected at least one column",
        "by: active | { key { name } } | by: the key's field 'name' is selected; expected its",
        "by: active, order_by: {key: {id: asc}} | { key { active } } | order_by.key.id: not a",
        "by: active, limit: -1 | { key { active } } | limit: -1 is not valid here",
      })
  void groups_thatAreWrong_areNamed(String arguments, String selection, String message) {
    assertThat(CLIENT.ask("{ products_group_by(" + arguments + ") " + selection + " }"))
        .contains(message)
        .contains("\"code\":\"INVALID_VALUE\"");
  }

  @Test
  void groups_byAVariable_areCheckedAgainstTheirKey() {
    var document =
        "query($by: [products_select_column!]!) {"
            + " products_group_by(by: $by, order_by: {aggregate: {count: asc}}) { key { active } } }";
    assertThat(CLIENT.ask(document, "{\"by\": [\"active\"]}")).contains("\"active\":true");
    assertThat(CLIENT.ask(document, "{\"by\": [\"id\"]}"))
        .contains("the key's field 'active' is selected")
        .contains("INVALID_VALUE");
  }
}

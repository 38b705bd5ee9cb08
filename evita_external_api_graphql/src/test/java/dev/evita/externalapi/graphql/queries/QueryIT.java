// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.graphql.queries;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evita.externalapi.graphql.Client;
import dev.evita.externalapi.graphql.ShopData;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class QueryIT {

  private final Client client = new Client(ShopData.engine());

  @AfterEach
  void close() {
    client.close();
  }

  @Test
  void byPk_ofAKey_returnsTheRow() {
    assertThat(client.ask("{ products_by_pk(id: 1) { id name serial brand { name } } }"))
        .isEqualTo(
            """
            {"data":{"products_by_pk":{"id":1,"name":"Product \\"1\\" é","serial":9223372036854775806,"brand":{"name":"Brand 2"}}}}\
            """);
  }

  @Test
  void byPk_ofAMissingKey_isNull() {
    assertThat(client.ask("query($id: Int!) { products_by_pk(id: $id) { id } }", "{\"id\": 99}"))
        .isEqualTo("{\"data\":{\"products_by_pk\":null}}");
  }

  @Test
  void list_withArgumentsAndNesting_returnsRows() {
    assertThat(
            client.ask(
                """
                query($max: Int, $currency: String!) {
                  __typename
                  heavy: products(
                    where: {weight: {_gte: 0.5}, _not: {brand: {name: {_eq: "Brand 1"}}}}
                    order_by: {id: desc} limit: $max
                  ) {
                    id
                    ...P
                    brand { name }
                    prices(where: {currency: {_eq: $currency}}) { amount }
                  }
                }
                fragment P on products { kind: __typename weight }
                """,
                "{\"max\": 2, \"currency\": \"EUR\"}"))
        .isEqualTo(
            """
            {"data":{"__typename":"query_root","heavy":[\
            {"id":11,"kind":"products","weight":2.75,"brand":null,"prices":[{"amount":115.56}]},\
            {"id":10,"kind":"products","weight":2.50,"brand":{"name":"Brand 3"},"prices":[{"amount":105.06}]}]}}\
            """);
  }

  @Test
  void aggregate_ofRows_returnsNumbersAndNodes() {
    assertThat(
            client.ask(
                """
                {
                  products_aggregate(where: {id: {_lte: 3}}) {
                    aggregate {
                      count
                      weighed: count(columns: weight)
                      sum { weight id }
                      avg { weight }
                      min { name }
                      max { added }
                    }
                    nodes { id prices_aggregate { aggregate { count } } }
                  }
                }
                """))
        .isEqualTo(
            """
            {"data":{"products_aggregate":{"aggregate":{"count":3,"weighed":2,\
            "sum":{"weight":0.75,"id":6},"avg":{"weight":0.375},\
            "min":{"name":"Product \\"1\\" é"},"max":{"added":"2026-04-03"}},\
            "nodes":[{"id":1,"prices_aggregate":{"aggregate":{"count":1}}},\
            {"id":2,"prices_aggregate":{"aggregate":{"count":2}}},\
            {"id":3,"prices_aggregate":{"aggregate":{"count":3}}}]}}}\
            """);
  }

  @Test
  void routine_ofAQuery_isCalled() {
    assertThat(client.ask("query($m: String!) { echo(message: $m) { message } }", "{\"m\":\"hi\"}"))
        .isEqualTo("{\"data\":{\"echo\":{\"message\":\"hi\"}}}");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "totalCount | 1",
        "nodes { id } | 1",
        "edges { cursor node { id } } nodes { name } pageInfo { hasNextPage endCursor } | 1",
        "totalCount nodes { id } again: totalCount | 2",
        "__typename | 0",
      })
  void connection_ofAnySelection_readsWhatIsSelected(String selection, int operations) {
    var engine = ShopData.engine();
    try (var client = new Client(engine)) {
      assertThat(client.ask("{ products_connection(first: 2) { " + selection + " } }"))
          .startsWith("{\"data\"");
      assertThat(engine.preparations()).isEqualTo(operations);
    }
  }
}

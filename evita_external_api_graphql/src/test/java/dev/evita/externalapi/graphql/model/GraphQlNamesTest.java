// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.graphql.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class GraphQlNamesTest {

  @ParameterizedTest
  @CsvSource({
    "products, products",
    "Order Lines, Order_Lines",
    "größe, gr__e",
    "2nd, _2nd",
    "__secret, _secret",
    "____, _",
    "'', _",
    "'a\"b', a_b",
    "日本, _",
  })
  void valid_ofAnyName_isAGraphQlName(String wanted, String valid) {
    assertThat(GraphQlNames.valid(wanted)).isEqualTo(valid);
  }

  @Test
  void claim_ofATakenName_isNumbered() {
    var names = GraphQlNames.without(List.of("order_by"));
    assertThat(names.claim("order_by")).isEqualTo("order_by_2");
    assertThat(names.claim("a b")).isEqualTo("a_b");
    assertThat(names.claim("a-b")).isEqualTo("a_b_2");
    assertThat(names.claim("a_b_2")).isEqualTo("a_b_2_2");
    assertThat(names.claim("A b")).isEqualTo("A_b");
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.rest.request;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.evita.api.Order;
import dev.evita.externalapi.rest.model.RestFailure;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class OrderTermTest {

  @ParameterizedTest
  @CsvSource({
    "name, ASCENDING, LAST",
    "name.asc, ASCENDING, LAST",
    "name.desc, DESCENDING, FIRST",
    "name.desc.nullslast, DESCENDING, LAST",
    "name.nullsfirst, ASCENDING, FIRST",
  })
  void parse_term_hasDirectionAndNulls(String text, Order.Direction direction, Order.Nulls nulls) {
    var terms = OrderTerm.parse(text);
    assertThat(terms).hasSize(1);
    assertThat(terms.getFirst().field().column()).isEqualTo("name");
    assertThat(terms.getFirst().direction()).isEqualTo(direction);
    assertThat(terms.getFirst().nulls()).isEqualTo(nulls);
  }

  @Test
  void parse_fieldOfAnEmbeddedResource_namesIt() {
    var terms = OrderTerm.parse("brand(name).desc,id");
    assertThat(terms).extracting(OrderTerm::embed).containsExactly("brand", null);
  }

  @ParameterizedTest
  @ValueSource(strings = {"name.up", "name,", "brand(name", "name desc)"})
  void parse_malformed_isRejected(String text) {
    assertThatThrownBy(() -> OrderTerm.parse(text)).isInstanceOf(RestFailure.class);
  }
}

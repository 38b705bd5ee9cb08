// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.rest.request;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.evita.externalapi.rest.model.RestFailure;
import java.util.ArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class QueryTextTest {

  private static String read(String text) {
    var parameters = new ArrayList<String>();
    QueryText.read(text, (name, value) -> parameters.add(name + "->" + value));
    return String.join(" ", parameters);
  }

  @ParameterizedTest
  @CsvSource({
    "a=1&b=2, a->1 b->2",
    "a=1&a=2, a->1 a->2",
    "a, a->",
    "&&a=&, a->",
    "a=b=c, a->b=c",
    "a%3Db=%C3%B6, a=b->ö",
    "a=x+y, a->x y",
  })
  void read_parameters_areDecodedInOrder(String text, String parameters) {
    assertThat(read(text)).isEqualTo(parameters);
  }

  @ParameterizedTest
  @ValueSource(strings = {"a=%", "a=%4", "a=%zz", "a=%ff"})
  void read_invalidEscapes_areRejected(String text) {
    assertThatThrownBy(() -> read(text)).isInstanceOf(RestFailure.class);
  }

  @Test
  void path_plusSign_isLiteral() {
    assertThat(QueryText.path("a+b%20c")).isEqualTo("a+b c");
    assertThat(QueryText.escapedPath("/a b")).isEqualTo("/a%20b");
  }
}

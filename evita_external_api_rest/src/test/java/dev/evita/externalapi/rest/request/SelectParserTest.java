// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.rest.request;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.evita.api.EvitaException;
import dev.evita.api.Output;
import dev.evita.externalapi.core.limits.DepthLimit;
import dev.evita.externalapi.rest.model.RestFailure;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class SelectParserTest {

  private static List<SelectItem> parse(String text) {
    return SelectParser.parse(text, new DepthLimit(3));
  }

  private static FieldPath column(String name) {
    return new FieldPath(name, List.of(), false);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "*"})
  void parse_empty_selectsAllColumns(String text) {
    assertThat(parse(text)).containsExactly(new SelectItem.All());
  }

  @Test
  void parse_aliasCastAndAggregate_arePartsOfAValue() {
    assertThat(parse("id,title:name::text,price.max(),count()"))
        .containsExactly(
            new SelectItem.Value(null, column("id"), null, null),
            new SelectItem.Value("title", column("name"), null, "text"),
            new SelectItem.Value(null, column("price"), Output.Function.MAX, null),
            new SelectItem.Value(null, null, Output.Function.COUNT, null));
  }

  @Test
  void parse_relationship_isAnEmbedWithItsItems() {
    assertThat(parse("maker:brand!inner(id),...parent(name)"))
        .containsExactly(
            new SelectItem.Embed(
                "maker",
                "brand",
                List.of(),
                true,
                false,
                List.of(new SelectItem.Value(null, column("id"), null, null))),
            new SelectItem.Embed(
                null,
                "parent",
                List.of(),
                false,
                true,
                List.of(new SelectItem.Value(null, column("name"), null, null))));
  }

  @Test
  void parse_beyondTheDepthLimit_isRejected() {
    assertThat(parse("a(b(c))")).hasSize(1);
    assertThatThrownBy(() -> parse("a(b(c(d)))")).isInstanceOf(EvitaException.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"id,", "id name(", "brand(id", "brand(id))", "id.sum", "a:"})
  void parse_malformed_isRejected(String text) {
    assertThatThrownBy(() -> parse(text)).isInstanceOf(RestFailure.class);
  }
}

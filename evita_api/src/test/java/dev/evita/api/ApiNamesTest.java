// SPDX-License-Identifier: Apache-2.0
package dev.evita.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evita.api.Catalog.Folding;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;

final class ApiNamesTest {

  @Test
  void noFolding_keepsNames() {
    assertThat(ApiNames.of(Folding.NONE, List.of("A", "b", "Größe")).values())
        .containsExactly("A", "b", "Größe");
  }

  @Test
  void upperFolding_upperCaseNames_areLowered() {
    assertThat(ApiNames.of(Folding.UPPER, List.of("PRODUCTS", "Mixed", "lower", "GRÖSSE_2")))
        .containsEntry("PRODUCTS", "products")
        .containsEntry("Mixed", "Mixed")
        .containsEntry("lower", "lower")
        .containsEntry("GRÖSSE_2", "grösse_2");
  }

  @Test
  void upperFolding_siblingOfThatName_keepsTheName() {
    assertThat(ApiNames.of(Folding.UPPER, List.of("ID", "id", "Id")).values())
        .containsExactly("ID", "id", "Id");
  }

  @Test
  void folding_doesNotDependOnTheDefaultLocale() {
    var before = Locale.getDefault();
    try {
      Locale.setDefault(Locale.forLanguageTag("tr"));
      assertThat(ApiNames.fold(Folding.UPPER, "ID")).isEqualTo("id");
    } finally {
      Locale.setDefault(before);
    }
  }
}

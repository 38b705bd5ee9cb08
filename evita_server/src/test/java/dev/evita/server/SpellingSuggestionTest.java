// SPDX-License-Identifier: Apache-2.0
package dev.evita.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class SpellingSuggestionTest {

  @ParameterizedTest
  @CsvSource({
    "max-dept, max-depth",
    "maxdepth, max-depth",
    "porrt, port",
    "prot, port",
    "something,",
  })
  void to_word_suggestsTheClosestCandidate(String word, String suggestion) {
    assertThat(SpellingSuggestion.to(word, List.of("port", "max-depth", "host")))
        .isEqualTo(Optional.ofNullable(suggestion));
  }
}

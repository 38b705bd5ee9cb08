// SPDX-License-Identifier: Apache-2.0
package dev.evita.engine.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class PatternsTest {

  @Test
  void like_needlessEscape_standsForItsCharacter() {
    assertThat(Patterns.like("a\\b\\%\\_\\\\c")).isEqualTo("ab\\%\\_\\\\c");
  }

  @Test
  void like_escapeAtTheEnd_standsForItself() {
    assertThat(Patterns.like("50\\")).isEqualTo("50\\\\");
  }

  @Test
  void glob_itsOwnSpecialCharacters_areLiteral() {
    assertThat(Patterns.glob("a%_*?[\\%\\_")).isEqualTo("a*?[*][?][[]%_");
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.evita.engine.jdbc.dialect;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class PatternsTest {

  @Test
  void like_needlessEscape_matchesItsCharacter() {
    assertThat(Patterns.like("a\\b\\%\\_\\\\c")).isEqualTo("ab\\%\\_\\\\c");
  }

  @Test
  void like_escapeAtTheEnd_matchesItself() {
    assertThat(Patterns.like("50\\")).isEqualTo("50\\\\");
  }

  @Test
  void glob_itsOwnSpecialCharacters_areLiteral() {
    assertThat(Patterns.glob("a%_*?[\\%\\_")).isEqualTo("a*?[*][?][[]%_");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "abc     | abc      | true",
        "abc     | abcd     | false",
        "a%      | abc      | true",
        "%c      | abc      | true",
        "%b%     | abc      | true",
        "%b      | abc      | false",
        "a%b%c   | a.b.b.c  | true",
        "a%b%c   | acb      | false",
        "%ab%ab  | abab     | true",
        "%ab%ab  | ab       | false",
        "a_c     | a😀c      | true",
        "__      | 😀        | false",
        "%       | ``       | true",
        "a%%b    | ab       | true",
        "a.c     | abc      | false",
        "100\\%  | 100%     | true",
        "100\\%  | 1000     | false",
        "(a+)+$  | (a+)+$   | true",
        "%[x]%^{ | z[x]^{   | true",
      })
  void regex_matchesLikeThePattern(String pattern, String text, boolean matches) {
    var regex = Pattern.compile(Patterns.regex(pattern, false));
    assertThat(regex.matcher(text).find()).isEqualTo(matches);
  }

  @Test
  void regex_caseInsensitive_supportsAllLetters() {
    assertThat("ÄÖÜ GRÖSSE").containsPattern(Patterns.regex("%grö%", true));
  }

  /** Naive matching would take longer than the age of the universe. */
  @Test
  void regex_manyWildcards_terminates() {
    var text = "a".repeat(20_000);
    assertThat(text).doesNotContainPattern(Patterns.regex("%a".repeat(30) + "%b", false));
    assertThat(text).doesNotContainPattern(Patterns.regex("%a".repeat(30) + "b", false));
  }

  @Test
  void prefix_endsBeforeTheFirstWildcard() {
    assertThat(Patterns.prefix("ab%c")).isEqualTo("ab%");
    assertThat(Patterns.prefix("a\\%b_c")).isEqualTo("a\\%b%");
    assertThat(Patterns.prefix("abc")).isEqualTo("abc");
    assertThat(Patterns.prefix("%")).isEqualTo("%");
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core.transaction;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class TagConditionTest {

  private static final String TAG = "\"a-1\"";

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\"a-1\"",
        "W/\"a-1\"",
        " \"a-1\" ",
        "\"b\", \"a-1\"",
        "\"b\",W/\"a-1\",\"c\"",
        "\"b, c\", \"a-1\"",
        "*",
        " * "
      })
  void condition_namingTheTag_matches(String condition) {
    assertThat(TagCondition.matches(condition, TAG)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "a-1",
        "\"a-1",
        "a-1\"",
        "\"a-\"",
        "\"a-12\"",
        "\"xa-1\"",
        "\"A-1\"",
        "\"*\"",
        "\"b\"a-1\"c\"",
        "\"b\", \"c\"",
        "\""
      })
  void condition_namingOtherTags_doesNotMatch(String condition) {
    assertThat(TagCondition.matches(condition, TAG)).isFalse();
  }

  @Test
  void condition_absent_doesNotMatch() {
    assertThat(TagCondition.matches(null, TAG)).isFalse();
  }
}

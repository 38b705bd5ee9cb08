// SPDX-License-Identifier: Apache-2.0
package dev.evita.http;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

final class StrictHttpTest {

  @ParameterizedTest
  @EnumSource
  void rule_each_hasAReasonAndADocument(StrictHttp.Rule rule) {
    var fault = rule.fault();
    assertThat(HttpFault.reason(fault.status())).isNotEqualTo("Error");
    assertThat(fault.document())
        .startsWith("{\"type\":\"about:blank\",\"title\":\"")
        .contains("\"status\":" + fault.status() + ",\"code\":\"" + fault.code() + "\"")
        .endsWith("\"}");
  }

  @ParameterizedTest
  @ValueSource(strings = {"/", "*", "/a?b=c%20d", "/%C3%A4;x=1?y", ""})
  void target_allowedCharacters_isValid(String target) {
    assertThat(StrictHttp.brokenTarget(target)).isNull();
  }

  @ParameterizedTest
  @CsvSource({"/a b,2", "/%2,1", "/%zz,1", "/\u00e4,1", "/a\u007f,2"})
  void target_invalidCharacter_isReportedWithItsPosition(String target, int position) {
    var fault = StrictHttp.brokenTarget(target);
    assertThat(fault).isNotNull();
    assertThat(fault.detail()).contains("at position " + position + ";");
  }
}

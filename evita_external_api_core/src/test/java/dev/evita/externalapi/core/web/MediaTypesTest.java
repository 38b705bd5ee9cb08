// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class MediaTypesTest {

  private static final List<String> OFFERED = List.of("application/json", "text/csv");

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      nullValues = "null",
      value = {
        "null | application/json",
        "*/* | application/json",
        "text/csv | text/csv",
        "TEXT/CSV | text/csv",
        "text/* | text/csv",
        "text/csv;q=0.5, application/json | application/json",
        "text/csv, application/json;q=0.9 | text/csv",
        "*/*;q=0.1, text/csv;q=0.2 | text/csv",
        "application/json;q=0, */* | text/csv",
        "text/csv;q=0 | null",
        "image/png | null",
        "image/png, */*;q=0.1 | application/json",
        "text/csv;q=nonsense | null",
        "text/csv; charset=utf-8 | text/csv"
      })
  void negotiate_byQualityAndSpecificity_returnsTheBest(String accept, String expected) {
    assertThat(MediaTypes.negotiate(accept, OFFERED)).isEqualTo(expected);
  }

  @Test
  void contentType_withParameters_isRead() {
    assertThat(MediaTypes.is("Application/JSON; charset=UTF-8", "application/json")).isTrue();
    assertThat(MediaTypes.is(null, "application/json")).isFalse();
    assertThat(MediaTypes.is("application/jsonp", "application/json")).isFalse();
    assertThat(MediaTypes.parameter("a/b; Charset=\"UTF-8\"", "charset")).isEqualTo("UTF-8");
    assertThat(MediaTypes.parameter("a/b", "charset")).isNull();
  }
}

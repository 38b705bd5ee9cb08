// SPDX-License-Identifier: Apache-2.0
package dev.evita.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class HttpDateTest {

  @ParameterizedTest
  @CsvSource({
    "1994-11-06T08:49:37Z, 'Sun, 06 Nov 1994 08:49:37 GMT'",
    "2000-02-29T23:59:59.999Z, 'Tue, 29 Feb 2000 23:59:59 GMT'",
  })
  void of_instant_isAnImfFixdate(Instant instant, String text) {
    assertThat(HttpDate.of(instant)).isEqualTo(text);
  }
}

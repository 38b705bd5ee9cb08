// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core.json;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class JsonNumbersTest {

  private final byte[] buffer = new byte[JsonNumbers.LONGEST];

  private String text(int end) {
    return new String(buffer, 0, end, StandardCharsets.US_ASCII);
  }

  @ParameterizedTest
  @ValueSource(longs = {0, -1, 9, 10, 99, 100, -1234567890123L, Long.MAX_VALUE, Long.MIN_VALUE})
  void whole_isWrittenLikeLong(long value) {
    assertThat(text(JsonNumbers.whole(value, buffer, 0))).isEqualTo(Long.toString(value));
  }

  @ParameterizedTest
  @CsvSource({
    "750, 2, 7.50",
    "-5, 3, -0.005",
    "0, 2, 0.00",
    "123456789012345678, 9, 123456789.012345678"
  })
  void decimal_keepsAllDigits(long unscaled, int scale, String text) {
    assertThat(text(JsonNumbers.decimal(unscaled, scale, buffer, 0))).isEqualTo(text);
    assertThat(BigDecimal.valueOf(unscaled, scale).toPlainString()).isEqualTo(text);
  }

  @Test
  void shortDecimal_isWrittenLikeDouble() {
    var random = new Random(20261125);
    for (int i = 0; i < 10_000; i++) {
      var value = random.nextInt(-9_999_999, 9_999_999) / 1_000.0;
      if (JsonNumbers.isShort(value)) {
        assertThat(text(JsonNumbers.shortDecimal(value, buffer, 0)))
            .isEqualTo(Double.toString(value));
      }
    }
  }

  @ParameterizedTest
  @ValueSource(doubles = {0.0001, 1e7, 1.00001, Double.NaN, Double.POSITIVE_INFINITY, 0})
  void isShort_otherNumbers_areNot(double value) {
    assertThat(JsonNumbers.isShort(value)).isFalse();
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.evita.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.evita.api.DataType.Scalar;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.OffsetTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

final class ValuesTest {

  private static final DataType MOOD = new DataType.Enumeration("mood", List.of("sad", "ok"));

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "BOOLEAN | true",
        "BOOLEAN | false",
        "INT16 | -32768",
        "INT32 | 2147483647",
        "INT64 | -9223372036854775808",
        "INT64 | 9007199254740993",
        "DECIMAL | 0.10",
        "DECIMAL | -12345678901234567890123456789012345678.50",
        "DECIMAL | NaN",
        "DECIMAL | -Infinity",
        "FLOAT32 | 0.1",
        "FLOAT64 | 1.0E300",
        "FLOAT64 | NaN",
        "FLOAT64 | -Infinity",
        "TEXT | it's",
        "BINARY | 3q2+7w==",
        "DATE | 0001-01-01",
        "DATE | 9999-12-31",
        "TIME | 00:00:00",
        "TIME | 13:45:01.123456789",
        "TIME_TZ | 13:45:00+05:30",
        "TIMESTAMP | 2026-01-31T13:45:00.5",
        "TIMESTAMP_TZ | 2026-01-31T13:45:00+01:00",
        "TIMESTAMP_TZ | 2026-01-31T13:45:00Z",
        "INTERVAL | P1DT2H",
        "UUID | 123e4567-e89b-12d3-a456-426614174000",
        "JSON | {}",
      })
  void text_parsedAndFormatted_roundTrips(Scalar type, String text) {
    assertThat(Values.format(Values.parse(type, text))).isEqualTo(text);
  }

  @Test
  void parse_returnsTheClassesOfArguments() {
    assertThat(Values.parse(Scalar.BOOLEAN, "true")).isEqualTo(true);
    assertThat(Values.parse(Scalar.INT16, "7")).isEqualTo(7L);
    assertThat(Values.parse(Scalar.INT32, "7")).isEqualTo(7L);
    assertThat(Values.parse(Scalar.INT64, "7")).isEqualTo(7L);
    assertThat(Values.parse(Scalar.DECIMAL, "7.0")).isEqualTo(new BigDecimal("7.0"));
    assertThat(Values.parse(Scalar.FLOAT32, "7")).isEqualTo(7f);
    assertThat(Values.parse(Scalar.FLOAT64, "7")).isEqualTo(7d);
    assertThat(Values.parse(Scalar.BINARY, "AQI=")).isEqualTo(new byte[] {1, 2});
    assertThat(Values.parse(Scalar.DATE, "2026-01-31")).isEqualTo(LocalDate.of(2026, 1, 31));
    assertThat(Values.parse(Scalar.TIME, "13:45")).isEqualTo(LocalTime.of(13, 45));
    assertThat(Values.parse(Scalar.UUID, "00000000-0000-0000-0000-000000000000"))
        .isEqualTo(new UUID(0, 0));
    assertThat(Values.parse(MOOD, "ok")).isEqualTo("ok");
    assertThat(Values.parse(new DataType.Other("point", true), "(1,2)")).isEqualTo("(1,2)");
  }

  @Test
  void timestamps_blankAndShortOffset_areAccepted() {
    var expected = OffsetDateTime.of(2026, 1, 31, 13, 45, 0, 0, ZoneOffset.ofHours(2));
    assertThat(Values.parse(Scalar.TIMESTAMP_TZ, "2026-01-31 13:45:00+02")).isEqualTo(expected);
    assertThat(Values.parse(Scalar.TIMESTAMP_TZ, "2026-01-31T13:45:00+0200")).isEqualTo(expected);
    assertThat(Values.parse(Scalar.TIMESTAMP, "2026-01-31 13:45:00"))
        .isEqualTo(LocalDateTime.of(2026, 1, 31, 13, 45));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "BOOLEAN | TRUE",
        "BOOLEAN | 1",
        "INT16 | 32768",
        "INT32 | 2147483648",
        "INT64 | 9223372036854775808",
        "INT64 | 1.5",
        "INT64 | abc",
        "DECIMAL | 1,5",
        "DECIMAL | 1e1000000000",
        "DECIMAL | 1e-1000000000",
        "DECIMAL | nan",
        "DECIMAL | +Infinity",
        "FLOAT64 | one",
        "FLOAT64 | 1e400",
        "FLOAT32 | -1e39",
        "BINARY | ***",
        "DATE | 2026-02-30",
        "DATE | 31.01.2026",
        "TIME | 25:00:00",
        "TIME_TZ | 13:45:00",
        "TIMESTAMP | 2026-01-31",
        "TIMESTAMP_TZ | 2026-01-31T13:45:00",
        "UUID | 1-1-1-1-1",
        "UUID | 123e4567e89b12d3a456426614174000",
      })
  void invalidText_isRejectedWithTheTextAndTheExpectedForm(Scalar type, String text) {
    assertThatThrownBy(() -> Values.parse(type, text))
        .isInstanceOfSatisfying(
            EvitaException.class,
            failure -> assertThat(failure.code()).isEqualTo(ErrorCode.INVALID_VALUE))
        .hasMessageContaining("'" + text + "'")
        .hasMessageContaining("expected");
  }

  @ParameterizedTest
  @EnumSource(Scalar.class)
  void emptyText_isRejectedExceptForText(Scalar type) {
    switch (type) {
      case TEXT, JSON, INTERVAL -> assertThat(Values.parse(type, "")).isEqualTo("");
      case BINARY -> assertThat(Values.parse(type, "")).isEqualTo(new byte[0]);
      default ->
          assertThatThrownBy(() -> Values.parse(type, ""))
              .isInstanceOfSatisfying(
                  EvitaException.class,
                  failure -> assertThat(failure.code()).isEqualTo(ErrorCode.INVALID_VALUE));
    }
  }

  @Test
  void unknownLabel_isRejectedWithTheLabels() {
    assertThatThrownBy(() -> Values.parse(MOOD, "great"))
        .isInstanceOf(EvitaException.class)
        .hasMessageContaining("great")
        .hasMessageContaining("sad, ok");
  }

  @Test
  void arrays_haveNoTextForm() {
    var array = new DataType.Array(Scalar.INT32);
    assertThatThrownBy(() -> Values.parse(array, "{1}")).isInstanceOf(EvitaException.class);
    assertThatIllegalArgumentException().isThrownBy(() -> Values.format(List.of(1)));
  }

  @Test
  void longText_isTruncatedInMessages() {
    assertThatThrownBy(() -> Values.parse(Scalar.INT32, "9".repeat(100_000)))
        .satisfies(failure -> assertThat(failure.getMessage()).hasSizeLessThan(300));
  }

  @Test
  void decimals_haveNoExponent() {
    assertThat(Values.format(new BigDecimal("1E+3"))).isEqualTo("1000");
    assertThat(Values.format(new BigDecimal("1E-9"))).isEqualTo("0.000000001");
  }

  @Test
  void times_includeSecondsAndNoEmptyFraction() {
    assertThat(Values.format(LocalTime.of(13, 45))).isEqualTo("13:45:00");
    assertThat(Values.format(LocalDateTime.of(2026, 1, 31, 0, 0))).isEqualTo("2026-01-31T00:00:00");
    assertThat(Values.format(OffsetTime.of(1, 2, 3, 400_000_000, ZoneOffset.UTC)))
        .isEqualTo("01:02:03.4Z");
  }

  @ParameterizedTest
  @EnumSource(Scalar.class)
  void expected_eachType_isDescribed(Scalar type) {
    assertThat(Values.expected(type)).isNotBlank();
    assertThat(Values.expected(new DataType.Array(type))).contains(Values.expected(type));
  }
}

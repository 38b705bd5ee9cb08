// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.rest.request;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.evita.externalapi.rest.model.RestFailure;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class RowRangeTest {

  @ParameterizedTest
  @CsvSource({"0-9, 0, 10", "20-20, 20, 1", "items=5-6, 5, 2", "20-, 20,"})
  void of_validHeader_returnsFirstRowAndCount(String header, long first, Long rows) {
    assertThat(RowRange.of("GET", header)).isEqualTo(new RowRange(first, rows));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "9", "-9", "a-b", "bytes=0-9", "0-9,20-29", "1234567890123456789-"})
  void of_otherForms_areIgnored(String header) {
    assertThat(RowRange.of("GET", header)).isNull();
  }

  @Test
  void of_otherMethods_isIgnored() {
    assertThat(RowRange.of("QUERY", "0-9")).isNotNull();
    assertThat(RowRange.of("PATCH", "0-9")).isNull();
    assertThat(RowRange.of("GET", null)).isNull();
  }

  @Test
  void of_endBeforeStart_isNotSatisfiable() {
    assertThatThrownBy(() -> RowRange.of("GET", "9-3")).isInstanceOf(RestFailure.class);
  }

  @ParameterizedTest
  @CsvSource({
    "10, 20, 0, 100, 10, 20",
    "10, 20, 15, 100, 15, 15",
    "10, 20, 0, 12, 10, 2",
    "10, , 5, 9223372036854775807, 10,",
  })
  void within_window_isTheIntersection(
      long first, Long rows, long offset, long limit, long start, Long count) {
    assertThat(new RowRange(first, rows).within(offset, limit))
        .isEqualTo(new RowRange(start, count));
  }

  @Test
  void within_disjointWindow_isNotSatisfiable() {
    var range = new RowRange(10, 5L);
    assertThatThrownBy(() -> range.within(20, 5)).isInstanceOf(RestFailure.class);
    assertThat(range.within(0, 0).rows()).isZero();
  }
}

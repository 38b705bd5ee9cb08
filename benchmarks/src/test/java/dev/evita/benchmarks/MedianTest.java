// SPDX-License-Identifier: Apache-2.0
package dev.evita.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("benchmarks")
final class MedianTest {

  @Test
  void of_oddNumber_isTheOneInTheMiddle() {
    assertThat(Median.of(List.of(9.0, 1.0, 2.0))).isEqualTo(2);
  }

  @Test
  void of_evenNumber_isTheMeanOfTheTwoInTheMiddle() {
    assertThat(Median.of(List.of(40, 10, 20, 1_000))).isEqualTo(30);
  }

  @Test
  void of_nothing_isRefused() {
    assertThatThrownBy(() -> Median.of(List.of())).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void figure_ofRounds_keepsEachSampleInItsOrder() {
    var figure = Report.Figure.of(List.of(4.0, 1.0), "us");
    assertThat(figure.value()).isEqualTo(2.5);
    assertThat(figure.lowest()).isEqualTo(1);
    assertThat(figure.highest()).isEqualTo(4);
    assertThat(figure.samples()).containsExactly(4.0, 1.0);
  }
}

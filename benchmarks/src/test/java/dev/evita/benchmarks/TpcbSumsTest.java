// SPDX-License-Identifier: Apache-2.0
package dev.evita.benchmarks;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import org.junit.jupiter.api.Test;

final class TpcbSumsTest {

  private static final TpcbSums BEFORE = new TpcbSums(100, 100, 100, 40, 7);

  @Test
  void requireConsistent_equalMovesAndRows_passes() {
    var after = new TpcbSums(90, 90, 90, 30, 10);
    assertThatCode(() -> after.requireConsistent(BEFORE, 3, 0)).doesNotThrowAnyException();
    assertThatCode(() -> after.requireConsistent(BEFORE, 2, 1)).doesNotThrowAnyException();
  }

  @Test
  void requireConsistent_lostUpdate_isRefused() {
    for (var after :
        new TpcbSums[] {
          new TpcbSums(91, 90, 90, 30, 10),
          new TpcbSums(90, 91, 90, 30, 10),
          new TpcbSums(90, 90, 91, 30, 10),
          new TpcbSums(90, 90, 90, 31, 10)
        }) {
      assertThatThrownBy(() -> after.requireConsistent(BEFORE, 3, 0))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("inconsistent balances");
    }
  }

  @Test
  void requireConsistent_missingOrSurplusHistory_isRefused() {
    var after = new TpcbSums(90, 90, 90, 30, 10);
    assertThatThrownBy(() -> after.requireConsistent(BEFORE, 4, 9))
        .hasMessageContaining("expected 4 rows and at most 9 more, got 3");
    assertThatThrownBy(() -> after.requireConsistent(BEFORE, 1, 1))
        .hasMessageContaining("expected 1 rows and at most 1 more, got 3");
  }
}

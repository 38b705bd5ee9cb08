// SPDX-License-Identifier: Apache-2.0
package dev.evita.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("benchmarks")
final class WrkTest {

  @Test
  void broken_withoutErrors_isNone() throws IOException {
    assertThat(Wrk.broken("  5000 requests in 1.00s, 1.00MB read\n")).isZero();
  }

  @Test
  void broken_connectionsClosedByTheServer_areCounted() throws IOException {
    var output = "  Socket errors: connect 0, read 5, write 2, timeout 0\n";
    assertThat(Wrk.broken(output)).isEqualTo(7);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Socket errors: connect 3, read 0, write 0, timeout 0",
        "Socket errors: connect 0, read 0, write 0, timeout 3"
      })
  void broken_connectErrorsOrTimeouts_areRefusedInTheWordsOfWrk(String line) {
    assertThatThrownBy(() -> Wrk.broken("Running\n  " + line + "\n"))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(line);
  }
}

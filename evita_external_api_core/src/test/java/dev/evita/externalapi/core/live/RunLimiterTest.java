// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.evita.api.EvitaException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class RunLimiterTest {

  @Test
  void turns_moreThanMayRun_waitInOrder() {
    var turns = new RunLimiter(2);
    var begun = new ArrayList<Integer>();
    for (int i = 0; i < 4; i++) {
      var number = i;
      turns.ask(() -> begun.add(number));
    }
    assertThat(begun).containsExactly(0, 1);
    turns.done();
    assertThat(begun).containsExactly(0, 1, 2);
    for (int i = 0; i < 3; i++) {
      turns.done();
    }
    assertThat(begun).containsExactly(0, 1, 2, 3);
    for (var number : List.of(4, 5, 6)) {
      turns.ask(() -> begun.add(number));
    }
    assertThat(begun).endsWith(4, 5);
  }

  @Test
  void options_withoutTurns_areRefused() {
    assertThatThrownBy(() -> new FeedOptions(0, 1, 1, 1, 1, Duration.ZERO))
        .isInstanceOf(EvitaException.class)
        .hasMessage("max-live-runs is 0; expected a number of at least 1");
  }
}

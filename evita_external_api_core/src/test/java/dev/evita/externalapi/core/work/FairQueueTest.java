// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core.work;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class FairQueueTest {

  private final FairQueue<Runnable> waiting = new FairQueue<>();
  private final List<String> taken = new ArrayList<>();

  private void add(String client, String turn) {
    waiting.add(client, () -> taken.add(turn));
  }

  private List<String> takeAll() {
    for (var turn = waiting.poll(); turn != null; turn = waiting.poll()) {
      turn.run();
    }
    return taken;
  }

  @Test
  void clients_takeTurns_andEachKeepsItsOrder() {
    add("greedy", "a1");
    add("greedy", "a2");
    add("greedy", "a3");
    add("other", "b1");
    add("third", "c1");
    add("other", "b2");
    assertThat(takeAll()).containsExactly("a1", "b1", "c1", "a2", "b2", "a3");
  }

  @Test
  void client_thatComesLater_waitsForOneOfEachAlone() {
    for (int i = 0; i < 100; i++) {
      add("greedy", "a" + i);
    }
    waiting.poll();
    add("other", "b");
    assertThat(takeAll().indexOf("b")).isEqualTo(1);
  }
}

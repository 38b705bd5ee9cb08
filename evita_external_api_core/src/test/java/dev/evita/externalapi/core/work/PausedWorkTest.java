// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core.work;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evita.externalapi.core.EmptyEngine;
import dev.evita.externalapi.core.limits.Limits;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class PausedWorkTest {

  private final Dispatcher dispatcher =
      new Dispatcher(Limits.DEFAULT, 1, 1, System::nanoTime, new EmptyEngine());
  private final PausedWork paused = new PausedWork(2);
  private final Work first = work();
  private final Work second = work();
  private final Work third = work();

  private Work work() {
    return new TestOwner(dispatcher).work;
  }

  @AfterEach
  void close() {
    dispatcher.close();
  }

  @Test
  void add_beyondTheLimit_returnsTheLongestWaiting() {
    assertThat(paused.add(first, 1)).isNull();
    assertThat(paused.add(second, 2)).isNull();
    assertThat(paused.add(third, 3)).isSameAs(first);
    assertThat(first.pausedNanos()).isZero();
    assertThat(paused.add(first, 4)).isSameAs(second);
  }

  @Test
  void resumedWork_queuesLastAgain() {
    paused.add(first, 1);
    paused.add(second, 2);
    paused.remove(first);
    assertThat(paused.add(first, 3)).isNull();
    assertThat(paused.takeEldest(1)).isNull();
    assertThat(paused.takeEldest(2)).isSameAs(second);
    assertThat(paused.takeEldest(2)).isNull();
    assertThat(paused.takeEldest(3)).isSameAs(first);
    assertThat(paused.takeEldest(9)).isNull();
  }
}

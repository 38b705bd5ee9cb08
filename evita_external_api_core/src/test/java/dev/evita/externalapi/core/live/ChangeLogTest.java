// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core.live;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class ChangeLogTest {

  private static Change change(int bytes) {
    return Change.insert(new byte[0], new byte[bytes]);
  }

  @Test
  void changes_moreThanAllowed_dropTheOldest() {
    var log = new ChangeLog(2, 1_000_000);
    var changes = new Change[] {change(1), change(2), change(3)};
    for (var each : changes) {
      log.add(each);
    }
    assertThat(log.last()).isEqualTo(3);
    assertThat(log.holds(0)).isFalse();
    assertThat(log.holds(1)).isTrue();
    assertThat(log.after(1)).isSameAs(changes[1]);
    assertThat(log.after(2)).isSameAs(changes[2]);
    assertThat(log.holds(3)).isTrue();
    assertThat(log.holds(4)).isFalse();
  }

  @Test
  void bytes_moreThanAllowed_dropTheOldest() {
    var log = new ChangeLog(100, 1_000);
    log.add(change(400));
    log.add(change(400));
    assertThat(log.holds(0)).isFalse();
    assertThat(log.holds(1)).isTrue();
    log.add(change(5_000)); // exceeds the limit by itself
    assertThat(log.holds(2)).isFalse();
    assertThat(log.holds(3)).isTrue();
  }

  @Test
  void log_empty_holdsItsEnd() {
    var log = new ChangeLog(0, 0);
    assertThat(log.holds(0)).isTrue();
    log.add(change(1));
    assertThat(log.holds(0)).isFalse();
    assertThat(log.holds(1)).isTrue();
  }
}

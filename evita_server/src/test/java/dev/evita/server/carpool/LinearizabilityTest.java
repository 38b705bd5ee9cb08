// SPDX-License-Identifier: Apache-2.0
package dev.evita.server.carpool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evita.server.carpool.Linearizability.Event;
import dev.evita.server.carpool.Linearizability.Kind;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The checker finds what it is for. */
final class LinearizabilityTest {

  @Test
  void concurrentAdds_inAnyOrder_areAccepted() {
    var events = List.of(new Event(Kind.ADD, 0, 10, 2), new Event(Kind.ADD, 1, 9, 1));
    assertThat(Linearizability.holds(events, 2)).isTrue();
  }

  @Test
  void lostUpdate_isFound() {
    var events = List.of(new Event(Kind.ADD, 0, 10, 1), new Event(Kind.ADD, 1, 9, 1));
    assertThat(Linearizability.holds(events, 1)).isFalse();
  }

  @Test
  void staleRead_isFound() {
    var events = List.of(new Event(Kind.ADD, 0, 1, 1), new Event(Kind.READ, 2, 3, 0));
    assertThat(Linearizability.holds(events, 1)).isFalse();
  }

  @Test
  void effectOfRefusedMember_isFound() {
    var events = List.of(new Event(Kind.TAKE, 0, 1, Linearizability.REFUSED));
    assertThat(Linearizability.holds(events, -1)).isFalse();
    assertThat(Linearizability.holds(events, 0)).isTrue();
  }

  @Test
  void errorForAnInnocentMember_isFound() {
    var events =
        List.of(new Event(Kind.ADD, 0, 1, 1), new Event(Kind.TAKE, 2, 3, Linearizability.REFUSED));
    assertThat(Linearizability.holds(events, 1)).isFalse();
  }

  @Test
  void operationWithoutResponse_mayHaveTakenEffect() {
    var events = List.of(new Event(Kind.ADD, 0, Long.MAX_VALUE, Linearizability.UNKNOWN));
    assertThat(Linearizability.holds(events, 0)).isTrue();
    assertThat(Linearizability.holds(events, 1)).isTrue();
    assertThat(Linearizability.holds(events, 2)).isFalse();
  }
}

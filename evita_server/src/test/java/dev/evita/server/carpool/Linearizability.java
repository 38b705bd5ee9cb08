// SPDX-License-Identifier: Apache-2.0
package dev.evita.server.carpool;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Decides whether the responses to concurrent operations on one counter can be explained by some
 * serial order, in which each operation takes effect between its begin and its end (Wing and Gong,
 * 1993, with the visited states remembered as by Lowe, 2017).
 */
final class Linearizability {

  /** What a client asked for. */
  enum Kind {
    READ,
    ADD,
    TAKE
  }

  /**
   * An operation and its response.
   *
   * @param begin and {@code end} on one clock; the end of an operation without a response is the
   *     largest number
   * @param result the total after it; {@link #REFUSED} for a take from an empty counter; {@link
   *     #UNKNOWN} without a response: it may have taken effect at any time, or not at all
   */
  record Event(Kind kind, long begin, long end, int result) {}

  static final int REFUSED = -1;
  static final int UNKNOWN = -2;

  private record State(Set<Integer> done, int total) {}

  private final List<Event> events;
  private final Set<State> visited = new HashSet<>();

  private Linearizability(List<Event> events) {
    this.events = events;
  }

  /**
   * Whether a serial order exists that begins with 0 and ends with this total.
   *
   * @param last the total that was stored in the end
   */
  static boolean holds(List<Event> events, int last) {
    var all = new ArrayList<>(events);
    all.add(new Event(Kind.READ, Long.MAX_VALUE, Long.MAX_VALUE, last));
    return new Linearizability(all).search(Set.of(), 0);
  }

  private boolean search(Set<Integer> done, int total) {
    if (isComplete(done)) {
      return true;
    }
    if (!visited.add(new State(done, total))) {
      return false;
    }
    var firstEnd = Long.MAX_VALUE;
    for (int i = 0; i < events.size(); i++) {
      if (!done.contains(i)) {
        firstEnd = Math.min(firstEnd, events.get(i).end());
      }
    }
    for (int i = 0; i < events.size(); i++) {
      var event = events.get(i);
      if (done.contains(i) || event.begin() > firstEnd) {
        continue;
      }
      var after = total + change(event, total);
      var matches =
          event.result() == UNKNOWN
              || event.result() == (isRefused(event, total) ? REFUSED : after);
      if (matches) {
        var more = new HashSet<>(done);
        more.add(i);
        if (search(more, after)) {
          return true;
        }
      }
    }
    return false;
  }

  /** Operations without a response need not have taken effect. */
  private boolean isComplete(Set<Integer> done) {
    for (int i = 0; i < events.size(); i++) {
      if (!done.contains(i) && events.get(i).result() != UNKNOWN) {
        return false;
      }
    }
    return true;
  }

  private static boolean isRefused(Event event, int total) {
    return event.kind() == Kind.TAKE && total == 0;
  }

  private static int change(Event event, int total) {
    return switch (event.kind()) {
      case READ -> 0;
      case ADD -> 1;
      case TAKE -> total == 0 ? 0 : -1;
    };
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core.live;

import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

/**
 * The last changes of a feed, numbered from 1. A position is the number of the last change that was
 * delivered. Not thread-safe.
 */
final class ChangeLog {

  /** The memory of a change beyond its bytes. */
  private static final int OVERHEAD = 128;

  private final int maxChanges;
  private final int maxBytes;
  private final Map<Long, Change> changes = new HashMap<>();
  private long last;
  private long bytes;

  ChangeLog(int maxChanges, int maxBytes) {
    this.maxChanges = maxChanges;
    this.maxBytes = maxBytes;
  }

  /** Adds a change, and drops the oldest ones that exceed the limits. */
  void add(Change change) {
    last++;
    changes.put(last, change);
    bytes += size(change);
    while (changes.size() > maxChanges || bytes > maxBytes) {
      bytes -= size(Objects.requireNonNull(changes.remove(last - changes.size() + 1)));
    }
  }

  private static long size(Change change) {
    return (long) OVERHEAD + change.key().length + change.row().length;
  }

  /** The position after all changes. */
  long last() {
    return last;
  }

  /** Whether all changes after the position are retained. */
  boolean holds(long position) {
    return position <= last && position >= last - changes.size();
  }

  /** The change after a position for which {@link #holds} is true and that is not the last. */
  Change after(long position) {
    return Objects.requireNonNull(changes.get(position + 1));
  }
}

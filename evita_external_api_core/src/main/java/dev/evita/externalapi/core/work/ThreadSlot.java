// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core.work;

import org.jspecify.annotations.Nullable;

/**
 * What a thread of the server works on, and a buffer that it keeps for its next answer. Written by
 * that thread, read by the watchdog. Threads of others, who call in this process, have none.
 */
final class ThreadSlot {

  private volatile @Nullable Work work;
  private volatile long since;
  private byte @Nullable [] spare;

  /** A task of this work begins. */
  void take(Work begun, long nanos) {
    since = nanos;
    work = begun;
  }

  /** The work has returned. */
  void leave() {
    work = null;
  }

  @Nullable Work work() {
    return work;
  }

  /** When the work began that runs now. */
  long since() {
    return since;
  }

  byte @Nullable [] takeSpare() {
    var kept = spare;
    spare = null;
    return kept;
  }

  void keepSpare(byte[] buffer) {
    spare = buffer;
  }
}

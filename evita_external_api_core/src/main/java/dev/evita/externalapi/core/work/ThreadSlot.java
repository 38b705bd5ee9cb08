// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core.work;

import org.jspecify.annotations.Nullable;

/**
 * The current work of a server thread, and a spare response buffer. Written by that thread, read by
 * the watchdog. Threads of in-process callers have none.
 */
final class ThreadSlot {

  private volatile @Nullable Work work;
  private volatile long since;
  private byte @Nullable [] spare;
  private boolean batching;

  /** A task of this work begins. */
  void take(Work begun, long nanos) {
    since = nanos;
    work = begun;
  }

  /** The task has returned. */
  void leave() {
    work = null;
  }

  @Nullable Work work() {
    return work;
  }

  /** The time the current task began. */
  long since() {
    return since;
  }

  /** Whether the thread executes a batch, which begins many responses before it ends the first. */
  boolean batching() {
    return batching;
  }

  void batching(boolean begun) {
    batching = begun;
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

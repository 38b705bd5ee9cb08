// SPDX-License-Identifier: Apache-2.0
package dev.evita.http;

import java.util.concurrent.atomic.AtomicInteger;

/** Counts the connections of one listener up to a maximum. Thread-safe. */
final class ConnectionLimit {

  private final int max;
  private final AtomicInteger taken = new AtomicInteger();

  /**
   * @param max concurrent connections
   */
  ConnectionLimit(int max) {
    this.max = max;
  }

  int max() {
    return max;
  }

  /** The current number of connections. */
  int count() {
    return taken.get();
  }

  /** Counts one more connection. Returns whether a place was free. */
  boolean tryAcquire() {
    for (var count = taken.get(); count < max; count = taken.get()) {
      if (taken.compareAndSet(count, count + 1)) {
        return true;
      }
    }
    return false;
  }

  /** Counts one connection less. */
  void release() {
    taken.decrementAndGet();
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core.exchange;

import java.time.Duration;

/**
 * Looks now and then whether the client of a call is still there and reads. Over HTTP/1.1, as there
 * are no frames that would tell it; over HTTP/2, where nothing but the end of the answer is left to
 * be read. On the connection's thread.
 */
final class ClientWatch {

  private static final Duration BETWEEN = Duration.ofMillis(500);

  private final StreamingExchange call;
  private final long slowNanos;
  private long takenBytes;
  private long takenNanos;

  /**
   * @param slow how long a client may take nothing of what waits for it
   */
  ClientWatch(StreamingExchange call, Duration slow) {
    this.call = call;
    this.slowNanos = slow.toNanos();
  }

  /** From now on, until the call has ended. */
  void start() {
    takenNanos = System.nanoTime();
    again();
  }

  private void again() {
    var unused = call.after(BETWEEN, this::look);
  }

  private void look() {
    call.probe();
    if (call.isOver()) {
      return;
    }
    var taken = call.sentBytes();
    if (taken != takenBytes || !call.waits()) {
      takenBytes = taken;
      takenNanos = System.nanoTime();
    }
    if (System.nanoTime() - takenNanos > slowNanos) {
      call.breakOff();
    } else {
      again();
    }
  }
}

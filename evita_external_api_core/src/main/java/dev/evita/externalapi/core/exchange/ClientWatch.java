// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core.exchange;

import java.time.Duration;

/**
 * Checks periodically whether the client of a call is still connected and reads. Used over
 * HTTP/1.1, which has no frames that would show it, and over HTTP/2 once only the end of the
 * response is left to be read. Called on the connection's thread.
 */
final class ClientWatch {

  private static final Duration BETWEEN = Duration.ofMillis(500);

  private final StreamingExchange call;
  private final long slowNanos;
  private long takenBytes;
  private long takenNanos;

  /**
   * @param slow how long a client may read nothing of the bytes that wait for it
   */
  ClientWatch(StreamingExchange call, Duration slow) {
    this.call = call;
    this.slowNanos = slow.toNanos();
  }

  /** Starts checking, until the call has ended. */
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
    if (taken != takenBytes || !call.hasQueuedBytes()) {
      takenBytes = taken;
      takenNanos = System.nanoTime();
    }
    if (System.nanoTime() - takenNanos > slowNanos) {
      call.disconnected();
    } else {
      again();
    }
  }
}

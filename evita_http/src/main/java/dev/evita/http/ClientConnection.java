// SPDX-License-Identifier: Apache-2.0
package dev.evita.http;

import org.jspecify.annotations.Nullable;

/**
 * An accepted connection, and the requests that it may serve.
 *
 * <pre>
 * accepted --within max-connections--> REGULAR ----------------------------> closed
 *    '--else--> RESERVE --place free at its next request or tick--> REGULAR
 *                  '-- serves probes only; closed after a second without one
 * </pre>
 *
 * <p>The reserve keeps a busy server from failing its probes, and being restarted for that.
 *
 * <p>{@link #fault} and {@link #tick} belong to the connection's thread, the others to any.
 */
final class ClientConnection {

  /** Connections that are accepted beyond {@code max-connections}. */
  static final int RESERVE = 16;

  /** Two ticks without a request end a connection of the reserve. */
  static final int TICK_MILLIS = 500;

  private static final int MAX_TICKS = 2;

  private final ConnectionLimit limit;
  private final String reservedPrefix;
  private volatile boolean regular;
  private boolean closed;
  private int idleTicks;

  /**
   * Counts a connection, until {@link #close}.
   *
   * @param reservedPrefix of the paths that the reserve serves
   */
  ClientConnection(ConnectionLimit limit, String reservedPrefix) {
    this.limit = limit;
    this.reservedPrefix = reservedPrefix;
    this.regular = limit.tryAcquire();
  }

  /** Whether it counts among {@code max-connections}; it does from now on, if a place is free. */
  boolean regular() {
    return regular || promoted();
  }

  private synchronized boolean promoted() {
    if (!regular && !closed) {
      regular = limit.tryAcquire();
    }
    return regular;
  }

  /**
   * The fault of a request that arrives now; null if it may be served.
   *
   * @param path decoded
   */
  @Nullable HttpFault fault(String method, String path) {
    if (regular()) {
      return null;
    }
    if (path.startsWith(reservedPrefix) && (method.equals("GET") || method.equals("HEAD"))) {
      idleTicks = 0;
      return null;
    }
    return new HttpFault(
        503,
        "TOO_MANY_CONNECTIONS",
        "The server has reached its limit of %d connections (max-connections); retry later"
            .formatted(limit.max()),
        true);
  }

  /**
   * Counts a tick. Returns whether the connection is to be closed: it is of the reserve, and no
   * probe has arrived for a second.
   */
  boolean tick() {
    idleTicks++;
    return idleTicks >= MAX_TICKS && !regular();
  }

  /** Releases its place. Idempotent. */
  synchronized void close() {
    if (!closed) {
      closed = true;
      if (regular) {
        limit.release();
      }
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core;

import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import org.jspecify.annotations.Nullable;

/**
 * A connection that a listener has accepted, and what it may be used for.
 *
 * <pre>
 *   accepted --room in max-connections--> REGULAR ---------------------------> closed
 *      '--none--> RESERVE --room at its next request or tick--> REGULAR
 *                    '-- serves probes only; closed after a second without one
 * </pre>
 *
 * <p>The reserve keeps a busy server from failing its probes, and being restarted for that.
 *
 * <p>{@link #refusal} and {@link #tick} belong to the connection's thread, the others to any.
 */
final class ClientConnection {

  /** Connections that are accepted beyond {@code max-connections}. */
  static final int RESERVE = 16;

  /** Two ticks without a request end a connection of the reserve. */
  static final int TICK_MILLIS = 500;

  private static final int MAX_TICKS = 2;
  private static final String SYSTEM = "/system/";

  private final HttpListener listener;
  private volatile boolean regular;
  private boolean closed;
  private int idleTicks;

  ClientConnection(HttpListener listener) {
    this.listener = listener;
    this.regular = listener.limit().tryAcquire();
  }

  HttpListener listener() {
    return listener;
  }

  /** Whether it counts among {@code max-connections}; from now on, if there is room. */
  boolean regular() {
    return regular || promoted();
  }

  private synchronized boolean promoted() {
    if (!regular && !closed) {
      regular = listener.limit().tryAcquire();
    }
    return regular;
  }

  /**
   * Why a request must be refused that arrives now; null where it may be served.
   *
   * @param path decoded
   */
  @Nullable EvitaException refusal(String method, String path) {
    if (regular()) {
      return null;
    }
    if (path.startsWith(SYSTEM) && (method.equals("GET") || method.equals("HEAD"))) {
      idleTicks = 0;
      return null;
    }
    return new EvitaException(
        ErrorCode.TOO_MANY_CONNECTIONS,
        "The server has reached its limit of "
            + listener.limit().max()
            + " connections (max-connections); retry later");
  }

  /**
   * Counts a tick. Returns whether the connection is to be closed: it is of the reserve, and no
   * probe has arrived for a second.
   */
  boolean tick() {
    idleTicks++;
    return idleTicks >= MAX_TICKS && !regular();
  }

  /** Gives its place away. Idempotent. */
  synchronized void close() {
    if (!closed) {
      closed = true;
      if (regular) {
        listener.limit().release();
      }
    }
  }
}

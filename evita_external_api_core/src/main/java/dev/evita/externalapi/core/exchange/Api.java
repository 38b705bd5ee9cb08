// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core.exchange;

import java.util.List;

/** The endpoints of one protocol for one catalog epoch. Immutable and thread-safe. */
public interface Api {

  /** The routes of this API's requests. */
  List<Route> routes();

  /**
   * Handles a request whose route matched and whose body is complete.
   *
   * <p>Called on an I/O thread (in process: the caller's): translates the request, then passes the
   * work to {@code Work.dispatch}. Must not block. Exceptions are passed to {@link Exchange#fail}.
   */
  void handle(Exchange exchange);

  /**
   * Responds, in the API's own form, to a request of this API that was not admitted, timed out, or
   * whose handling threw. No part of a response has been sent. Must not block; called on any
   * thread.
   */
  default void refuse(Exchange exchange, Throwable failure) {
    Problems.send(exchange.response(), failure);
  }

  /**
   * Starts as the API of a server's first epoch, before it serves. Called instead of {@link
   * #succeed}, on a thread that may block.
   *
   * @throws dev.evita.api.EvitaException {@code INVALID_CONFIGURATION}: the server does not start
   */
  default void begin() {}

  /**
   * Takes over state that outlives an epoch, such as open connections, from the same provider's API
   * of the previous epoch. Called before this one serves, on a thread that may block.
   */
  default void succeed(Api predecessor) {}

  /**
   * Releases what outlives an epoch. Called once: when the server closes, or when it does not
   * start, even if {@link #begin} was not called or failed.
   */
  default void close() {}
}

// SPDX-License-Identifier: Apache-2.0
package dev.evita.http;

import org.jspecify.annotations.Nullable;

/** Handles the requests of one {@link HttpServer}. Thread-safe. */
public interface HttpHandler {

  /**
   * Handles a request whose head has arrived. Called on the connection's thread; must not block.
   *
   * <p>The handler owns the stream from now on, and must complete or reset it, now or later. An
   * exception resets the stream.
   *
   * @param fault the reason why the request must be rejected; null if it may be served
   */
  void handle(HttpStream stream, @Nullable HttpFault fault);

  /** Whether connections are to be closed after their current request. */
  boolean isDraining();
}

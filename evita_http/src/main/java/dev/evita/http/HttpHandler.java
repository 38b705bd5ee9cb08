// SPDX-License-Identifier: Apache-2.0
package dev.evita.http;

import org.jspecify.annotations.Nullable;

/** Handles the requests of one {@link HttpServer}. Thread-safe. */
public interface HttpHandler {

  /**
   * Handles a request whose head has arrived. Called on the connection's thread; must not block.
   *
   * <p>The handler owns the stream from now on, and must complete or reset it, here or later. What
   * it throws resets the stream.
   *
   * @param fault why the request must be refused; null if it may be served
   */
  void handle(HttpStream stream, @Nullable HttpFault fault);

  /** Returns whether connections are to be closed after the request that they serve. */
  boolean isDraining();
}

// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core;

import java.util.List;

/**
 * An API whose requests come, and whose answers leave, piece by piece at the same time. It takes
 * all requests of its media type, whatever their path, on HTTP/2.
 */
public interface StreamingApi extends Api {

  /** The media type; what follows it after a plus sign or semicolon is the API's to understand. */
  String mediaType();

  /**
   * Takes a request of which the head has come.
   *
   * <p>On the connection's thread; must not block. What it throws breaks the call off.
   */
  void open(Duplex call);

  @Override
  default List<Route> routes() {
    return List.of();
  }

  @Override
  default void handle(Exchange exchange) {
    throw new IllegalStateException("has no routes");
  }
}

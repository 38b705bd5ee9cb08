// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core;

import dev.evita.api.EvitaException;
import org.jspecify.annotations.Nullable;

/**
 * What the connections of one port have in common.
 *
 * @param hosts that their requests may name
 * @param limit of their number
 * @param management whether it serves {@code /system/*} alone, also while the server drains
 */
record HttpListener(
    ExternalApiServer server, AllowedHosts hosts, ConnectionLimit limit, boolean management) {

  /** Whose a request is by its content type, before its body has come; null for nobody's. */
  Router.@Nullable Streaming streaming(Exchange exchange) {
    return management ? null : server.streaming(exchange);
  }

  /** As {@link Router#identify}. */
  @Nullable EvitaException identify(Exchange exchange) {
    return management ? server.identifyManagement(exchange) : server.identify(exchange);
  }

  /** Takes a request that has begun and whose body is complete. */
  void accept(Exchange exchange) {
    if (management) {
      server.acceptManagement(exchange);
    } else {
      server.accept(exchange);
    }
  }

  /** Whether connections are not to be kept. */
  boolean draining() {
    return !management && server.draining();
  }
}

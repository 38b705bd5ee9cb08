// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core.exchange;

import dev.evita.api.EvitaException;
import dev.evita.externalapi.core.push.PushChannels;
import dev.evita.externalapi.core.web.Compression;
import dev.evita.externalapi.core.web.Cors;
import dev.evita.externalapi.core.work.Dispatcher;
import org.jspecify.annotations.Nullable;

/** The server as seen by an exchange: state common to the requests of one port. Thread-safe. */
public interface PortContext {

  /** The dispatcher of all requests. */
  Dispatcher dispatcher();

  /** Null if no other origin is allowed. */
  @Nullable Cors cors();

  /** Null if nothing is compressed. */
  @Nullable Compression compression();

  /** The channels of open connections. */
  PushChannels pushChannels();

  /**
   * The streaming API of a request, by content type, before its body arrives; null if there is
   * none.
   */
  Router.@Nullable Streaming streaming(Request request);

  /** See {@link Router#identify}. */
  @Nullable EvitaException identify(HttpExchange exchange);

  /** Accepts a request that was admitted and whose body is complete. */
  void accept(HttpExchange exchange);

  /** Handles a request again, once the catalog was read again. */
  void acceptAgain(HttpExchange exchange);
}

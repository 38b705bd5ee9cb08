// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core.exchange;

import dev.evita.api.EvitaException;
import dev.evita.externalapi.core.push.PushChannels;
import dev.evita.externalapi.core.web.Compression;
import dev.evita.externalapi.core.web.Cors;
import dev.evita.externalapi.core.work.Dispatcher;
import org.jspecify.annotations.Nullable;

/** The server as an exchange sees it: what is common to the requests of one port. Thread-safe. */
public interface PortContext {

  /** Runs the work of requests. */
  Dispatcher dispatcher();

  /** Null where no other origin is allowed. */
  @Nullable Cors cors();

  /** Null where nothing is compressed. */
  @Nullable Compression compression();

  /** The connections that stay open. */
  PushChannels outlets();

  /** The API that takes a request by its content type, before its body has arrived; else null. */
  Router.@Nullable Streaming streaming(Request request);

  /** As {@link Router#identify}. */
  @Nullable EvitaException identify(HttpExchange exchange);

  /** Takes a request that has begun and whose body is complete. */
  void accept(HttpExchange exchange);

  /** Takes a request once more, after the schema was read again. */
  void acceptAgain(HttpExchange exchange);
}

// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core;

import dev.evita.api.EvitaException;
import dev.evita.externalapi.core.exchange.HttpExchange;
import dev.evita.externalapi.core.exchange.PortContext;
import dev.evita.externalapi.core.exchange.Request;
import dev.evita.externalapi.core.exchange.Router;
import dev.evita.externalapi.core.push.PushChannels;
import dev.evita.externalapi.core.web.Compression;
import dev.evita.externalapi.core.web.Cors;
import dev.evita.externalapi.core.work.Dispatcher;
import dev.evita.http.HttpFault;
import dev.evita.http.HttpHandler;
import dev.evita.http.HttpStream;
import org.jspecify.annotations.Nullable;

/**
 * A port of a server.
 *
 * @param management whether it serves {@code /system/*} alone, also while the server drains
 */
record ServerPort(ExternalApiServer server, boolean management)
    implements PortContext, HttpHandler {

  @Override
  public void handle(HttpStream stream, @Nullable HttpFault fault) {
    new HttpExchange(this, stream).begin(fault);
  }

  @Override
  public boolean isDraining() {
    return !management && server.draining();
  }

  @Override
  public Dispatcher dispatcher() {
    return server.dispatcher();
  }

  @Override
  public @Nullable Cors cors() {
    return server.cors();
  }

  @Override
  public @Nullable Compression compression() {
    return server.compression();
  }

  @Override
  public PushChannels outlets() {
    return server.outlets();
  }

  @Override
  public Router.@Nullable Streaming streaming(Request request) {
    return management ? null : server.streaming(request);
  }

  @Override
  public @Nullable EvitaException identify(HttpExchange exchange) {
    return management ? server.identifyManagement(exchange) : server.identify(exchange);
  }

  @Override
  public void accept(HttpExchange exchange) {
    if (management) {
      server.acceptManagement(exchange);
    } else {
      server.accept(exchange);
    }
  }

  @Override
  public void acceptAgain(HttpExchange exchange) {
    server.acceptAgain(exchange);
  }
}

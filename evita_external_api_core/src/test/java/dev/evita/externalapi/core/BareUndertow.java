// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core;

import io.undertow.Undertow;
import io.undertow.server.HttpHandler;
import java.net.InetSocketAddress;

/** Undertow with its own listener, so that a test sees each exchange before our server does. */
final class BareUndertow implements AutoCloseable {

  private final Undertow undertow;

  BareUndertow(HttpHandler handler) {
    undertow = Undertow.builder().addHttpListener(0, "127.0.0.1").setHandler(handler).build();
    undertow.start();
  }

  RawClient connect() {
    var address = (InetSocketAddress) undertow.getListenerInfo().getFirst().getAddress();
    return RawClient.connect(address.getPort());
  }

  @Override
  public void close() {
    undertow.stop();
  }
}

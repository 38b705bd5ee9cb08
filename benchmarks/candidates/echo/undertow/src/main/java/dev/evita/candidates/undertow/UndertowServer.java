// SPDX-License-Identifier: Apache-2.0
package dev.evita.candidates.undertow;

import dev.evita.candidates.graphql.EchoGraphQl;
import io.undertow.Handlers;
import io.undertow.Undertow;
import io.undertow.server.HttpHandler;
import io.undertow.util.Headers;
import java.nio.ByteBuffer;

/** Undertow, which answers on its I/O threads, as nothing blocks. */
public final class UndertowServer {

  private UndertowServer() {}

  public static void main(String[] arguments) {
    var graphQl = EchoGraphQl.create();
    HttpHandler handler =
        exchange ->
            exchange
                .getRequestReceiver()
                .receiveFullBytes((request, body) -> {
                  request.getResponseHeaders().put(Headers.CONTENT_TYPE, "application/json");
                  request.getResponseSender().send(ByteBuffer.wrap(graphQl.answer(body)));
                });
    Undertow.builder()
        .addHttpListener(Integer.getInteger("port"), "127.0.0.1")
        .setHandler(Handlers.path().addExactPath("/graphql", handler))
        .build()
        .start();
  }
}

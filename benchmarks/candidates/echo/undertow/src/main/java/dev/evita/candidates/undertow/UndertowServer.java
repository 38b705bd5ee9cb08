// SPDX-License-Identifier: Apache-2.0
package dev.evita.candidates.undertow;

import dev.evita.candidates.graphql.EchoGraphQl;
import io.undertow.Handlers;
import io.undertow.Undertow;
import io.undertow.server.HttpHandler;
import io.undertow.server.HttpServerExchange;
import io.undertow.server.handlers.BlockingHandler;
import io.undertow.util.Headers;
import java.io.IOException;
import java.nio.ByteBuffer;

/** Undertow with a blocking handler on its worker threads. */
public final class UndertowServer {

  private UndertowServer() {}

  public static void main(String[] arguments) {
    var graphQl = EchoGraphQl.create();
    HttpHandler handler = exchange -> answer(graphQl, exchange);
    Undertow.builder()
        .addHttpListener(Integer.getInteger("port"), "127.0.0.1")
        .setHandler(Handlers.path().addExactPath("/graphql", new BlockingHandler(handler)))
        .build()
        .start();
  }

  private static void answer(EchoGraphQl graphQl, HttpServerExchange exchange) throws IOException {
    var body = exchange.getInputStream().readAllBytes();
    exchange.getResponseHeaders().put(Headers.CONTENT_TYPE, "application/json");
    exchange.getResponseSender().send(ByteBuffer.wrap(graphQl.answer(body)));
  }
}

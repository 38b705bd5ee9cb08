// SPDX-License-Identifier: Apache-2.0
package dev.evita.candidates.graphqljava;

import io.undertow.Undertow;
import io.undertow.server.HttpServerExchange;
import io.undertow.util.Headers;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.sql.SQLException;
import tools.jackson.databind.json.JsonMapper;

/**
 * graphql-java on Undertow, on the I/O thread, which is its fastest way here: a hand-off to workers
 * or virtual threads costs more than the query.
 *
 * <p>Arguments: port, script of the shop.
 */
public final class GraphQlJavaServer {

  private static final JsonMapper JSON = JsonMapper.shared();

  /** A request's body, as far as it is used. */
  record Request(String query) {}

  private final ShopGraphQl shop;

  private GraphQlJavaServer(ShopGraphQl shop) {
    this.shop = shop;
  }

  public static void main(String[] arguments) throws IOException, SQLException {
    start(Integer.parseInt(arguments[0]), Path.of(arguments[1]));
  }

  static Undertow start(int port, Path script) throws IOException, SQLException {
    var server = new GraphQlJavaServer(new ShopGraphQl(Shop.open(script)));
    var undertow =
        Undertow.builder()
            .addHttpListener(port, "127.0.0.1")
            // The one connection to the database is this thread's.
            .setIoThreads(1)
            .setHandler(exchange -> exchange.getRequestReceiver().receiveFullBytes(server::answer))
            .build();
    undertow.start();
    return undertow;
  }

  private void answer(HttpServerExchange exchange, byte[] body) {
    var request = JSON.readValue(body, Request.class);
    exchange.getResponseHeaders().put(Headers.CONTENT_TYPE, "application/json");
    exchange
        .getResponseSender()
        .send(ByteBuffer.wrap(JSON.writeValueAsBytes(shop.execute(request.query()))));
  }
}

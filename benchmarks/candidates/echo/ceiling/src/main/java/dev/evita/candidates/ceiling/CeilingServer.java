// SPDX-License-Identifier: Apache-2.0
package dev.evita.candidates.ceiling;

import io.undertow.Undertow;
import io.undertow.UndertowOptions;
import io.undertow.util.Headers;
import io.undertow.util.Methods;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * The ceiling: Undertow as its documentation has it, which reads the body of a POST and answers a
 * constant on the I/O thread: to a GET, a row by its key. What the HTTP layer adds is the distance
 * to it.
 */
public final class CeilingServer {

  private static final String CONSTANT = "{\"data\":{\"echo\":{\"message\":\"hello\"}}}";

  /** What the shop's row by its key is. */
  public static final String ROW =
      "{\"id\":4711,\"code\":\"P-4711\",\"name\":\"Product number 4711\",\"stock\":41,\"active\":true}";

  private CeilingServer() {}

  private static ByteBuffer direct(String text) {
    var bytes = ByteBuffer.allocateDirect(text.length());
    return bytes.put(text.getBytes(StandardCharsets.US_ASCII)).flip();
  }

  public static void main(String[] arguments) {
    var echo = direct(CONSTANT);
    var row = direct("[" + ROW + "]");
    Undertow.builder()
        .addHttpListener(Integer.getInteger("port"), "127.0.0.1")
        // What HTTP/1.1 means anyway; it would cost time that the layer above does not take.
        .setServerOption(UndertowOptions.ALWAYS_SET_KEEP_ALIVE, false)
        .setHandler(exchange ->
            exchange
                .getRequestReceiver()
                .receiveFullBytes((request, bytes) -> {
                  request.getResponseHeaders().put(Headers.CONTENT_TYPE, "application/json");
                  var body = request.getRequestMethod().equals(Methods.GET) ? row : echo;
                  request.getResponseSender().send(body.duplicate());
                }))
        .build()
        .start();
  }
}

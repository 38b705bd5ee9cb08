// SPDX-License-Identifier: Apache-2.0
package dev.evita.benchmarks;

import io.undertow.Undertow;
import io.undertow.util.Headers;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * The ceiling: Undertow as its documentation has it, which reads the body of a POST and answers a
 * constant on the I/O thread. What the HTTP layer adds is the distance to it.
 */
final class CeilingServer {

  private static final String CONSTANT = "{\"data\":{\"echo\":{\"message\":\"hello\"}}}";

  private CeilingServer() {}

  public static void main(String[] arguments) {
    var body = ByteBuffer.allocateDirect(CONSTANT.length());
    body.put(CONSTANT.getBytes(StandardCharsets.US_ASCII)).flip();
    Undertow.builder()
        .addHttpListener(Integer.parseInt(arguments[0]), "127.0.0.1")
        .setIoThreads(Integer.getInteger("io.threads", 2))
        .setHandler(exchange ->
            exchange
                .getRequestReceiver()
                .receiveFullBytes((request, bytes) -> {
                  request.getResponseHeaders().put(Headers.CONTENT_TYPE, "application/json");
                  request.getResponseSender().send(body.duplicate());
                }))
        .build()
        .start();
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core;

import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import io.undertow.server.HttpServerExchange;
import io.undertow.util.Headers;
import io.undertow.util.Methods;
import io.undertow.websockets.core.protocol.version13.Hybi13Handshake;
import io.undertow.websockets.spi.AsyncWebSocketHttpServerExchange;
import java.util.Base64;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Makes a WebSocket of a request of HTTP/1.1 (RFC 6455, section 4.2). */
final class WebSocketUpgrade {

  private static final int KEY_BYTES = 16;
  private static final int UPGRADE_REQUIRED = 426;

  private WebSocketUpgrade() {}

  /** Whether it asks for one. */
  static boolean asked(HttpServerExchange exchange) {
    var upgrade = exchange.getRequestHeaders().getFirst(Headers.UPGRADE);
    return upgrade != null
        && upgrade.equalsIgnoreCase("websocket")
        && Methods.GET.equals(exchange.getRequestMethod());
  }

  /**
   * Answers 101, or what is wrong with the request.
   *
   * @param protocols those that the server knows
   */
  static void upgrade(
      UndertowExchange of,
      HttpServerExchange exchange,
      RequestWire wire,
      Set<String> protocols,
      Function<WebSocket, WebSocketListener> opened) {
    var problem = problem(exchange);
    if (problem != null) {
      exchange.getResponseHeaders().put(Headers.SEC_WEB_SOCKET_VERSION, 13);
      Problems.answer(of, UPGRADE_REQUIRED, problem);
      return;
    }
    var facade = new AsyncWebSocketHttpServerExchange(exchange, new HashSet<>(0));
    var handshake = new Hybi13Handshake(protocols, false);
    wire.upgraded();
    exchange.upgradeChannel((connection, http) -> {
      var channel = handshake.createChannel(facade, connection, facade.getBufferPool());
      var socket = new WebSocket(of.outlets(), connection, channel, of.limits().maxBodyBytes());
      socket.open(opened.apply(socket));
    });
    handshake.handshake(facade);
  }

  private static @Nullable EvitaException problem(HttpServerExchange exchange) {
    var headers = exchange.getRequestHeaders();
    if (!"13".equals(headers.getFirst(Headers.SEC_WEB_SOCKET_VERSION))) {
      return malformed("Sec-WebSocket-Version must be 13");
    }
    var key = headers.getFirst(Headers.SEC_WEB_SOCKET_KEY);
    return key == null || !isKey(key)
        ? malformed("Sec-WebSocket-Key must be 16 bytes in base64")
        : null;
  }

  private static boolean isKey(String key) {
    try {
      return Base64.getDecoder().decode(key).length == KEY_BYTES;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  private static EvitaException malformed(String message) {
    return new EvitaException(ErrorCode.MALFORMED_REQUEST, message);
  }
}

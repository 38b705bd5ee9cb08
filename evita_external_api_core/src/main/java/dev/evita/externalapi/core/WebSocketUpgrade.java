// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core;

import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import io.undertow.server.HttpServerExchange;
import io.undertow.util.Headers;
import io.undertow.util.Methods;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Base64;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Makes a WebSocket of a request of HTTP/1.1 (RFC 6455, section 4.2). */
final class WebSocketUpgrade {

  private static final String GUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
  private static final int KEY_BYTES = 16;
  private static final int UPGRADE_REQUIRED = 426;

  private WebSocketUpgrade() {}

  /** Whether it asks for one. */
  static boolean asked(HttpServerExchange exchange) {
    var upgrade = exchange.getRequestHeaders().getFirst(Headers.UPGRADE);
    return upgrade != null
        && upgrade.equalsIgnoreCase("websocket")
        && exchange.isHttp11()
        && StrictHttp.lists(exchange, Headers.CONNECTION, "upgrade")
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
    var fields = exchange.getResponseHeaders();
    var protocol = agreed(exchange, protocols);
    if (protocol != null) {
      fields.put(Headers.SEC_WEB_SOCKET_PROTOCOL, protocol);
    }
    fields.put(Headers.UPGRADE, "WebSocket");
    fields.put(
        Headers.SEC_WEB_SOCKET_ACCEPT,
        accept(exchange.getRequestHeaders().getFirst(Headers.SEC_WEB_SOCKET_KEY)));
    wire.upgraded();
    exchange.upgradeChannel((connection, http) -> {
      var socket = new WebSocket(of.outlets(), connection, protocol, of.limits().maxBodyBytes());
      socket.open(opened.apply(socket));
    });
    exchange.endExchange();
  }

  /** The first of the client's that the server knows. */
  private static @Nullable String agreed(HttpServerExchange exchange, Set<String> known) {
    var lines = exchange.getRequestHeaders().get(Headers.SEC_WEB_SOCKET_PROTOCOL);
    if (lines == null) {
      return null;
    }
    return lines.stream()
        .flatMap(line -> Arrays.stream(line.split(",", -1)))
        .map(String::trim)
        .filter(known::contains)
        .findFirst()
        .orElse(null);
  }

  /** That the key was read (RFC 6455, section 4.2.2). */
  private static String accept(String key) {
    try {
      var sha1 = MessageDigest.getInstance("SHA-1");
      var digest = sha1.digest((key + GUID).getBytes(StandardCharsets.US_ASCII));
      return Base64.getEncoder().encodeToString(digest);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e); // each Java platform has it
    }
  }

  private static @Nullable EvitaException problem(HttpServerExchange exchange) {
    var headers = exchange.getRequestHeaders();
    if (!asked(exchange)) {
      return malformed("A WebSocket needs HTTP/1.1, Upgrade: websocket, and Connection: Upgrade");
    }
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

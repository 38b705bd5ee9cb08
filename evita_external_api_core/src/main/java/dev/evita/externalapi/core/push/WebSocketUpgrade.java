// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core.push;

import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import dev.evita.http.HttpStream;
import io.undertow.util.Headers;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Base64;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Makes a WebSocket of a request of HTTP/1.1 (RFC 6455, section 4.2). */
public final class WebSocketUpgrade {

  private static final String GUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
  private static final int KEY_BYTES = 16;
  public static final int UPGRADE_REQUIRED = 426;

  private WebSocketUpgrade() {}

  /** Whether it asks for one. */
  public static boolean asked(HttpStream stream) {
    return stream.asksFor("websocket") && stream.method().equals("GET");
  }

  /**
   * Responds 101.
   *
   * @param protocols those that the server knows
   */
  public static void upgrade(
      HttpStream stream,
      Set<String> protocols,
      PushChannels outlets,
      int maxMessageBytes,
      Function<WebSocket, WebSocketListener> opened) {
    var fields = stream.responseFields();
    var protocol = agreed(stream, protocols);
    if (protocol != null) {
      fields.put(Headers.SEC_WEB_SOCKET_PROTOCOL, protocol);
    }
    fields.put(Headers.UPGRADE, "WebSocket");
    fields.put(
        Headers.SEC_WEB_SOCKET_ACCEPT,
        accept(stream.fields().getFirst(Headers.SEC_WEB_SOCKET_KEY)));
    stream.upgrade(connection -> {
      var socket = new WebSocket(outlets, connection, protocol, maxMessageBytes);
      socket.open(opened.apply(socket));
    });
  }

  /** The first of the client's that the server knows. */
  private static @Nullable String agreed(HttpStream stream, Set<String> known) {
    var lines = stream.fields().get(Headers.SEC_WEB_SOCKET_PROTOCOL);
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

  /** What is wrong with the request; null where it can be upgraded. */
  public static @Nullable EvitaException problem(HttpStream stream) {
    var headers = stream.fields();
    if (!asked(stream)) {
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

// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.rest.request;

import dev.evita.externalapi.rest.model.RestFailure;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.function.BiConsumer;

/**
 * Parses a query string, or a form's body (WHATWG URL, {@code application/x-www-form-urlencoded}).
 */
public final class QueryText {

  private QueryText() {}

  /**
   * Passes name and value of each parameter, decoded, in their order.
   *
   * @throws RestFailure PGRST100 for a broken percent-encoding, or bytes that are not UTF-8
   */
  static void read(String text, BiConsumer<String, String> each) {
    var start = 0;
    while (start < text.length()) {
      var end = text.indexOf('&', start);
      end = end < 0 ? text.length() : end;
      if (end > start) {
        var equals = text.indexOf('=', start);
        var named = equals >= 0 && equals < end;
        each.accept(
            decode(text.substring(start, named ? equals : end)),
            named ? decode(text.substring(equals + 1, end)) : "");
      }
      start = end + 1;
    }
  }

  /** Encodes a path for a URL. */
  public static String escapedPath(String path) {
    try {
      return new URI(null, null, path, null).toASCIIString();
    } catch (URISyntaxException e) {
      throw new IllegalArgumentException(path, e);
    }
  }

  /**
   * Decodes a path, in which a plus sign is literal.
   *
   * @throws RestFailure PGRST100
   */
  public static String path(String text) {
    return decode(text.replace("+", "%2B"));
  }

  private static String decode(String text) {
    return text.indexOf('%') < 0 && text.indexOf('+') < 0 ? text : decodeEscapes(text);
  }

  private static String decodeEscapes(String text) {
    var encoded = text.getBytes(StandardCharsets.UTF_8);
    var bytes = ByteBuffer.allocate(encoded.length);
    for (int i = 0; i < encoded.length; i++) {
      if (encoded[i] == '%') {
        bytes.put((byte) (hex(encoded, i + 1, text) << 4 | hex(encoded, i + 2, text)));
        i += 2;
      } else {
        bytes.put(encoded[i] == '+' ? (byte) ' ' : encoded[i]);
      }
    }
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(bytes.flip()).toString();
    } catch (CharacterCodingException e) {
      throw RestFailure.malformed(
          "The query holds '" + RestFailure.shortened(text) + "', which is not UTF-8");
    }
  }

  private static int hex(byte[] encoded, int at, String text) {
    var digit = at < encoded.length ? Character.digit(encoded[at], 16) : -1;
    if (digit < 0) {
      throw RestFailure.malformed(
          "The query holds '"
              + RestFailure.shortened(text)
              + "', in which a '%' is not followed by two hexadecimal digits");
    }
    return digit;
  }
}

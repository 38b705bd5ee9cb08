// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.sql.inputs;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;

/** Parses {@code application/x-www-form-urlencoded} (URL Standard, section 5.1). */
final class FormText {

  private static final HexFormat HEX = HexFormat.ofDelimiter("%");

  private FormText() {}

  /** The first value of each name. A percent sign that begins no byte is left as it is. */
  static Map<String, String> parse(String text) {
    var values = new LinkedHashMap<String, String>();
    for (var pair : text.split("&", -1)) {
      if (!pair.isEmpty()) {
        var equals = pair.indexOf('=');
        var name = decoded(equals < 0 ? pair : pair.substring(0, equals));
        values.putIfAbsent(name, equals < 0 ? "" : decoded(pair.substring(equals + 1)));
      }
    }
    return values;
  }

  private static String decoded(String text) {
    var plain = text.replace('+', ' ');
    if (plain.indexOf('%') < 0) {
      return plain;
    }
    var decoded = new StringBuilder(plain.length());
    var at = 0;
    while (at < plain.length()) {
      var bytes = bytes(plain, at);
      if (bytes == 0) {
        decoded.append(plain.charAt(at++));
      } else {
        var end = at + 3 * bytes;
        var hex = plain.substring(at + 1, end);
        decoded.append(new String(HEX.parseHex(hex), StandardCharsets.UTF_8));
        at = end;
      }
    }
    return decoded.toString();
  }

  /** The number of encoded bytes from here on: {@code %C3%A9} has two. */
  private static int bytes(String text, int from) {
    var at = from;
    while (at + 2 < text.length()
        && text.charAt(at) == '%'
        && HexFormat.isHexDigit(text.charAt(at + 1))
        && HexFormat.isHexDigit(text.charAt(at + 2))) {
      at += 3;
    }
    return (at - from) / 3;
  }
}

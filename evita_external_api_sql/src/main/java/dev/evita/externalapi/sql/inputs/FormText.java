// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.sql.inputs;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Parses {@code application/x-www-form-urlencoded} (URL Standard, section 5.1). */
final class FormText {

  private static final Pattern BYTES = Pattern.compile("(?:%[0-9a-fA-F]{2})+");

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
    return BYTES
        .matcher(text.replace('+', ' '))
        .replaceAll(bytes ->
            Matcher.quoteReplacement(URLDecoder.decode(bytes.group(), StandardCharsets.UTF_8)));
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core.exchange;

import dev.evita.api.EvitaException;
import dev.evita.externalapi.core.error.HttpErrorCode;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/**
 * Parses JSON to Java values: {@code Map} in the order of the text, {@code List}, {@code String},
 * {@code Boolean}, {@code Long}, {@code BigDecimal} and null.
 */
public final class JsonTree {

  private JsonTree() {}

  /**
   * Parses a complete text.
   *
   * @throws tools.jackson.core.JacksonException if it is not JSON
   * @throws EvitaException {@code MALFORMED_REQUEST} if an object has a duplicate name
   */
  public static @Nullable Object parse(byte[] json) {
    try (var parser = new JsonFactory().createParser(ObjectReadContext.empty(), json)) {
      parser.nextToken();
      return value(parser);
    }
  }

  /**
   * Parses a body that contains nothing after its JSON value.
   *
   * @throws tools.jackson.core.JacksonException if it is not JSON
   * @throws EvitaException {@code MALFORMED_REQUEST} if an object has a duplicate name, or text
   *     follows the value
   */
  public static @Nullable Object parseWhole(RequestBody body) {
    try (var parser =
        new JsonFactory().createParser(ObjectReadContext.empty(), body.bytes(), 0, body.length())) {
      parser.nextToken();
      var value = value(parser);
      if (parser.nextToken() != null) {
        throw new EvitaException(
            HttpErrorCode.MALFORMED_REQUEST, "Unexpected text follows the JSON value");
      }
      return value;
    }
  }

  /** Parses the value whose first token is the current one. */
  public static @Nullable Object value(JsonParser parser) {
    return switch (parser.currentToken()) {
      case START_OBJECT -> map(parser);
      case START_ARRAY -> list(parser);
      case VALUE_STRING -> requireText(parser.getString());
      case VALUE_TRUE -> true;
      case VALUE_FALSE -> false;
      case VALUE_NUMBER_INT -> integer(parser);
      case VALUE_NUMBER_FLOAT -> parser.getDecimalValue();
      case null, default -> null;
    };
  }

  /** Rejects unpaired surrogates, which databases would replace. */
  private static String requireText(String text) {
    for (int i = 0; i < text.length(); i++) {
      var c = text.charAt(i);
      if (Character.isSurrogate(c)) {
        var paired =
            Character.isHighSurrogate(c)
                && i + 1 < text.length()
                && Character.isLowSurrogate(text.charAt(i + 1));
        if (!paired) {
          throw new EvitaException(
              HttpErrorCode.MALFORMED_REQUEST,
              "A string contains the unpaired surrogate \\u%04x".formatted((int) c));
        }
        i++;
      }
    }
    return text;
  }

  /** Parses the object whose opening brace is the current token. */
  public static Map<String, @Nullable Object> map(JsonParser parser) {
    var map = new LinkedHashMap<String, @Nullable Object>();
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      var name = parser.currentName();
      parser.nextToken();
      if (map.containsKey(name)) {
        throw new EvitaException(
            HttpErrorCode.MALFORMED_REQUEST, "The name '" + name + "' occurs twice in one object");
      }
      map.put(name, value(parser));
    }
    return map;
  }

  private static Object integer(JsonParser parser) {
    return switch (parser.getNumberType()) {
      case INT, LONG -> (Object) parser.getLongValue();
      default -> new BigDecimal(parser.getBigIntegerValue());
    };
  }

  private static List<@Nullable Object> list(JsonParser parser) {
    var list = new ArrayList<@Nullable Object>();
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      list.add(value(parser));
    }
    return list;
  }
}

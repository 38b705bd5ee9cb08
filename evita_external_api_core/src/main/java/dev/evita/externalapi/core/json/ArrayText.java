// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core.json;

import dev.evita.api.DataType;
import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import dev.evita.api.Values;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Arrays in PostgreSQL's text form: {@code {a,"b, c",NULL}}. In double quotes, a backslash escapes
 * the next character.
 */
public final class ArrayText {

  private static final String NULL = "NULL";
  private static final int LONGEST_SHOWN = 80;
  private static final Pattern PLAIN = Pattern.compile("[^\\s{},\"\\\\]+");

  private final DataType.Array type;
  private final String text;
  private int position;

  private ArrayText(DataType.Array type, String text) {
    this.type = type;
    this.text = text;
  }

  /** Whether a text has the form of an array, well-formed or not. */
  public static boolean isArray(String text) {
    return text.stripLeading().startsWith("{");
  }

  /**
   * Parses the elements.
   *
   * @throws EvitaException {@code INVALID_VALUE}
   */
  public static List<@Nullable Object> parse(DataType.Array type, String text) {
    var whole = new ArrayText(type, text.strip());
    var elements = whole.elements();
    if (whole.position != whole.text.length()) {
      throw whole.invalid();
    }
    return elements;
  }

  /** Formats a list so that {@link #parse} can read it; lists of lists are nested braces. */
  public static String format(List<?> list) {
    return list.stream().map(ArrayText::formatted).collect(Collectors.joining(",", "{", "}"));
  }

  private static String formatted(@Nullable Object element) {
    return switch (element) {
      case null -> NULL;
      case List<?> inner -> format(inner);
      default -> {
        var text = Values.format(element);
        yield text.equalsIgnoreCase(NULL) || !PLAIN.matcher(text).matches()
            ? '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"'
            : text;
      }
    };
  }

  private List<@Nullable Object> elements() {
    var elements = new ArrayList<@Nullable Object>();
    require('{');
    if (peek() == '}') {
      position++;
    } else {
      do {
        elements.add(element());
      } while (more());
    }
    return elements;
  }

  private boolean more() {
    var c = peek();
    position++;
    if (c != ',' && c != '}') {
      throw invalid();
    }
    return c == ',';
  }

  private @Nullable Object element() {
    while (peek() == ' ') {
      position++;
    }
    if (type.element() instanceof DataType.Array inner) {
      return list(inner);
    }
    if (peek() == '"') {
      return Values.parse(type.element(), quoted());
    }
    var start = position;
    while (",}".indexOf(peek()) < 0) {
      if ("{\"\\".indexOf(peek()) >= 0) {
        throw invalid();
      }
      position++;
    }
    var word = text.substring(start, position).strip();
    if (word.isEmpty()) {
      throw invalid();
    }
    return word.equalsIgnoreCase(NULL) ? null : Values.parse(type.element(), word);
  }

  private List<@Nullable Object> list(DataType.Array inner) {
    var nested = new ArrayText(inner, text);
    nested.position = position;
    var list = nested.elements();
    position = nested.position;
    return list;
  }

  private String quoted() {
    var result = new StringBuilder();
    for (position++; peek() != '"'; position++) {
      if (peek() == '\\') {
        position++;
      }
      result.append(peek());
    }
    position++;
    return result.toString();
  }

  private void require(char expected) {
    if (peek() != expected) {
      throw invalid();
    }
    position++;
  }

  private char peek() {
    if (position >= text.length()) {
      throw invalid();
    }
    return text.charAt(position);
  }

  private EvitaException invalid() {
    var shown = text.length() > LONGEST_SHOWN ? text.substring(0, LONGEST_SHOWN) + "..." : text;
    return new EvitaException(
        ErrorCode.INVALID_VALUE,
        "'%s' is not valid here; expected a list such as {a,\"b, c\"}".formatted(shown));
  }
}

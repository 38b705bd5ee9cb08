// SPDX-License-Identifier: Apache-2.0
package dev.evita.engine.jdbc.postgresql;

import dev.evita.api.DataType;
import dev.evita.api.Values;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Parses and writes the text form of PostgreSQL's arrays, section 8.15.6 of its manual: {@code
 * {1,NULL,"a \"b\""}}.
 *
 * <p>A column of an array type may contain arrays of any number of dimensions, whatever its
 * declaration, which is what the catalog contains.
 */
final class PostgresArray {

  private final String text;
  private final Function<String, Object> element;
  private int at;

  private PostgresArray(String text, Function<String, Object> element) {
    this.text = text;
    this.element = element;
  }

  /** The type of a column declared with several dimensions: lists of lists. */
  static DataType nested(DataType type, int dimensions) {
    return type instanceof DataType.Array && dimensions > 1
        ? new DataType.Array(nested(type, dimensions - 1))
        : type;
  }

  /**
   * Parses the values, in lists of lists if there are several dimensions.
   *
   * @param element parses one value
   */
  static List<@Nullable Object> read(String text, Function<String, Object> element) {
    var array = new PostgresArray(text, element);
    // Bounds that do not begin at 1 come first: [0:2]={1,2,3}
    array.at = text.indexOf('{');
    return array.list();
  }

  private List<@Nullable Object> list() {
    var values = new ArrayList<@Nullable Object>();
    at++;
    while (text.charAt(at) != '}') {
      values.add(value());
      if (text.charAt(at) == ',') {
        at++;
      }
    }
    at++;
    return values;
  }

  private @Nullable Object value() {
    return switch (text.charAt(at)) {
      case '{' -> list();
      case '"' -> element.apply(quoted());
      default -> bare();
    };
  }

  private String quoted() {
    var value = new StringBuilder();
    at++;
    while (text.charAt(at) != '"') {
      if (text.charAt(at) == '\\') {
        at++;
      }
      value.append(text.charAt(at++));
    }
    at++;
    return value.toString();
  }

  private @Nullable Object bare() {
    var start = at;
    while (text.charAt(at) != ',' && text.charAt(at) != '}') {
      at++;
    }
    var value = text.substring(start, at);
    return value.equals("NULL") ? null : element.apply(value);
  }

  /** Writes a list, nested ones as further dimensions. */
  static String write(List<?> values) {
    var text = new StringBuilder("{");
    for (var value : values) {
      if (text.length() > 1) {
        text.append(',');
      }
      switch (value) {
        case null -> text.append("NULL");
        case List<?> inner -> text.append(write(inner));
        default -> quote(text, format(value));
      }
    }
    return text.append('}').toString();
  }

  private static void quote(StringBuilder text, String value) {
    text.append('"');
    for (int i = 0; i < value.length(); i++) {
      var c = value.charAt(i);
      if (c == '"' || c == '\\') {
        text.append('\\');
      }
      text.append(c);
    }
    text.append('"');
  }

  /** Formats a value for the server's input functions. */
  private static String format(Object value) {
    return switch (value) {
      case byte[] bytes -> "\\x" + HexFormat.of().formatHex(bytes);
      case LocalDate date when date.equals(LocalDate.MAX) -> "infinity";
      case LocalDate date when date.equals(LocalDate.MIN) -> "-infinity";
      case LocalDate date -> dated(date.getYear(), date.withYear(eraYear(date)));
      case LocalDateTime time when time.equals(LocalDateTime.MAX) -> "infinity";
      case LocalDateTime time when time.equals(LocalDateTime.MIN) -> "-infinity";
      case LocalDateTime time -> dated(time.getYear(), time.withYear(eraYear(time.toLocalDate())));
      case OffsetDateTime time when time.equals(OffsetDateTime.MAX) -> "infinity";
      case OffsetDateTime time when time.equals(OffsetDateTime.MIN) -> "-infinity";
      case OffsetDateTime time -> {
        var utc = time.withOffsetSameInstant(ZoneOffset.UTC);
        yield dated(utc.getYear(), utc.withYear(eraYear(utc.toLocalDate())));
      }
      default -> Values.format(value);
    };
  }

  /** Java's year 0 is the year 1 BC. */
  private static int eraYear(LocalDate date) {
    return date.getYear() > 0 ? date.getYear() : 1 - date.getYear();
  }

  private static String dated(int year, Object value) {
    var text = Values.format(value);
    return (text.startsWith("+") ? text.substring(1) : text) + (year > 0 ? "" : " BC");
  }
}

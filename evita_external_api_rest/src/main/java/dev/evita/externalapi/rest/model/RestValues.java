// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.rest.model;

import dev.evita.api.DataType;
import dev.evita.api.Values;
import dev.evita.externalapi.core.json.ArrayText;
import dev.evita.externalapi.core.json.JsonValues;
import org.jspecify.annotations.Nullable;

/**
 * Values as PostgREST's clients send them: lists in braces, and times in a form that another kind
 * of column has. A date stands for its midnight, and an instant in UTC for the time that it shows,
 * where a column has no zone; an instant in another zone is refused, as it would become another
 * time.
 */
public final class RestValues {

  private static final int DATE_LENGTH = "2026-01-31".length();

  private RestValues() {}

  /**
   * The value that a text of a URL or of CSV stands for.
   *
   * @throws dev.evita.api.EvitaException {@code INVALID_VALUE}
   */
  public static Object parse(DataType type, String text) {
    return type instanceof DataType.Array array
        ? ArrayText.parse(array, text)
        : Values.parse(type, widened(type, type == DataType.Scalar.TEXT ? text : text.strip()));
  }

  /**
   * The value that JSON stands for; as {@link JsonValues#coerce}.
   *
   * @throws dev.evita.api.EvitaException {@code INVALID_VALUE}
   */
  public static @Nullable Object coerce(DataType type, @Nullable Object json, String where) {
    return switch (json) {
      case String text when type instanceof DataType.Array array -> ArrayText.parse(array, text);
      case String text -> JsonValues.coerce(type, widened(type, text), where);
      case null, default -> JsonValues.coerce(type, json, where);
    };
  }

  private static String widened(DataType type, String text) {
    if (type == DataType.Scalar.TIMESTAMP) {
      if (text.length() == DATE_LENGTH) {
        return text + "T00:00:00";
      }
      return text.endsWith("Z") ? text.substring(0, text.length() - 1) : text;
    }
    return type == DataType.Scalar.TIMESTAMP_TZ && text.length() == DATE_LENGTH
        ? text + "T00:00:00Z"
        : text;
  }
}

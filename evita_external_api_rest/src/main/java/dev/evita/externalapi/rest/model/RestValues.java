// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.rest.model;

import dev.evita.api.DataType;
import dev.evita.api.Values;
import dev.evita.externalapi.core.json.ArrayText;
import dev.evita.externalapi.core.json.JsonValues;
import org.jspecify.annotations.Nullable;

/**
 * Values as PostgREST's clients send them: lists in braces, and times in the form of another column
 * type. For a column without a time zone, a date is converted to its midnight, and an instant in
 * UTC to its local date and time; an instant in another zone is rejected, as it would become a
 * different time.
 */
public final class RestValues {

  private static final int DATE_LENGTH = "2026-01-31".length();

  private RestValues() {}

  /**
   * Converts a text of a URL or of CSV to a value.
   *
   * @throws dev.evita.api.EvitaException {@code INVALID_VALUE}
   */
  public static Object parse(DataType type, String text) {
    return type instanceof DataType.Array array
        ? ArrayText.parse(array, text)
        : Values.parse(type, widened(type, type == DataType.Scalar.TEXT ? text : text.strip()));
  }

  /**
   * Converts a JSON value; as {@link JsonValues#coerce}.
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

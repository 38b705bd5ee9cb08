// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.sql.declaration;

import dev.evita.api.DataType.Scalar;
import dev.evita.api.EvitaException;
import dev.evita.api.Values;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A column of {@code request} that a handler declares, as in {@code -- query: page integer = 1}.
 *
 * @param required whether a request without it is refused
 * @param absent the value of a request without it; null for null
 */
public record DeclaredInput(
    InputSource source, String name, Scalar type, boolean required, @Nullable Object absent) {

  private static final Pattern FORM =
      Pattern.compile(
          "(?<name>[a-z_][a-z0-9_]*)(\\s+(?<type>[a-zA-Z][a-zA-Z0-9 ]*?))?(?<required>\\s+not null)?(\\s*=\\s*(?<absent>.*))?");

  private static final Map<String, Scalar> TYPES =
      Map.ofEntries(
          Map.entry("boolean", Scalar.BOOLEAN),
          Map.entry("smallint", Scalar.INT16),
          Map.entry("int", Scalar.INT32),
          Map.entry("integer", Scalar.INT32),
          Map.entry("bigint", Scalar.INT64),
          Map.entry("decimal", Scalar.DECIMAL),
          Map.entry("numeric", Scalar.DECIMAL),
          Map.entry("real", Scalar.FLOAT32),
          Map.entry("double", Scalar.FLOAT64),
          Map.entry("double precision", Scalar.FLOAT64),
          Map.entry("text", Scalar.TEXT),
          Map.entry("varchar", Scalar.TEXT),
          Map.entry("binary", Scalar.BINARY),
          Map.entry("date", Scalar.DATE),
          Map.entry("time", Scalar.TIME),
          Map.entry("timestamp", Scalar.TIMESTAMP),
          Map.entry("timestamptz", Scalar.TIMESTAMP_TZ),
          Map.entry("timestamp with time zone", Scalar.TIMESTAMP_TZ),
          Map.entry("uuid", Scalar.UUID),
          Map.entry("json", Scalar.JSON));

  /**
   * Parses a declaration without its source.
   *
   * @throws IllegalArgumentException with the value and what was expected
   */
  static DeclaredInput parse(InputSource source, String text) {
    var form = FORM.matcher(text);
    if (!form.matches()) {
      throw new IllegalArgumentException(
          "'"
              + text
              + "' is no input; expected a name in lower case, a type and a default, as in page"
              + " integer = 1");
    }
    var type = type(form.group("type"));
    var absent = form.group("absent");
    return new DeclaredInput(
        source,
        form.group("name"),
        type,
        form.group("required") != null,
        absent == null ? null : value(type, absent));
  }

  private static Scalar type(@Nullable String name) {
    if (name == null) {
      return Scalar.TEXT;
    }
    var type = TYPES.get(name.toLowerCase(Locale.ROOT));
    if (type == null) {
      throw new IllegalArgumentException(
          "'"
              + name
              + "' is no type of an input; expected one of "
              + TYPES.keySet().stream().sorted().toList());
    }
    return type;
  }

  private static Object value(Scalar type, String text) {
    try {
      return Values.parse(type, text);
    } catch (EvitaException e) {
      throw new IllegalArgumentException("the default: " + e.publicMessage(), e);
    }
  }
}

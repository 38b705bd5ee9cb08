// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.rest.openapi;

import dev.evita.api.DataType;
import dev.evita.api.DataType.Scalar;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Types as JSON Schema (2020-12), just as values are written in JSON (docs/types.md). Formats are
 * those of JSON Schema and of OpenAPI's format registry.
 */
final class OpenApiTypes {

  private static final Pattern QUOTED = Pattern.compile("'((?:[^'\\\\]|'')*)'(?:::[\\w \"]+)?");
  private static final Pattern NUMBER = Pattern.compile("-?[0-9]{1,30}(?:\\.[0-9]{1,30})?");
  private static final String MOMENT = "2026-01-31T13:45:00";

  private OpenApiTypes() {}

  /** An object of JSON: names and values in turn. */
  static Map<String, @Nullable Object> object(@Nullable Object... pairs) {
    var object = new LinkedHashMap<String, @Nullable Object>();
    for (int i = 0; i < pairs.length; i += 2) {
      object.put((String) pairs[i], pairs[i + 1]);
    }
    return object;
  }

  /** A reference to a component. */
  static Map<String, @Nullable Object> reference(String kind, String name) {
    return object("$ref", "#/components/" + kind + "/" + name);
  }

  /** The schema of the values of a type; a new one, to be added to. */
  static Map<String, @Nullable Object> schema(DataType type, boolean nullable) {
    return switch (type) {
      case Scalar scalar -> scalar(scalar, nullable);
      case DataType.Enumeration(var name, var labels) ->
          typed("string", nullable, "enum", nullable ? withNull(labels) : labels);
      case DataType.Array(var element) -> typed("array", nullable, "items", schema(element, true));
      case DataType.Other other -> typed("string", nullable);
    };
  }

  private static Map<String, @Nullable Object> scalar(Scalar type, boolean nullable) {
    return switch (type) {
      case BOOLEAN -> typed("boolean", nullable);
      case INT16 -> typed("integer", nullable, "format", "int16");
      case INT32 -> typed("integer", nullable, "format", "int32");
      case INT64 -> typed("integer", nullable, "format", "int64");
      case DECIMAL -> typed("number", nullable, "format", "decimal");
      case FLOAT32 -> floating("float", nullable);
      case FLOAT64 -> floating("double", nullable);
      case TEXT -> typed("string", nullable);
      case BINARY -> typed("string", nullable, "format", "byte", "contentEncoding", "base64");
      case DATE -> typed("string", nullable, "format", "date");
      case TIME -> typed("string", nullable, "format", "time-local");
      case TIME_TZ -> typed("string", nullable, "format", "time");
      case TIMESTAMP -> typed("string", nullable, "format", "date-time-local");
      case TIMESTAMP_TZ -> typed("string", nullable, "format", "date-time");
      case INTERVAL -> typed("string", nullable, "format", "duration");
      case UUID -> typed("string", nullable, "format", "uuid");
      case JSON -> object();
    };
  }

  private static Map<String, @Nullable Object> typed(
      String type, boolean nullable, @Nullable Object... more) {
    var schema = object("type", nullable ? List.of(type, "null") : type);
    schema.putAll(object(more));
    return schema;
  }

  /**
   * Returns the schema of a floating-point number; values that JSON cannot represent as numbers are
   * strings.
   */
  private static Map<String, @Nullable Object> floating(String format, boolean nullable) {
    var forms = new ArrayList<Object>();
    forms.add(object("type", "number", "format", format));
    forms.add(object("type", "string", "enum", List.of("NaN", "Infinity", "-Infinity")));
    if (nullable) {
      forms.add(object("type", "null"));
    }
    return object("anyOf", forms);
  }

  private static List<@Nullable Object> withNull(List<String> labels) {
    var all = new ArrayList<@Nullable Object>(labels);
    all.add(null);
    return all;
  }

  /**
   * Returns an example value; null if the valid values are known only to the database. For
   * intervals, this includes the fields that they may have.
   */
  static @Nullable Object sample(DataType type) {
    return switch (type) {
      case Scalar scalar -> sample(scalar);
      case DataType.Enumeration(var name, var labels) ->
          labels.isEmpty() ? null : labels.getFirst();
      case DataType.Array(var element) -> {
        var sample = sample(element);
        yield sample == null ? null : List.of(sample);
      }
      case DataType.Other other -> null;
    };
  }

  private static @Nullable Object sample(Scalar type) {
    return switch (type) {
      case BOOLEAN -> true;
      case INT16, INT32, INT64 -> 1;
      case DECIMAL -> new BigDecimal("9.50");
      case FLOAT32, FLOAT64 -> new BigDecimal("0.5");
      case TEXT -> "text";
      case BINARY -> "3q2+7w==";
      case DATE -> "2026-01-31";
      case TIME -> "13:45:00";
      case TIME_TZ -> "13:45:00+01:00";
      case TIMESTAMP -> MOMENT;
      case TIMESTAMP_TZ -> MOMENT + "Z";
      case INTERVAL -> null;
      case UUID -> "0b59a8b4-61f0-4d4c-a4f4-c9b2f8f3a3a1";
      case JSON -> object("key", "value");
    };
  }

  /** Returns an example of a filter on a column of this type. */
  static String filter(DataType type) {
    return switch (type) {
      case Scalar.JSON, Scalar.INTERVAL -> "not.is.null";
      case Scalar.BOOLEAN -> "is.true";
      case Scalar scalar -> "eq." + sample(scalar);
      case DataType.Enumeration(var name, var labels) when !labels.isEmpty() ->
          "eq." + labels.getFirst();
      default -> "not.is.null";
    };
  }

  /**
   * Returns the value of a default that is a plain literal.
   *
   * @param expression in the database's SQL
   * @return null where it has to be computed
   */
  static @Nullable Object literal(DataType type, String expression) {
    var quoted = QUOTED.matcher(expression);
    var text = quoted.matches() ? quoted.group(1).replace("''", "'") : expression;
    var bare = text.equals(expression);
    return switch (type) {
      case Scalar.BOOLEAN -> bool(text.toLowerCase(Locale.ROOT));
      case Scalar.INT16, Scalar.INT32, Scalar.INT64, Scalar.DECIMAL -> number(type, text);
      case Scalar.TEXT -> bare ? null : text;
      case DataType.Enumeration(var name, var labels) ->
          !bare && labels.contains(text) ? text : null;
      default -> null;
    };
  }

  private static @Nullable Object bool(String text) {
    return switch (text) {
      case "true" -> true;
      case "false" -> false;
      default -> null;
    };
  }

  private static @Nullable Object number(DataType type, String text) {
    var whole = text.indexOf('.') < 0;
    return NUMBER.matcher(text).matches() && (whole || type == Scalar.DECIMAL)
        ? new BigDecimal(text)
        : null;
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core.json;

import dev.evita.api.DataType;
import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import dev.evita.api.Values;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Converts parsed JSON to the engine's values, in the same way for all protocols. */
public final class JsonValues {

  private JsonValues() {}

  /**
   * Converts a value to the class that {@link dev.evita.api.Arguments} specifies for the type.
   *
   * <p>Numbers may also be strings, by which clients keep their precision; nothing is rounded or
   * truncated. A value of a JSON column is JSON already: a string is a string, not a text that
   * contains JSON, so that a value that was read can be written back.
   *
   * @param json null, String, Boolean, Integer, Long, BigInteger, BigDecimal, Double, List or Map
   * @param where the name of the value, for the message
   * @throws EvitaException {@code INVALID_VALUE}
   */
  public static @Nullable Object coerce(DataType type, @Nullable Object json, String where) {
    try {
      return convert(type, json);
    } catch (EvitaException e) {
      throw new EvitaException(e.code(), where + ": " + e.publicMessage());
    }
  }

  private static @Nullable Object convert(DataType type, @Nullable Object json) {
    return switch (json) {
      case null -> null;
      case String text when type == DataType.Scalar.JSON -> jsonText(text);
      case String text when !(type instanceof DataType.Array) -> Values.parse(type, text);
      case Boolean bool when type == DataType.Scalar.BOOLEAN -> bool;
      case Number number when type instanceof DataType.Scalar scalar -> number(scalar, number);
      case List<?> list when type instanceof DataType.Array(var element) -> list(element, list);
      default -> {
        if (type == DataType.Scalar.JSON) {
          yield jsonText(json);
        }
        throw mismatch(type, json);
      }
    };
  }

  private static Object number(DataType.Scalar type, Number number) {
    return switch (type) {
      case INT16, INT32, INT64, DECIMAL, FLOAT32, FLOAT64 ->
          Values.parse(type, digits(type, number));
      case JSON -> jsonText(number);
      case BOOLEAN, TEXT, BINARY, DATE, TIME, TIME_TZ, TIMESTAMP, TIMESTAMP_TZ, INTERVAL, UUID ->
          throw mismatch(type, number);
    };
  }

  /** 5.0 and 5e0 are integers, too; 5.5 is not, and the message shows its digits. */
  private static String digits(DataType.Scalar type, Number number) {
    var integral =
        type == DataType.Scalar.INT16
            || type == DataType.Scalar.INT32
            || type == DataType.Scalar.INT64;
    if (integral && number instanceof BigDecimal decimal && Math.abs(decimal.scale()) < 100) {
      return decimal.stripTrailingZeros().toPlainString();
    }
    return number.toString();
  }

  private static List<@Nullable Object> list(DataType element, List<?> values) {
    var converted = new ArrayList<@Nullable Object>(values.size());
    for (var value : values) {
      converted.add(convert(element, value));
    }
    return converted;
  }

  private static String jsonText(Object json) {
    var writer = new JsonWriter(new byte[256]);
    writer.tree(json);
    return new String(
        writer.buffer(), 0, writer.position(), java.nio.charset.StandardCharsets.UTF_8);
  }

  private static EvitaException mismatch(DataType type, Object json) {
    var kind =
        switch (json) {
          case Boolean bool -> "the boolean " + bool;
          case BigInteger number -> "the number " + number;
          case Number number -> "the number " + number;
          case List<?> list -> "a list";
          case Map<?, ?> map -> "an object";
          default -> "'" + json + "'";
        };
    return new EvitaException(
        ErrorCode.INVALID_VALUE, kind + " is not valid here; expected " + Values.expected(type));
  }
}

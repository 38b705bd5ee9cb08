// SPDX-License-Identifier: Apache-2.0
package dev.evita.engine.jdbc.value;

import dev.evita.api.DataType;
import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import dev.evita.api.Values;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.OffsetTime;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Brings an argument into the one class that codecs bind for its type: {@code Boolean}, {@code
 * Long}, {@code BigDecimal}, {@code Float}, {@code Double}, {@code String}, {@code byte[]}, the
 * temporal classes, {@code UUID}, {@code List}. Nothing is truncated on the way.
 */
public final class ArgumentCoercion {

  private ArgumentCoercion() {}

  /**
   * The argument as its type has it.
   *
   * @param where the column or place, for the message
   * @throws EvitaException {@code INVALID_VALUE} for a value of another kind, {@code
   *     VALUE_OUT_OF_RANGE} for a number that the type cannot hold
   */
  public static Object value(DataType type, Object value, String where) {
    return switch (type) {
      case DataType.Scalar scalar -> scalar(scalar, value, where);
      case DataType.Array array -> list(array, value, where);
      case DataType.Enumeration enumeration -> label(enumeration, value, where);
      case DataType.Other other -> require(type, String.class, value, where);
    };
  }

  private static Object scalar(DataType.Scalar type, Object value, String where) {
    return switch (type) {
      case BOOLEAN -> require(type, Boolean.class, value, where);
      case INT16 -> integer(type, value, Short.MIN_VALUE, Short.MAX_VALUE, where);
      case INT32 -> integer(type, value, Integer.MIN_VALUE, Integer.MAX_VALUE, where);
      case INT64 -> integer(type, value, Long.MIN_VALUE, Long.MAX_VALUE, where);
      case DECIMAL -> decimal(type, value, where);
      case FLOAT32 -> single(value, where);
      case FLOAT64 -> floating(type, value, where);
      case TEXT, JSON, INTERVAL -> require(type, String.class, value, where);
      case BINARY -> require(type, byte[].class, value, where);
      case DATE -> require(type, LocalDate.class, value, where);
      case TIME -> require(type, LocalTime.class, value, where);
      case TIME_TZ -> require(type, OffsetTime.class, value, where);
      case TIMESTAMP -> require(type, LocalDateTime.class, value, where);
      case TIMESTAMP_TZ -> require(type, OffsetDateTime.class, value, where);
      case UUID -> require(type, UUID.class, value, where);
    };
  }

  private static Object label(DataType.Enumeration type, Object value, String where) {
    var label = require(type, String.class, value, where);
    if (!type.labels().contains(label)) {
      throw invalid(type, value, where);
    }
    return label;
  }

  private static Object require(DataType type, Class<?> expected, Object value, String where) {
    if (!expected.isInstance(value)) {
      throw invalid(type, value, where);
    }
    return value;
  }

  private static Object integer(DataType type, Object value, long least, long most, String where) {
    var exact = exactInteger(type, value, where);
    if (exact.bitLength() > 63 || exact.longValue() < least || exact.longValue() > most) {
      throw outOfRange(type, value, where);
    }
    return exact.longValue();
  }

  private static BigInteger exactInteger(DataType type, Object value, String where) {
    return switch (value) {
      case Long number -> BigInteger.valueOf(number);
      case Integer number -> BigInteger.valueOf(number);
      case Short number -> BigInteger.valueOf(number);
      case Byte number -> BigInteger.valueOf(number);
      case BigInteger number -> number;
      case BigDecimal number -> {
        if (number.scale() > 0 && number.stripTrailingZeros().scale() > 0) {
          throw invalid(type, value, where);
        }
        if ((long) number.precision() - number.scale() > 20) {
          throw outOfRange(type, value, where);
        }
        yield number.toBigInteger();
      }
      default -> throw invalid(type, value, where);
    };
  }

  private static Object decimal(DataType type, Object value, String where) {
    return switch (value) {
      case BigDecimal number -> number;
      case BigInteger number -> new BigDecimal(number);
      case Long number -> BigDecimal.valueOf(number);
      case Integer number -> BigDecimal.valueOf(number);
      case Short number -> BigDecimal.valueOf(number);
      case Byte number -> BigDecimal.valueOf(number);
      case Double number -> Double.isFinite(number) ? BigDecimal.valueOf(number) : number;
      case Float number ->
          Float.isFinite(number) ? new BigDecimal(number.toString()) : number.doubleValue();
      default -> throw invalid(type, value, where);
    };
  }

  private static Object floating(DataType type, Object value, String where) {
    if (!(value instanceof Number number)) {
      throw invalid(type, value, where);
    }
    var result =
        value instanceof Float ? Double.parseDouble(value.toString()) : number.doubleValue();
    if (Double.isInfinite(result) && value instanceof BigDecimal) {
      throw outOfRange(type, value, where);
    }
    return result;
  }

  private static Object single(Object value, String where) {
    if (!(value instanceof Number number)) {
      throw invalid(DataType.Scalar.FLOAT32, value, where);
    }
    var result = number.floatValue();
    if (Float.isInfinite(result) && !Double.isInfinite(number.doubleValue())) {
      throw outOfRange(DataType.Scalar.FLOAT32, value, where);
    }
    return result;
  }

  private static Object list(DataType.Array type, Object value, String where) {
    if (!(value instanceof List<?> list)) {
      throw invalid(type, value, where);
    }
    return elements(type.element(), list, where);
  }

  /** Each element checked; nulls stay. */
  public static List<@Nullable Object> elements(DataType element, List<?> list, String where) {
    var result = new ArrayList<@Nullable Object>(list.size());
    for (Object each : list) {
      result.add(each == null ? null : value(element, each, where));
    }
    return result;
  }

  private static EvitaException invalid(DataType type, Object value, String where) {
    return new EvitaException(
        ErrorCode.INVALID_VALUE,
        shown(value) + " is not valid for " + where + "; expected " + Values.expected(type));
  }

  private static EvitaException outOfRange(DataType type, Object value, String where) {
    return new EvitaException(
        ErrorCode.VALUE_OUT_OF_RANGE,
        shown(value) + " is out of range for " + where + "; expected " + Values.expected(type));
  }

  private static String shown(Object value) {
    var text =
        switch (value) {
          case byte[] bytes -> bytes.length + " bytes";
          case BigDecimal decimal -> decimal.toString();
          default -> value.toString();
        };
    return "'" + (text.length() > 80 ? text.substring(0, 80) + "..." : text) + "'";
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.evita.api.testkit.memory;

import dev.evita.api.Arguments;
import dev.evita.api.Column;
import dev.evita.api.DataType;
import dev.evita.api.DataType.Scalar;
import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import dev.evita.api.Parameter;
import dev.evita.api.Values;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.Arrays;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Values as they are stored: the classes that {@code Arguments} specifies, integers as Long. */
final class MemoryValues {

  private MemoryValues() {}

  /** Whether there are columns of a type. */
  static boolean supports(DataType type) {
    return type instanceof Scalar scalar
        && switch (scalar) {
          case BOOLEAN, INT16, INT32, INT64, DECIMAL, FLOAT32, FLOAT64, TEXT, BINARY -> true;
          case DATE, TIME, TIMESTAMP, UUID -> true;
          case TIME_TZ, TIMESTAMP_TZ, INTERVAL, JSON -> false;
        };
  }

  /**
   * Returns an argument.
   *
   * @throws EvitaException {@code INVALID_OPERATION} if there is none
   */
  static @Nullable Object argument(Arguments arguments, Parameter parameter) {
    if (parameter.index() >= arguments.size()) {
      throw new EvitaException(
          ErrorCode.INVALID_OPERATION, "Argument " + parameter.index() + " is missing");
    }
    return arguments.get(parameter);
  }

  /**
   * Returns a value as a column stores it.
   *
   * @throws EvitaException {@code INVALID_VALUE} for a value of another type; {@code
   *     VALUE_OUT_OF_RANGE}
   */
  static @Nullable Object stored(Column column, @Nullable Object value) {
    if (value == null) {
      return null;
    }
    try {
      var stored = stored((Scalar) column.type(), value);
      if (stored != null) {
        return stored;
      }
    } catch (ArithmeticException | NumberFormatException e) {
      throw new EvitaException(
          ErrorCode.VALUE_OUT_OF_RANGE, value + " is out of the range of " + column.name(), e);
    }
    throw new EvitaException(
        ErrorCode.INVALID_VALUE,
        "\""
            + value
            + "\" is not valid for "
            + column.name()
            + "; expected "
            + Values.expected(column.type()));
  }

  private static @Nullable Object stored(Scalar type, Object value) {
    return switch (type) {
      case BOOLEAN -> value instanceof Boolean ? value : null;
      case INT16, INT32, INT64 ->
          value instanceof Number number ? integer(type, new BigDecimal(number.toString())) : null;
      case DECIMAL -> value instanceof Number number ? new BigDecimal(number.toString()) : null;
      case FLOAT32 -> value instanceof Number number ? number.floatValue() : null;
      case FLOAT64 -> value instanceof Number number ? number.doubleValue() : null;
      case TEXT -> value instanceof String ? value : null;
      case BINARY -> value instanceof byte[] bytes ? bytes.clone() : null;
      case DATE -> value instanceof LocalDate ? value : null;
      case TIME -> value instanceof LocalTime ? value : null;
      case TIMESTAMP -> value instanceof LocalDateTime ? value : null;
      case UUID -> value instanceof UUID ? value : null;
      case TIME_TZ, TIMESTAMP_TZ, INTERVAL, JSON -> null;
    };
  }

  private static Long integer(Scalar type, BigDecimal value) {
    return switch (type) {
      case INT16 -> (long) value.shortValueExact();
      case INT32 -> (long) value.intValueExact();
      default -> value.longValueExact();
    };
  }

  /** Compares two values of one type, neither of which is null. */
  @SuppressWarnings("unchecked") // both are of the class that stored() returns for the type
  static int compare(Object left, Object right) {
    return left instanceof byte[] bytes
        ? Arrays.compareUnsigned(bytes, (byte[]) right)
        : ((Comparable<Object>) left).compareTo(right);
  }

  /** Adds two numbers of one type. */
  static Object sum(Object left, Object right) {
    return switch (left) {
      case Long number -> Math.addExact(number, (Long) right);
      case BigDecimal number -> number.add((BigDecimal) right);
      case Float number -> number + (Float) right;
      case Double number -> number + (Double) right;
      default -> throw new IllegalArgumentException("no number: " + left);
    };
  }
}

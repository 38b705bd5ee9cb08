// SPDX-License-Identifier: Apache-2.0
package dev.evita.api;

import java.math.BigDecimal;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.OffsetTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.format.DateTimeParseException;
import java.time.format.ResolverStyle;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Formats and parses values: the single definition of their text form in JSON strings, URLs and
 * CSV.
 *
 * <p>Dates and times are ISO-8601; binary is base64 (RFC 4648); UUIDs are hyphenated. Times of day
 * always include seconds. A blank between date and time is accepted for a {@code T}.
 */
public final class Values {

  private static final DateTimeFormatter TIME =
      new DateTimeFormatterBuilder()
          .appendPattern("HH:mm:ss")
          .appendFraction(java.time.temporal.ChronoField.NANO_OF_SECOND, 0, 9, true)
          .toFormatter(Locale.ROOT);
  private static final DateTimeFormatter TIME_TZ =
      new DateTimeFormatterBuilder().append(TIME).appendOffsetId().toFormatter(Locale.ROOT);
  private static final DateTimeFormatter TIMESTAMP =
      new DateTimeFormatterBuilder()
          .append(DateTimeFormatter.ISO_LOCAL_DATE)
          .appendLiteral('T')
          .append(TIME)
          .toFormatter(Locale.ROOT);
  private static final DateTimeFormatter TIMESTAMP_TZ =
      new DateTimeFormatterBuilder().append(TIMESTAMP).appendOffsetId().toFormatter(Locale.ROOT);

  private Values() {}

  /**
   * Parses a text to the class that {@link Arguments} specifies for the type.
   *
   * @throws EvitaException {@code INVALID_VALUE}, naming the text and an example of the expected
   *     form; also for arrays, which have no text form
   */
  public static Object parse(DataType type, String text) {
    try {
      return switch (type) {
        case DataType.Scalar scalar -> parseScalar(scalar, text);
        case DataType.Enumeration enumeration -> label(enumeration, text);
        case DataType.Other other -> text;
        case DataType.Array array -> throw invalid(text, "a list of values");
      };
    } catch (NumberFormatException | ArithmeticException | DateTimeParseException e) {
      throw invalid(text, expected(type));
    }
  }

  private static Object parseScalar(DataType.Scalar type, String text) {
    return switch (type) {
      case BOOLEAN -> parseBoolean(text);
      case INT16 -> (long) Short.parseShort(text);
      case INT32 -> (long) Integer.parseInt(text);
      case INT64 -> Long.parseLong(text);
      case DECIMAL -> decimal(text);
      case FLOAT32 -> {
        var value = Float.parseFloat(text);
        yield Float.isInfinite(value) ? infinite(type, text, value) : value;
      }
      case FLOAT64 -> {
        var value = Double.parseDouble(text);
        yield Double.isInfinite(value) ? infinite(type, text, value) : value;
      }
      case TEXT, JSON, INTERVAL -> text;
      case BINARY -> binary(text);
      case DATE -> LocalDate.parse(text);
      case TIME -> LocalTime.parse(text);
      case TIME_TZ -> OffsetTime.parse(text);
      case TIMESTAMP -> LocalDateTime.parse(withT(text));
      case TIMESTAMP_TZ -> offsetDateTime(withT(text));
      case UUID -> uuid(text);
    };
  }

  /**
   * Accepts an infinity only if it was written as such, not as the result of a number out of range.
   */
  private static Object infinite(DataType type, String text, Object value) {
    if (text.endsWith("Infinity")) {
      return value;
    }
    throw invalid(text, expected(type) + " within the type's range");
  }

  private static boolean parseBoolean(String text) {
    return switch (text) {
      case "true" -> true;
      case "false" -> false;
      default -> throw invalid(text, expected(DataType.Scalar.BOOLEAN));
    };
  }

  private static Object decimal(String text) {
    if (text.equals("NaN") || text.equals("Infinity") || text.equals("-Infinity")) {
      return Double.valueOf(text);
    }
    var value = new BigDecimal(text);
    // 1e1000000000 is eleven bytes on the wire and a gigabyte when written out.
    if (Math.abs((long) value.scale()) > 20_000 || value.precision() > 140_000) {
      throw invalid(text, "a decimal number of at most 20000 places");
    }
    return value;
  }

  private static byte[] binary(String text) {
    try {
      return Base64.getDecoder().decode(text);
    } catch (IllegalArgumentException e) {
      throw invalid(text, expected(DataType.Scalar.BINARY));
    }
  }

  private static UUID uuid(String text) {
    try {
      var uuid = UUID.fromString(text);
      if (text.length() == 36) {
        return uuid;
      }
    } catch (IllegalArgumentException e) {
      // rejected below, as is a text that the JDK accepts too leniently
    }
    throw invalid(text, expected(DataType.Scalar.UUID));
  }

  private static OffsetDateTime offsetDateTime(String text) {
    try {
      return OffsetDateTime.parse(text, DateTimeFormatter.ISO_OFFSET_DATE_TIME);
    } catch (DateTimeParseException e) {
      // PostgreSQL's own clients write +02 for +02:00
      return OffsetDateTime.parse(
          text,
          new DateTimeFormatterBuilder()
              .append(DateTimeFormatter.ISO_LOCAL_DATE_TIME)
              .appendOffset("+HHmm", "Z")
              .toFormatter(Locale.ROOT)
              .withResolverStyle(ResolverStyle.STRICT));
    }
  }

  private static String withT(String text) {
    return text.length() > 10 && text.charAt(10) == ' '
        ? text.substring(0, 10) + 'T' + text.substring(11)
        : text;
  }

  private static String label(DataType.Enumeration type, String text) {
    if (!type.labels().contains(text)) {
      throw invalid(text, "one of " + String.join(", ", type.labels()));
    }
    return text;
  }

  /** Rejects NUL, which would terminate a text inside a statement. */
  static void requireWithoutNul(@Nullable String text, String what) {
    if (text != null && text.indexOf('\0') >= 0) {
      throw new EvitaException(
          ErrorCode.INVALID_VALUE, what + " contains the character NUL, which no database stores");
    }
  }

  private static EvitaException invalid(String text, String expected) {
    var shown = text.length() > 80 ? text.substring(0, 80) + "..." : text;
    return new EvitaException(
        ErrorCode.INVALID_VALUE, "'" + shown + "' is not valid here; expected " + expected);
  }

  /** Describes a value of the type, for error messages. */
  public static String expected(DataType type) {
    return switch (type) {
      case DataType.Scalar scalar ->
          switch (scalar) {
            case BOOLEAN -> "true or false";
            case INT16 -> "an integer from -32768 to 32767";
            case INT32 -> "an integer from -2147483648 to 2147483647";
            case INT64 -> "an integer from -9223372036854775808 to 9223372036854775807";
            case DECIMAL -> "a decimal number such as 12.50";
            case FLOAT32, FLOAT64 -> "a number such as 1.5e3";
            case TEXT -> "a text";
            case BINARY -> "base64 such as 3q2+7w==";
            case DATE -> "a date such as 2026-01-31";
            case TIME -> "a time such as 13:45:00";
            case TIME_TZ -> "a time with offset such as 13:45:00+01:00";
            case TIMESTAMP -> "a date and time such as 2026-01-31T13:45:00";
            case TIMESTAMP_TZ -> "a date and time with offset such as 2026-01-31T13:45:00+01:00";
            case INTERVAL -> "an ISO-8601 interval such as P1DT2H";
            case UUID -> "a UUID such as 123e4567-e89b-12d3-a456-426614174000";
            case JSON -> "JSON";
          };
      case DataType.Enumeration enumeration -> "one of " + String.join(", ", enumeration.labels());
      case DataType.Array array -> "a list, each " + expected(array.element());
      case DataType.Other other -> "a value of type " + other.name();
    };
  }

  /** Formats a value other than a list; {@link #parse} reads it back. */
  public static String format(Object value) {
    return switch (value) {
      case byte[] bytes -> Base64.getEncoder().encodeToString(bytes);
      case BigDecimal decimal -> decimal.toPlainString();
      case LocalTime time -> TIME.format(time);
      case OffsetTime time -> TIME_TZ.format(time);
      case LocalDateTime timestamp -> TIMESTAMP.format(timestamp);
      case OffsetDateTime timestamp ->
          TIMESTAMP_TZ.format(
              timestamp.getOffset().getTotalSeconds() == 0
                  ? timestamp.withOffsetSameInstant(ZoneOffset.UTC)
                  : timestamp);
      case List<?> list -> throw new IllegalArgumentException("a list has no text: " + list);
      default -> value.toString();
    };
  }
}

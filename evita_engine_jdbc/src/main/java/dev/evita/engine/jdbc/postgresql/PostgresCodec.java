// SPDX-License-Identifier: Apache-2.0
package dev.evita.engine.jdbc.postgresql;

import dev.evita.api.DataType;
import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import dev.evita.api.Values;
import dev.evita.engine.jdbc.value.Codec;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The codec of PostgreSQL's values.
 *
 * <p>Texts are bound without a type, so that the server infers it from the other operand: an
 * enumeration, a range, an address. Lists are bound as the text of an array for the same reason,
 * those of integers as an array of bigint.
 */
final class PostgresCodec extends Codec {

  /** Makes the driver leave the type to the server. */
  private static final int UNTYPED = Types.OTHER;

  private final ErrorCode invalid;

  /**
   * @param invalid the code of a value that does not match the type
   */
  PostgresCodec(DataType type, String where, ErrorCode invalid) {
    super(type, where);
    this.invalid = invalid;
  }

  // ---------------------------------------------------------------- read

  @Override
  protected @Nullable Object readObject(ResultSet rows, int index) throws SQLException {
    if (type() instanceof DataType.Array array) {
      var text = rows.getString(index);
      return text == null ? null : list(array, text);
    }
    if (type() == DataType.Scalar.INTERVAL) {
      var text = rows.getString(index);
      return text == null ? null : PostgresIntervals.iso(text);
    }
    if (type() == DataType.Scalar.TIME || type() == DataType.Scalar.TIME_TZ) {
      // 24:00 is no Java time; the driver would return the last one of the day instead.
      var text = rows.getString(index);
      if (text != null && text.startsWith("24:")) {
        throw invalid(type(), text);
      }
    }
    return super.readObject(rows, index);
  }

  private List<@Nullable Object> list(DataType.Array type, String text) {
    var single = type.element();
    while (single instanceof DataType.Array(var inner)) {
      single = inner;
    }
    var element = single;
    return PostgresArray.read(text, each -> element(element, each));
  }

  private Object element(DataType type, String text) {
    try {
      return switch (type) {
        case DataType.Scalar.BOOLEAN -> text.equals("t");
        case DataType.Scalar.BINARY -> HexFormat.of().parseHex(text.substring(2));
        case DataType.Scalar.DATE -> date(text);
        case DataType.Scalar.TIMESTAMP -> timestamp(text);
        case DataType.Scalar.TIMESTAMP_TZ -> timestampWithOffset(text);
        case DataType.Scalar.INTERVAL -> PostgresIntervals.iso(text);
        case DataType.Scalar.TIME_TZ -> Values.parse(type, withMinutes(text));
        case DataType.Enumeration label -> text;
        default -> Values.parse(type, text);
      };
    } catch (RuntimeException e) {
      throw invalid(type, text);
    }
  }

  private static Object date(String text) {
    return switch (text) {
      case "infinity" -> LocalDate.MAX;
      case "-infinity" -> LocalDate.MIN;
      default -> Values.parse(DataType.Scalar.DATE, text);
    };
  }

  private static Object timestamp(String text) {
    return switch (text) {
      case "infinity" -> LocalDateTime.MAX;
      case "-infinity" -> LocalDateTime.MIN;
      default -> Values.parse(DataType.Scalar.TIMESTAMP, text);
    };
  }

  private static Object timestampWithOffset(String text) {
    return switch (text) {
      case "infinity" -> OffsetDateTime.MAX;
      case "-infinity" -> OffsetDateTime.MIN;
      default ->
          ((OffsetDateTime) Values.parse(DataType.Scalar.TIMESTAMP_TZ, text))
              .withOffsetSameInstant(ZoneOffset.UTC);
    };
  }

  /** The server writes +02 for +02:00. */
  private static String withMinutes(String text) {
    var sign = Math.max(text.lastIndexOf('+'), text.lastIndexOf('-'));
    return sign >= 0 && text.length() - sign == 3 ? text + ":00" : text;
  }

  private EvitaException invalid(DataType type, String text) {
    var shown = text.length() > 80 ? text.substring(0, 80) + "..." : text;
    return new EvitaException(
        invalid, "'%s' in %s is not %s".formatted(shown, where(), Values.expected(type)));
  }

  // ---------------------------------------------------------------- bind

  @Override
  public void bindChecked(PreparedStatement statement, int index, Object value)
      throws SQLException {
    if (value instanceof String text) {
      statement.setObject(index, text, UNTYPED);
    } else if (value instanceof Double number && type() == DataType.Scalar.DECIMAL) {
      statement.setObject(index, Values.format(number), UNTYPED);
    } else {
      super.bindChecked(statement, index, value);
    }
  }

  @Override
  public void bindMany(PreparedStatement statement, int index, List<?> values) throws SQLException {
    if (kind() == Kind.LONG) {
      statement.setArray(index, statement.getConnection().createArrayOf("int8", values.toArray()));
    } else {
      bindList(statement, index, values);
    }
  }

  @Override
  protected void bindList(PreparedStatement statement, int index, List<?> values)
      throws SQLException {
    statement.setObject(index, PostgresArray.write(values), UNTYPED);
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.evita.engine.jdbc.sqlite;

import dev.evita.api.DataType;
import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import dev.evita.api.Output;
import dev.evita.api.Values;
import dev.evita.engine.jdbc.value.ArgumentCoercion;
import dev.evita.engine.jdbc.value.Codec;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Makes values of SQLite ones of another type. Its own casts never fail: of a text that is no
 * number they make zero.
 */
final class SqliteCast extends Codec {

  SqliteCast(DataType.Scalar type, String where) {
    super(type, where);
  }

  /** The path in the words of SQLite's JSON functions. */
  static String path(Output.Path path) {
    var text = new StringBuilder("$");
    for (var step : path.steps()) {
      switch (step) {
        case Output.Step.Member(var name) -> text.append(".\"").append(plain(name)).append('"');
        case Output.Step.Element(var index) ->
            text.append(index < 0 ? "[#" : "[").append(index).append(']');
      }
    }
    return text.toString();
  }

  private static String plain(String name) {
    if (name.indexOf('"') >= 0 || name.indexOf('\\') >= 0) {
      throw new EvitaException(
          ErrorCode.UNSUPPORTED_OPERATION,
          "SQLite has no path to members with a quote or a backslash in their names");
    }
    return name;
  }

  @Override
  protected boolean readBoolean(ResultSet rows, int index) throws SQLException {
    return switch (rows.getObject(index)) {
      case null -> false;
      case Number number -> number.doubleValue() != 0;
      case Object other -> (boolean) parsed(other.toString().toLowerCase(Locale.ROOT));
    };
  }

  @Override
  protected long readLong(ResultSet rows, int index) throws SQLException {
    return switch (rows.getObject(index)) {
      case null -> 0;
      case Number number -> whole(number);
      case Object other -> (long) parsed(other);
    };
  }

  private long whole(Number number) {
    var decimal =
        number instanceof Double real && !Double.isFinite(real)
            ? null
            : new BigDecimal(number.toString()).setScale(0, RoundingMode.HALF_UP);
    if (decimal == null) {
      throw invalid(ErrorCode.VALUE_OUT_OF_RANGE, number);
    }
    return (long) ArgumentCoercion.value(type(), decimal, where());
  }

  @Override
  protected float readFloat(ResultSet rows, int index) throws SQLException {
    var value = (float) readDouble(rows, index);
    if (Float.isInfinite(value)) {
      throw invalid(ErrorCode.VALUE_OUT_OF_RANGE, rows.getObject(index));
    }
    return value;
  }

  @Override
  protected double readDouble(ResultSet rows, int index) throws SQLException {
    return switch (rows.getObject(index)) {
      case null -> 0;
      case Number number -> number.doubleValue();
      case Object other -> ((Number) parsed(other)).doubleValue();
    };
  }

  @Override
  protected @Nullable Object readObject(ResultSet rows, int index) throws SQLException {
    return switch (rows.getObject(index)) {
      case null -> null;
      case Number number when type() == DataType.Scalar.DECIMAL ->
          ArgumentCoercion.value(type(), number, where());
      case Object other -> parsed(other);
    };
  }

  /** A date and time is a date, and a date the time at its start. */
  private Object parsed(Object value) {
    var text = value instanceof byte[] bytes ? bytes.length + " bytes" : value.toString().strip();
    var date = type() == DataType.Scalar.DATE && text.length() > 10;
    var moment = type() == DataType.Scalar.TIMESTAMP && text.length() == 10;
    try {
      return Values.parse(type(), date ? text.substring(0, 10) : moment ? text + "T00:00" : text);
    } catch (EvitaException e) {
      throw invalid(ErrorCode.INVALID_DATA, text);
    }
  }

  private EvitaException invalid(ErrorCode code, Object value) {
    var text = value.toString();
    return new EvitaException(
        code,
        "'%s' in %s is not %s"
            .formatted(
                text.length() > 80 ? text.substring(0, 80) + "..." : text,
                where(),
                Values.expected(type())));
  }
}

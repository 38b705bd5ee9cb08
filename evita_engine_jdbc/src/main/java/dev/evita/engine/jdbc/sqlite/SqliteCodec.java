// SPDX-License-Identifier: Apache-2.0
package dev.evita.engine.jdbc.sqlite;

import dev.evita.api.DataType;
import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import dev.evita.api.Values;
import dev.evita.engine.jdbc.value.Codec;
import dev.evita.engine.jdbc.value.ParentKeys;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * SQLite's values: any column may hold any of integer, real, text and blob, whatever was declared.
 * So each value is looked at, and one that its column's type cannot say is {@code
 * STORED_VALUE_INVALID}.
 *
 * <p>Decimals are stored as integer or real, as numeric affinity does it; one that this would
 * change is refused rather than rounded.
 */
final class SqliteCodec extends Codec {

  private final boolean typeless;

  /**
   * @param typeless whether the column was declared without a type, as computed ones of views are
   */
  SqliteCodec(DataType type, String where, boolean typeless) {
    super(type, where);
    this.typeless = typeless;
  }

  boolean typeless() {
    return typeless;
  }

  // ---------------------------------------------------------------- read

  @Override
  protected boolean readBoolean(ResultSet rows, int index) throws SQLException {
    var value = rows.getObject(index);
    return switch (value) {
      case null -> false;
      case Integer number when number == 0 || number == 1 -> number == 1;
      case String text when text.equalsIgnoreCase("true") -> true;
      case String text when text.equalsIgnoreCase("false") -> false;
      default -> throw invalid(value);
    };
  }

  @Override
  protected long readLong(ResultSet rows, int index) throws SQLException {
    var value = rows.getObject(index);
    return switch (value) {
      case null -> 0;
      case Integer number -> within(number.longValue());
      case Long number -> within(number);
      default -> throw invalid(value);
    };
  }

  private long within(long value) {
    var fits =
        switch (type()) {
          case DataType.Scalar.INT16 -> value == (short) value;
          case DataType.Scalar.INT32 -> value == (int) value;
          default -> true;
        };
    if (!fits) {
      throw invalid(value);
    }
    return value;
  }

  @Override
  protected float readFloat(ResultSet rows, int index) throws SQLException {
    return (float) readDouble(rows, index);
  }

  @Override
  protected double readDouble(ResultSet rows, int index) throws SQLException {
    var value = rows.getObject(index);
    return switch (value) {
      case null -> 0;
      case Number number -> number.doubleValue();
      default -> throw invalid(value);
    };
  }

  @Override
  protected @Nullable Object readObject(ResultSet rows, int index) throws SQLException {
    var value = rows.getObject(index);
    if (value == null) {
      return null;
    }
    return switch (type()) {
      case DataType.Scalar.DECIMAL -> decimal(value);
      case DataType.Scalar.BINARY -> binary(value);
      default -> text(value);
    };
  }

  private Object decimal(Object value) {
    return switch (value) {
      case Integer number -> BigDecimal.valueOf(number);
      case Long number -> BigDecimal.valueOf(number);
      case Double number -> Double.isFinite(number) ? ofDouble(number) : number;
      case String text -> ofText(text);
      default -> throw invalid(value);
    };
  }

  private static BigDecimal ofDouble(double value) {
    var decimal = BigDecimal.valueOf(value);
    return decimal.scale() > 0 && decimal.stripTrailingZeros().scale() <= 0
        ? decimal.setScale(0)
        : decimal;
  }

  private BigDecimal ofText(String text) {
    try {
      var colon = text.indexOf(':');
      if (colon > 0) {
        var upper = new BigInteger(text.substring(0, colon));
        return new BigDecimal(upper.shiftLeft(32).add(new BigInteger(text.substring(colon + 1))));
      }
      if (Values.parse(DataType.Scalar.DECIMAL, text) instanceof BigDecimal number) {
        return number;
      }
    } catch (EvitaException | NumberFormatException e) {
      // answered below, as is the text of what SQLite has no number for
    }
    throw invalid(text);
  }

  private byte[] binary(Object value) {
    return switch (value) {
      case byte[] bytes -> bytes;
      case String text -> text.getBytes(StandardCharsets.UTF_8);
      default -> throw invalid(value);
    };
  }

  private String text(Object value) {
    return switch (value) {
      case String text -> text;
      case Integer number -> number.toString();
      case Long number -> number.toString();
      case Double number -> number.toString();
      default -> throw invalid(value);
    };
  }

  private EvitaException invalid(Object value) {
    var shown = value instanceof byte[] bytes ? bytes.length + " bytes" : "'" + value + "'";
    return new EvitaException(
        ErrorCode.STORED_VALUE_INVALID,
        "%s stored in %s is not %s"
            .formatted(
                shown.length() > 80 ? shown.substring(0, 80) + "..." : shown,
                where(),
                Values.expected(type())));
  }

  // ---------------------------------------------------------------- bind

  @Override
  public void bindChecked(PreparedStatement statement, int index, Object value)
      throws SQLException {
    bindValue(statement, index, value, where());
  }

  /** Binds a value as the storage class that keeps it. */
  static void bindValue(
      PreparedStatement statement, int index, @Nullable Object value, String where)
      throws SQLException {
    switch (value) {
      case null -> statement.setNull(index, Types.NULL);
      case Boolean flag -> statement.setInt(index, flag ? 1 : 0);
      case Float number -> statement.setDouble(index, finite(number, where));
      case Double number -> statement.setDouble(index, finite(number, where));
      case BigDecimal number -> bindDecimal(statement, index, number, where);
      case BigInteger number -> bindDecimal(statement, index, new BigDecimal(number), where);
      case Number number -> statement.setLong(index, number.longValue());
      case byte[] bytes -> statement.setBytes(index, bytes);
      case List<?> list -> throw unsupported();
      default -> statement.setString(index, Values.format(value));
    }
  }

  private static EvitaException unsupported() {
    return new EvitaException(ErrorCode.UNSUPPORTED_OPERATION, "SQLite has no arrays");
  }

  /** SQLite makes null of NaN, and JSON has no infinity. */
  private static double finite(double value, String where) {
    if (!Double.isFinite(value)) {
      throw new EvitaException(
          ErrorCode.VALUE_OUT_OF_RANGE, "'" + value + "' is not valid for " + where + " in SQLite");
    }
    return value;
  }

  private static void bindDecimal(
      PreparedStatement statement, int index, BigDecimal value, String where) throws SQLException {
    var stripped = value.stripTrailingZeros();
    if (stripped.scale() <= 0 && stripped.precision() - stripped.scale() <= 18) {
      statement.setLong(index, stripped.longValueExact());
      return;
    }
    var real = value.doubleValue();
    if (!Double.isFinite(real) || BigDecimal.valueOf(real).compareTo(value) != 0) {
      throw new EvitaException(
          ErrorCode.VALUE_OUT_OF_RANGE,
          "'%s' has more digits than SQLite keeps exactly in %s".formatted(value, where));
    }
    statement.setDouble(index, real);
  }

  @Override
  public void bindMany(PreparedStatement statement, int index, List<?> values) throws SQLException {
    var json = new StringBuilder("[");
    for (var value : values) {
      separate(json);
      append(json, value);
    }
    statement.setString(index, json.append(']').toString());
  }

  /** All keys as a list of lists. */
  static String tuples(ParentKeys keys, int parts) {
    var json = new StringBuilder("[");
    for (int key = 0; key < keys.size(); key++) {
      separate(json);
      json.append('[');
      for (int part = 0; part < parts; part++) {
        separate(json);
        append(json, keys.values(part).get(key));
      }
      json.append(']');
    }
    return json.append(']').toString();
  }

  private static void separate(StringBuilder json) {
    if (json.charAt(json.length() - 1) != '[') {
      json.append(',');
    }
  }

  private static void append(StringBuilder json, @Nullable Object value) {
    switch (value) {
      case null -> json.append("null");
      case Boolean flag -> json.append(flag ? 1 : 0);
      case BigDecimal number -> json.append(number.toPlainString());
      case Number number -> json.append(number);
      case byte[] bytes -> quote(json, HexFormat.of().formatHex(bytes));
      default -> quote(json, Values.format(value));
    }
  }

  private static void quote(StringBuilder json, String text) {
    json.append('"');
    for (int i = 0; i < text.length(); i++) {
      var c = text.charAt(i);
      if (c == '"' || c == '\\') {
        json.append('\\').append(c);
      } else if (c < ' ') {
        json.append("\\u00").append(HexFormat.of().toHexDigits((byte) c));
      } else {
        json.append(c);
      }
    }
    json.append('"');
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.evita.engine.jdbc.value;

import dev.evita.api.DataType;
import java.math.BigDecimal;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.OffsetTime;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * How values of one column cross JDBC.
 *
 * <p>The methods here are what JDBC 4.2 drivers agree on; a dialect overrides what its driver does
 * otherwise. Stateless, so one instance serves all threads.
 */
public class Codec {

  /** Which accessor of {@link ResultSet} reads the value without boxing. */
  public enum Kind {
    BOOLEAN,
    LONG,
    FLOAT,
    DOUBLE,
    OBJECT
  }

  private final DataType type;
  private final Kind kind;
  private final String where;

  /**
   * A codec for one column.
   *
   * @param where the table and column, for messages
   */
  protected Codec(DataType type, String where) {
    this.type = type;
    this.kind = kind(type);
    this.where = where;
  }

  public final DataType type() {
    return type;
  }

  public final Kind kind() {
    return kind;
  }

  public final String where() {
    return where;
  }

  private static Kind kind(DataType type) {
    if (!(type instanceof DataType.Scalar scalar)) {
      return Kind.OBJECT;
    }
    return switch (scalar) {
      case BOOLEAN -> Kind.BOOLEAN;
      case INT16, INT32, INT64 -> Kind.LONG;
      case FLOAT32 -> Kind.FLOAT;
      case FLOAT64 -> Kind.DOUBLE;
      case DECIMAL, TEXT, BINARY, DATE, TIME, TIME_TZ, TIMESTAMP, TIMESTAMP_TZ, INTERVAL, UUID ->
          Kind.OBJECT;
      case JSON -> Kind.OBJECT;
    };
  }

  /** For {@link Kind#BOOLEAN}; {@link ResultSet#wasNull} tells null, here and in the others. */
  protected boolean readBoolean(ResultSet rows, int index) throws SQLException {
    return rows.getBoolean(index);
  }

  /** For {@link Kind#LONG}. */
  protected long readLong(ResultSet rows, int index) throws SQLException {
    return rows.getLong(index);
  }

  /** For {@link Kind#FLOAT}. */
  protected float readFloat(ResultSet rows, int index) throws SQLException {
    return rows.getFloat(index);
  }

  /** For {@link Kind#DOUBLE}. */
  protected double readDouble(ResultSet rows, int index) throws SQLException {
    return rows.getDouble(index);
  }

  /** For {@link Kind#OBJECT}: the value in the class of {@link dev.evita.api.Arguments}. */
  protected @Nullable Object readObject(ResultSet rows, int index) throws SQLException {
    if (!(type instanceof DataType.Scalar scalar)) {
      return rows.getString(index);
    }
    return switch (scalar) {
      case DECIMAL -> decimal(rows, index);
      case TEXT, JSON, INTERVAL -> rows.getString(index);
      case BINARY -> rows.getBytes(index);
      case DATE -> rows.getObject(index, LocalDate.class);
      case TIME -> rows.getObject(index, LocalTime.class);
      case TIME_TZ -> rows.getObject(index, OffsetTime.class);
      case TIMESTAMP -> rows.getObject(index, LocalDateTime.class);
      case TIMESTAMP_TZ -> rows.getObject(index, OffsetDateTime.class);
      case UUID -> rows.getObject(index, UUID.class);
      case BOOLEAN, INT16, INT32, INT64, FLOAT32, FLOAT64 -> rows.getObject(index);
    };
  }

  /** Drivers have a failure for NaN and the infinities, which are no {@code BigDecimal}. */
  private static @Nullable Object decimal(ResultSet rows, int index) throws SQLException {
    try {
      return rows.getBigDecimal(index);
    } catch (SQLException | NumberFormatException e) {
      var value = rows.getDouble(index);
      if (Double.isFinite(value)) {
        throw e;
      }
      return value;
    }
  }

  /** Reads the value of any kind, without a box. */
  public void read(ResultSet rows, int index, UnboxedValue into) throws SQLException {
    switch (kind) {
      case BOOLEAN -> into.set(readBoolean(rows, index) ? 1 : 0);
      case LONG -> into.set(readLong(rows, index));
      case FLOAT -> into.set(readFloat(rows, index));
      case DOUBLE -> into.set(readDouble(rows, index));
      case OBJECT -> into.set(readObject(rows, index));
    }
    if (kind != Kind.OBJECT && rows.wasNull()) {
      into.set(null);
    }
  }

  /** The value of any kind, boxed; null for null. */
  public final @Nullable Object boxed(ResultSet rows, int index) throws SQLException {
    var value =
        switch (kind) {
          case BOOLEAN -> readBoolean(rows, index);
          case LONG -> readLong(rows, index);
          case FLOAT -> readFloat(rows, index);
          case DOUBLE -> readDouble(rows, index);
          case OBJECT -> readObject(rows, index);
        };
    return rows.wasNull() ? null : value;
  }

  /** Binds an argument of any accepted class, or null. */
  public final void bind(PreparedStatement statement, int index, @Nullable Object value)
      throws SQLException {
    if (value == null) {
      bindNull(statement, index);
    } else {
      bindChecked(statement, index, ArgumentCoercion.value(type, value, where));
    }
  }

  void bindNull(PreparedStatement statement, int index) throws SQLException {
    statement.setNull(index, Types.NULL);
  }

  /** Binds a value of the class that {@link ArgumentCoercion} makes. */
  public void bindChecked(PreparedStatement statement, int index, Object value)
      throws SQLException {
    switch (value) {
      case Long number -> bindLong(statement, index, number);
      case Boolean flag -> statement.setBoolean(index, flag);
      case String text -> statement.setString(index, text);
      case BigDecimal decimal -> statement.setBigDecimal(index, decimal);
      case Double number -> statement.setDouble(index, number);
      case Float number -> statement.setFloat(index, number);
      case byte[] bytes -> statement.setBytes(index, bytes);
      case List<?> list -> bindList(statement, index, list);
      default -> statement.setObject(index, value);
    }
  }

  private void bindLong(PreparedStatement statement, int index, long value) throws SQLException {
    if (type == DataType.Scalar.INT32) {
      statement.setInt(index, (int) value);
    } else if (type == DataType.Scalar.INT16) {
      statement.setShort(index, (short) value);
    } else {
      statement.setLong(index, value);
    }
  }

  /**
   * Binds many values of this column as the one parameter that {@code ValueExpressions.in} expects.
   *
   * @param values checked, of this codec's type
   */
  public void bindMany(PreparedStatement statement, int index, List<?> values) throws SQLException {
    statement.setObject(index, values.toArray());
  }

  /** Binds the value of an array column. */
  protected void bindList(PreparedStatement statement, int index, List<?> values)
      throws SQLException {
    statement.setObject(index, values.toArray());
  }
}

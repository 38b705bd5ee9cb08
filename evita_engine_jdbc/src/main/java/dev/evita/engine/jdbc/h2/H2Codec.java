// SPDX-License-Identifier: Apache-2.0
package dev.evita.engine.jdbc.h2;

import dev.evita.api.DataType;
import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import dev.evita.engine.jdbc.value.Codec;
import dev.evita.engine.jdbc.value.UnboxedValue;
import java.nio.charset.StandardCharsets;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.h2.api.Interval;
import org.h2.engine.Constants;
import org.h2.jdbc.JdbcResultSet;
import org.h2.value.ValueNull;
import org.h2.value.ValueVarchar;
import org.jspecify.annotations.Nullable;

/** What H2's driver does otherwise: intervals, JSON, arrays; and values without its checks. */
final class H2Codec extends Codec {

  private final String nativeType;

  H2Codec(DataType type, String nativeType, String where) {
    super(type, where);
    this.nativeType = nativeType;
  }

  /**
   * Without JDBC's checks of each call, and without its second question whether that was null:
   * together they take longer than the value.
   */
  @Override
  public void read(ResultSet rows, int index, UnboxedValue into) throws SQLException {
    if (!(rows instanceof JdbcResultSet own)) {
      super.read(rows, index, into);
      return;
    }
    var value = own.getInternal(index);
    if (value instanceof ValueNull) {
      into.set(null);
      return;
    }
    switch (kind()) {
      case BOOLEAN -> into.set(value.getBoolean() ? 1 : 0);
      case LONG -> into.set(value.getLong());
      case FLOAT -> into.set(value.getFloat());
      case DOUBLE -> into.set(value.getDouble());
      case OBJECT ->
          into.set(value instanceof ValueVarchar ? value.getString() : readObject(rows, index));
    }
  }

  @Override
  protected @Nullable Object readObject(ResultSet rows, int index) throws SQLException {
    if (type() == DataType.Scalar.INTERVAL) {
      var interval = (Interval) rows.getObject(index);
      return interval == null ? null : Intervals.format(interval);
    }
    if (type() instanceof DataType.Array array) {
      var values = rows.getArray(index);
      return values == null ? null : list(array, rows, index);
    }
    return super.readObject(rows, index);
  }

  private static List<@Nullable Object> list(DataType.Array type, ResultSet rows, int index)
      throws SQLException {
    var values = new ArrayList<@Nullable Object>();
    var element = new H2Codec(type.element(), "", "");
    try (var elements = rows.getArray(index).getResultSet()) {
      while (elements.next()) {
        values.add(element.boxed(elements, 2));
      }
    }
    return values;
  }

  @Override
  public void bindChecked(PreparedStatement statement, int index, Object value)
      throws SQLException {
    if (type() == DataType.Scalar.JSON) {
      // H2 takes bytes for JSON itself, but a text for a JSON string.
      statement.setBytes(index, value.toString().getBytes(StandardCharsets.UTF_8));
    } else if (type() == DataType.Scalar.INTERVAL) {
      statement.setObject(index, Intervals.parse(value.toString(), nativeType, where()));
    } else {
      super.bindChecked(statement, index, value);
    }
  }

  /** H2 itself would call the array too long for a column. */
  @Override
  public void bindMany(PreparedStatement statement, int index, List<?> values) throws SQLException {
    if (values.size() > Constants.MAX_ARRAY_CARDINALITY) {
      throw new EvitaException(
          ErrorCode.TOO_MANY_ROWS,
          "%s is looked up by %d values at once, and H2 takes at most %d; ask for fewer at once"
              .formatted(where(), values.size(), Constants.MAX_ARRAY_CARDINALITY));
    }
    super.bindMany(statement, index, values);
  }

  @Override
  protected void bindList(PreparedStatement statement, int index, List<?> values)
      throws SQLException {
    statement.setObject(index, nested(values));
  }

  private static @Nullable Object[] nested(List<?> values) {
    return values.stream()
        .map(each -> each instanceof List<?> inner ? nested(inner) : each)
        .toArray();
  }
}

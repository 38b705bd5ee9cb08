// SPDX-License-Identifier: Apache-2.0
package dev.evita.engine.jdbc;

import dev.evita.api.DataType;
import dev.evita.api.Row;
import dev.evita.api.RowCursor;
import dev.evita.api.Values;
import java.math.BigDecimal;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * A row straight over the cursor, for selects without related rows.
 *
 * <p>JDBC tells null only after a value was read, so {@link #isNull} reads the value and keeps it
 * for the accessor that follows: each value is read once and no number is boxed.
 */
final class ResultRow implements Row {

  private static final int NONE = -1;

  private final ResultSet rows;
  private final Codec[] codecs;
  private final int[] columns;
  private final JdbcErrors errors;
  private int loaded = NONE;
  private boolean absent;
  private long longValue;
  private double doubleValue;
  private @Nullable Object objectValue;

  /**
   * A row over the result set's current one.
   *
   * @param columns for each slot the column of the result, from 0
   */
  ResultRow(ResultSet rows, Codec[] codecs, int[] columns, JdbcErrors errors) {
    this.rows = rows;
    this.codecs = codecs;
    this.columns = columns;
    this.errors = errors;
  }

  /** Moves to the next row, or answers false after the last. */
  boolean next() throws SQLException {
    loaded = NONE;
    return rows.next();
  }

  private void load(int slot) {
    if (loaded == slot) {
      return;
    }
    try {
      read(codecs[columns[slot]], columns[slot] + 1);
      loaded = slot;
    } catch (SQLException e) {
      throw errors.translate(e);
    }
  }

  private void read(Codec codec, int index) throws SQLException {
    switch (codec.kind()) {
      case BOOLEAN -> longValue = codec.readBoolean(rows, index) ? 1 : 0;
      case LONG -> longValue = codec.readLong(rows, index);
      case FLOAT -> doubleValue = codec.readFloat(rows, index);
      case DOUBLE -> doubleValue = codec.readDouble(rows, index);
      case OBJECT -> {
        objectValue = codec.readObject(rows, index);
        absent = objectValue == null;
        return;
      }
    }
    absent = rows.wasNull();
  }

  @Override
  public boolean isNull(int slot) {
    load(slot);
    return absent;
  }

  @Override
  public boolean booleanAt(int slot) {
    load(slot);
    return longValue != 0;
  }

  @Override
  public long longAt(int slot) {
    load(slot);
    return longValue;
  }

  @Override
  public float floatAt(int slot) {
    load(slot);
    return (float) doubleValue;
  }

  @Override
  public double doubleAt(int slot) {
    load(slot);
    return doubleValue;
  }

  @Override
  public @Nullable BigDecimal decimalAt(int slot) {
    var value = objectAt(slot);
    return value == null
        ? null
        : (BigDecimal) Checked.value(DataType.Scalar.DECIMAL, value, codecs[columns[slot]].where());
  }

  @Override
  public @Nullable String textAt(int slot) {
    var value = objectAt(slot);
    return value == null ? null : Values.format(value);
  }

  @Override
  public byte @Nullable [] binaryAt(int slot) {
    return (byte[]) objectAt(slot);
  }

  @Override
  public @Nullable Object objectAt(int slot) {
    load(slot);
    if (absent) {
      return null;
    }
    return switch (codecs[columns[slot]].kind()) {
      case BOOLEAN -> longValue != 0;
      case LONG -> longValue;
      case FLOAT -> (float) doubleValue;
      case DOUBLE -> doubleValue;
      case OBJECT -> objectValue;
    };
  }

  @Override
  public RowCursor nested(int slot) {
    throw new IllegalArgumentException("slot " + slot + " holds no related rows");
  }
}

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
  private final Cell cell = new Cell();
  private int loaded = NONE;

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
      codecs[columns[slot]].read(rows, columns[slot] + 1, cell);
      loaded = slot;
    } catch (SQLException e) {
      throw errors.translate(e);
    }
  }

  @Override
  public boolean isNull(int slot) {
    load(slot);
    return cell.absent;
  }

  @Override
  public boolean booleanAt(int slot) {
    load(slot);
    return cell.longValue != 0;
  }

  @Override
  public long longAt(int slot) {
    load(slot);
    return cell.longValue;
  }

  @Override
  public float floatAt(int slot) {
    load(slot);
    return (float) cell.doubleValue;
  }

  @Override
  public double doubleAt(int slot) {
    load(slot);
    return cell.doubleValue;
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
    load(slot);
    if (cell.absent) {
      return null;
    }
    return cell.objectValue instanceof String text ? text : Values.format(objectAt(slot));
  }

  @Override
  public byte @Nullable [] binaryAt(int slot) {
    return (byte[]) objectAt(slot);
  }

  @Override
  public @Nullable Object objectAt(int slot) {
    load(slot);
    if (cell.absent) {
      return null;
    }
    return switch (codecs[columns[slot]].kind()) {
      case BOOLEAN -> cell.longValue != 0;
      case LONG -> cell.longValue;
      case FLOAT -> (float) cell.doubleValue;
      case DOUBLE -> cell.doubleValue;
      case OBJECT -> cell.objectValue;
    };
  }

  @Override
  public RowCursor nested(int slot) {
    throw new IllegalArgumentException("slot " + slot + " holds no related rows");
  }
}

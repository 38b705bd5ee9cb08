// SPDX-License-Identifier: Apache-2.0
package dev.evita.engine.jdbc.run;

import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import dev.evita.api.RowCursor;
import dev.evita.api.Values;
import dev.evita.engine.jdbc.dialect.JdbcErrors;
import dev.evita.engine.jdbc.sql.SlotMapping;
import dev.evita.engine.jdbc.value.Codec;
import dev.evita.engine.jdbc.value.UnboxedValue;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A row straight over the cursor, for selects of one statement; and, as nested cursors, the related
 * rows that are part of it.
 *
 * <p>JDBC tells null only after a value was read, so {@link #isNull} reads the value and keeps it
 * for the accessor that follows: each value is read once and no number is boxed.
 */
final class ResultRow implements RowCursor {

  /** Where the cursor stands; the last value that was read there. */
  private static final class Current {
    private static final int NONE = -1;

    private final ResultSet rows;
    private final Codec[] codecs;
    private final JdbcErrors errors;
    private final UnboxedValue cell = new UnboxedValue();
    private int loaded = NONE;

    private Current(ResultSet rows, Codec[] codecs, JdbcErrors errors) {
      this.rows = rows;
      this.codecs = codecs;
      this.errors = errors;
    }

    private boolean next() throws SQLException {
      loaded = NONE;
      return rows.next();
    }

    private UnboxedValue load(int column) {
      if (loaded != column) {
        loaded = NONE; // a value that fails leaves nothing behind
        try {
          codecs[column].read(rows, column + 1, cell);
          loaded = column;
        } catch (SQLException e) {
          throw errors.translate(e);
        }
      }
      return cell;
    }

    /** Whether there is a value; one that its type cannot say has no related row either. */
    private boolean holds(int column) {
      try {
        return !load(column).absent;
      } catch (EvitaException e) {
        if (e.code() == ErrorCode.STORED_VALUE_INVALID) {
          return false;
        }
        throw e;
      }
    }
  }

  private final Current current;
  private final SlotMapping part;
  private final int[] slots;
  private final @Nullable ResultRow[] nested;
  private boolean following;

  private ResultRow(Current current, SlotMapping part) {
    this.current = current;
    this.part = part;
    this.slots = part.slots();
    this.nested = new ResultRow[part.related().size()];
  }

  /** The result set's current row; its columns are those of these codecs. */
  static ResultRow of(ResultSet rows, Codec[] codecs, SlotMapping part, JdbcErrors errors) {
    return new ResultRow(new Current(rows, codecs, errors), part);
  }

  /** Moves the result set to the next row, or answers false after the last. */
  boolean advance() throws SQLException {
    return current.next();
  }

  /** Of a related row: true once, if there is one. */
  @Override
  public boolean next() {
    var is = following;
    following = false;
    return is;
  }

  private UnboxedValue load(int slot) {
    return current.load(slots[slot]);
  }

  private Codec codec(int slot) {
    return current.codecs[slots[slot]];
  }

  @Override
  public boolean isNull(int slot) {
    return load(slot).absent;
  }

  @Override
  public boolean booleanAt(int slot) {
    return load(slot).longValue != 0;
  }

  @Override
  public long longAt(int slot) {
    return load(slot).longValue;
  }

  @Override
  public float floatAt(int slot) {
    return (float) load(slot).doubleValue;
  }

  @Override
  public double doubleAt(int slot) {
    return load(slot).doubleValue;
  }

  @Override
  public @Nullable String textAt(int slot) {
    var cell = load(slot);
    if (cell.absent) {
      return null;
    }
    return cell.objectValue instanceof String text
        ? text
        : Values.format(Objects.requireNonNull(objectAt(slot)));
  }

  @Override
  public byte @Nullable [] binaryAt(int slot) {
    return (byte[]) objectAt(slot);
  }

  @Override
  public @Nullable Object objectAt(int slot) {
    var cell = load(slot);
    if (cell.absent) {
      return null;
    }
    return switch (codec(slot).kind()) {
      case BOOLEAN -> cell.longValue != 0;
      case LONG -> cell.longValue;
      case FLOAT -> (float) cell.doubleValue;
      case DOUBLE -> cell.doubleValue;
      case OBJECT -> cell.objectValue;
    };
  }

  @Override
  public RowCursor nested(int slot) {
    var at = ~slots[slot];
    if (!(part.related().get(at) instanceof SlotMapping.Related.Beside(var beside, var presence))) {
      throw new IllegalStateException("rows of another statement in slot " + slot);
    }
    var row = nested[at];
    if (row == null) {
      row = new ResultRow(current, beside);
      nested[at] = row;
    }
    row.following = current.holds(presence);
    return row;
  }
}

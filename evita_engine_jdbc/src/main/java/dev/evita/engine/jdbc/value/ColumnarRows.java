// SPDX-License-Identifier: Apache-2.0
package dev.evita.engine.jdbc.value;

import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import dev.evita.api.Values;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Rows of one level, kept by column: numbers and truth values as {@code long[]}, floating point as
 * {@code double[]}, all else as objects. Not thread-safe.
 */
public final class ColumnarRows {

  private static final int FIRST_CAPACITY = 32;
  private static final int MOST_FAULTS = 100;

  private final Codec[] codecs;
  private final Object[] columns;
  private final BitSet[] nulls;
  private final UnboxedValue cell = new UnboxedValue();
  private @Nullable Map<Long, EvitaException> faults;
  private final @Nullable EvitaException[] further;
  private int size;
  private int capacity = FIRST_CAPACITY;

  public ColumnarRows(Codec[] codecs) {
    this.codecs = codecs;
    this.columns = new Object[codecs.length];
    this.nulls = new BitSet[codecs.length];
    this.further = new EvitaException[codecs.length];
    for (int i = 0; i < codecs.length; i++) {
      columns[i] =
          switch (codecs[i].kind()) {
            case BOOLEAN, LONG -> new long[capacity];
            case FLOAT, DOUBLE -> new double[capacity];
            case OBJECT -> new Object[capacity];
          };
      nulls[i] = new BitSet(0);
    }
  }

  public int size() {
    return size;
  }

  public Codec codec(int column) {
    return codecs[column];
  }

  /** Appends the row that the result set stands on; its columns are those of this block. */
  public void append(ResultSet rows) throws SQLException {
    var row = nextRow();
    for (int i = 0; i < codecs.length; i++) {
      codecs[i].read(rows, i + 1, cell);
      store(i, row);
    }
  }

  /**
   * The same, but values that their types cannot say fail only those who ask for them, so that they
   * cost no others.
   */
  public void appendTolerantly(ResultSet rows) throws SQLException {
    var row = nextRow();
    for (int i = 0; i < codecs.length; i++) {
      try {
        codecs[i].read(rows, i + 1, cell);
        store(i, row);
      } catch (EvitaException e) {
        if (e.code() != ErrorCode.STORED_VALUE_INVALID) {
          throw e;
        }
        nulls[i].set(row);
        keep(place(i, row), i, e);
      }
    }
  }

  private long place(int column, int row) {
    return (long) row * codecs.length + column;
  }

  /** Of many, all but the first are told as one for each column. */
  private void keep(long place, int column, EvitaException failure) {
    var known = faults;
    if (known == null) {
      known = new HashMap<>();
      faults = known;
    }
    known.put(place, known.size() < MOST_FAULTS ? failure : further(column, failure.code()));
  }

  private EvitaException further(int column, ErrorCode code) {
    var known = further[column];
    if (known == null) {
      var codec = codecs[column];
      var expected = Values.expected(codec.type());
      known =
          new EvitaException(
              code, "A value stored in %s is not %s".formatted(codec.where(), expected));
      further[column] = known;
    }
    return known;
  }

  private void store(int column, int row) {
    if (cell.absent) {
      nulls[column].set(row);
      return;
    }
    switch (codecs[column].kind()) {
      case BOOLEAN, LONG -> longs(column)[row] = cell.longValue;
      case FLOAT, DOUBLE -> doubles(column)[row] = cell.doubleValue;
      case OBJECT -> objects(column)[row] = cell.objectValue;
    }
  }

  /** Appends a row of nulls, but zero in the columns that are named. */
  public int appendEmpty(boolean[] zero) {
    var row = nextRow();
    for (int i = 0; i < codecs.length; i++) {
      nulls[i].set(row, !zero[i]);
    }
    return row;
  }

  private int nextRow() {
    if (size == capacity) {
      capacity = capacity * 2;
      for (int i = 0; i < columns.length; i++) {
        columns[i] =
            switch (columns[i]) {
              case long[] values -> Arrays.copyOf(values, capacity);
              case double[] values -> Arrays.copyOf(values, capacity);
              default -> Arrays.copyOf((Object[]) columns[i], capacity);
            };
      }
    }
    return size++;
  }

  /**
   * Whether the value is null.
   *
   * @throws EvitaException {@code STORED_VALUE_INVALID}
   */
  public boolean isNull(int column, int row) {
    if (!nulls[column].get(row)) {
      return false;
    }
    var fault = faults == null ? null : faults.get(place(column, row));
    if (fault != null) {
      throw fault;
    }
    return true;
  }

  /** Whether there is no value that could be compared: none, or one that its type cannot say. */
  public boolean isAbsent(int column, int row) {
    return nulls[column].get(row);
  }

  public long longAt(int column, int row) {
    return longs(column)[row];
  }

  public double doubleAt(int column, int row) {
    return doubles(column)[row];
  }

  /** The value in the class of {@link dev.evita.api.Arguments}; null for null. */
  public @Nullable Object objectAt(int column, int row) {
    if (isNull(column, row)) {
      return null;
    }
    return switch (codecs[column].kind()) {
      case BOOLEAN -> longs(column)[row] != 0;
      case LONG -> longs(column)[row];
      case FLOAT -> (float) doubles(column)[row];
      case DOUBLE -> doubles(column)[row];
      case OBJECT -> objects(column)[row];
    };
  }

  private long[] longs(int column) {
    return (long[]) columns[column];
  }

  private double[] doubles(int column) {
    return (double[]) columns[column];
  }

  private @Nullable Object[] objects(int column) {
    return (@Nullable Object[]) columns[column];
  }
}

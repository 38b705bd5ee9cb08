// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.graphql;

import dev.evita.api.Row;
import dev.evita.api.RowCursor;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A row of plain objects; nested slots hold lists of such. */
record MemoryRow(@Nullable Object[] values) implements Row {

  @Override
  public boolean isNull(int slot) {
    return values[slot] == null;
  }

  @Override
  public boolean booleanAt(int slot) {
    return (Boolean) required(slot);
  }

  @Override
  public long longAt(int slot) {
    return ((Number) required(slot)).longValue();
  }

  @Override
  public float floatAt(int slot) {
    return ((Number) required(slot)).floatValue();
  }

  @Override
  public double doubleAt(int slot) {
    return ((Number) required(slot)).doubleValue();
  }

  @Override
  public @Nullable String textAt(int slot) {
    return (String) values[slot];
  }

  @Override
  public byte @Nullable [] binaryAt(int slot) {
    return (byte[]) values[slot];
  }

  @Override
  public @Nullable Object objectAt(int slot) {
    return values[slot];
  }

  private Object required(int slot) {
    var value = values[slot];
    if (value == null) {
      throw new IllegalStateException("slot " + slot + " is null");
    }
    return value;
  }

  @Override
  @SuppressWarnings("unchecked")
  public RowCursor nested(int slot) {
    return new Cursor((List<MemoryRow>) required(slot));
  }

  /** Walks a list. */
  private static final class Cursor implements RowCursor {
    private final List<MemoryRow> rows;
    private int at = -1;

    Cursor(List<MemoryRow> rows) {
      this.rows = rows;
    }

    @Override
    public boolean next() {
      return ++at < rows.size();
    }

    @Override
    public boolean isNull(int slot) {
      return rows.get(at).isNull(slot);
    }

    @Override
    public boolean booleanAt(int slot) {
      return rows.get(at).booleanAt(slot);
    }

    @Override
    public long longAt(int slot) {
      return rows.get(at).longAt(slot);
    }

    @Override
    public float floatAt(int slot) {
      return rows.get(at).floatAt(slot);
    }

    @Override
    public double doubleAt(int slot) {
      return rows.get(at).doubleAt(slot);
    }

    @Override
    public @Nullable String textAt(int slot) {
      return rows.get(at).textAt(slot);
    }

    @Override
    public byte @Nullable [] binaryAt(int slot) {
      return rows.get(at).binaryAt(slot);
    }

    @Override
    public @Nullable Object objectAt(int slot) {
      return rows.get(at).objectAt(slot);
    }

    @Override
    public RowCursor nested(int slot) {
      return rows.get(at).nested(slot);
    }
  }
}

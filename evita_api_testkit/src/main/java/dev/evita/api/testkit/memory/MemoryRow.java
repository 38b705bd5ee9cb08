// SPDX-License-Identifier: Apache-2.0
package dev.evita.api.testkit.memory;

import dev.evita.api.Row;
import dev.evita.api.RowCursor;
import dev.evita.api.Values;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A row that is being pushed. */
record MemoryRow(@Nullable Object[] values) implements Row {

  private Object value(int slot) {
    return Objects.requireNonNull(values[slot], "null; ask isNull() first");
  }

  @Override
  public boolean isNull(int slot) {
    return values[slot] == null;
  }

  @Override
  public boolean booleanAt(int slot) {
    return (Boolean) value(slot);
  }

  @Override
  public long longAt(int slot) {
    return ((Number) value(slot)).longValue();
  }

  @Override
  public float floatAt(int slot) {
    return ((Number) value(slot)).floatValue();
  }

  @Override
  public double doubleAt(int slot) {
    return ((Number) value(slot)).doubleValue();
  }

  @Override
  public @Nullable String textAt(int slot) {
    var value = values[slot];
    return value == null ? null : Values.format(value);
  }

  @Override
  public byte @Nullable [] binaryAt(int slot) {
    var value = (byte[]) values[slot];
    return value == null ? null : value.clone();
  }

  @Override
  public @Nullable Object objectAt(int slot) {
    return values[slot] instanceof byte[] bytes ? bytes.clone() : values[slot];
  }

  @Override
  public RowCursor nested(int slot) {
    throw new IllegalStateException("no capability for nested rows");
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core.transaction;

import dev.evita.api.Row;
import dev.evita.api.RowCursor;
import dev.evita.api.RowShape;
import dev.evita.api.Values;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A copy of a row without related rows, which outlives the call that delivers it. */
final class HeldRow implements Row {

  private final @Nullable Object[] values;

  private HeldRow(@Nullable Object[] values) {
    this.values = values;
  }

  static HeldRow copy(Row row, RowShape shape) {
    var values = new @Nullable Object[shape.slots().size()];
    for (int i = 0; i < values.length; i++) {
      values[i] = row.objectAt(i);
    }
    return new HeldRow(values);
  }

  @Override
  public boolean isNull(int slot) {
    return values[slot] == null;
  }

  private Object present(int slot) {
    return Objects.requireNonNull(values[slot], "null");
  }

  @Override
  public boolean booleanAt(int slot) {
    return (Boolean) present(slot);
  }

  @Override
  public long longAt(int slot) {
    return ((Number) present(slot)).longValue();
  }

  @Override
  public float floatAt(int slot) {
    return ((Number) present(slot)).floatValue();
  }

  @Override
  public double doubleAt(int slot) {
    return ((Number) present(slot)).doubleValue();
  }

  @Override
  public @Nullable String textAt(int slot) {
    var value = values[slot];
    return value == null ? null : Values.format(value);
  }

  @Override
  public byte @Nullable [] binaryAt(int slot) {
    return (byte[]) values[slot];
  }

  @Override
  public @Nullable Object objectAt(int slot) {
    return values[slot];
  }

  @Override
  public RowCursor nested(int slot) {
    throw new IllegalStateException("a native query has no related rows");
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.evita.engine.jdbc;

import dev.evita.api.DataType;
import dev.evita.api.RowCursor;
import dev.evita.api.Values;
import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/**
 * Walks the rows of a level: all of them at the root, those of one parent below it. One cursor for
 * each nested slot is made once and used again for each parent.
 */
final class LevelCursor implements RowCursor {

  private final LevelData data;
  private final Block block;
  private final int[] slots;
  private final int @Nullable [] chain;
  private final @Nullable LevelCursor[] nested;
  private int row = LevelData.END;
  private int following;

  /**
   * Stands before the first row.
   *
   * @param chain the following row of each row; null for one after another
   */
  LevelCursor(LevelData data, int @Nullable [] chain) {
    this.data = data;
    this.block = data.block;
    this.slots = data.level.slots();
    this.chain = chain;
    this.nested = new LevelCursor[data.related.length];
  }

  @Override
  public boolean next() {
    if (chain == null) {
      row = following < block.size() ? following++ : LevelData.END;
    } else {
      row = following;
      following = row == LevelData.END ? LevelData.END : chain[row];
    }
    return row != LevelData.END;
  }

  private void startAt(int first) {
    following = first;
    row = LevelData.END;
  }

  @Override
  public boolean isNull(int slot) {
    return block.isNull(slots[slot], row);
  }

  @Override
  public boolean booleanAt(int slot) {
    return block.longAt(slots[slot], row) != 0;
  }

  @Override
  public long longAt(int slot) {
    return block.longAt(slots[slot], row);
  }

  @Override
  public float floatAt(int slot) {
    return (float) block.doubleAt(slots[slot], row);
  }

  @Override
  public double doubleAt(int slot) {
    return block.doubleAt(slots[slot], row);
  }

  @Override
  public @Nullable BigDecimal decimalAt(int slot) {
    var value = block.objectAt(slots[slot], row);
    return value == null
        ? null
        : (BigDecimal) Checked.value(DataType.Scalar.DECIMAL, value, codec(slot).where());
  }

  @Override
  public @Nullable String textAt(int slot) {
    var value = block.objectAt(slots[slot], row);
    return value == null ? null : Values.format(value);
  }

  @Override
  public byte @Nullable [] binaryAt(int slot) {
    return (byte[]) block.objectAt(slots[slot], row);
  }

  @Override
  public @Nullable Object objectAt(int slot) {
    return block.objectAt(slots[slot], row);
  }

  private Codec codec(int slot) {
    return block.codec(slots[slot]);
  }

  @Override
  public RowCursor nested(int slot) {
    var child = ~slots[slot];
    var related = data.related[child];
    var cursor = nested[child];
    if (cursor == null) {
      cursor = new LevelCursor(related.data(), related.next());
      nested[child] = cursor;
    }
    cursor.startAt(related.first(row));
    return cursor;
  }
}

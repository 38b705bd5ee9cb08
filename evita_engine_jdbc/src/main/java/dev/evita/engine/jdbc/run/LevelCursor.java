// SPDX-License-Identifier: Apache-2.0
package dev.evita.engine.jdbc.run;

import dev.evita.api.RowCursor;
import dev.evita.api.Values;
import dev.evita.engine.jdbc.sql.SlotMapping;
import dev.evita.engine.jdbc.value.ColumnarRows;
import org.jspecify.annotations.Nullable;

/**
 * Walks rows of a level: all of them at the root, those of one parent below it, the only one where
 * a related row is part of its parent's. One cursor for each nested slot is made once and used
 * again for each parent.
 */
final class LevelCursor implements RowCursor {

  private static final int[] NO_CHAIN = {};

  private enum Walk {
    ALL,
    CHAIN,
    ONE
  }

  private final LevelData data;
  private final ColumnarRows block;
  private final SlotMapping part;
  private final int[] slots;
  private final Walk walk;
  private final int[] chain;
  private final @Nullable LevelCursor[] nested;
  private int row = LevelData.END;
  private int following;

  private LevelCursor(LevelData data, SlotMapping part, Walk walk, int[] chain) {
    this.data = data;
    this.block = data.block;
    this.part = part;
    this.slots = part.slots();
    this.walk = walk;
    this.chain = chain;
    this.nested = new LevelCursor[part.related().size()];
  }

  /** Stands before the first of all rows. */
  static LevelCursor all(LevelData data) {
    var cursor = new LevelCursor(data, data.level.part(), Walk.ALL, NO_CHAIN);
    cursor.startAt(data.block.size() == 0 ? LevelData.END : 0);
    return cursor;
  }

  @Override
  public boolean next() {
    row = following;
    if (row == LevelData.END) {
      return false;
    }
    following =
        switch (walk) {
          case ALL -> row + 1 < block.size() ? row + 1 : LevelData.END;
          case CHAIN -> chain[row];
          case ONE -> LevelData.END;
        };
    return true;
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

  @Override
  public RowCursor nested(int slot) {
    var at = ~slots[slot];
    var cursor = nested[at];
    if (cursor == null) {
      cursor = open(part.related().get(at));
      nested[at] = cursor;
    }
    cursor.startAt(first(part.related().get(at)));
    return cursor;
  }

  private LevelCursor open(SlotMapping.Related related) {
    return switch (related) {
      case SlotMapping.Related.Below(var child) -> {
        var rows = data.related[child];
        yield new LevelCursor(rows.data(), rows.data().level.part(), Walk.CHAIN, rows.next());
      }
      case SlotMapping.Related.Beside(var beside, var presence) ->
          new LevelCursor(data, beside, Walk.ONE, NO_CHAIN);
    };
  }

  private int first(SlotMapping.Related related) {
    return switch (related) {
      case SlotMapping.Related.Below(var child) -> data.related[child].first(row);
      case SlotMapping.Related.Beside(var beside, var presence) ->
          block.isAbsent(presence, row) ? LevelData.END : row;
    };
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.evita.engine.jdbc.run;

import dev.evita.engine.jdbc.sql.SelectLevel;
import dev.evita.engine.jdbc.value.ColumnarRows;
import dev.evita.engine.jdbc.value.ParentKeys;
import java.util.Arrays;

/**
 * The rows of a level and, for each child level, which of its rows belong to which of ours.
 *
 * <p>Rows of one parent are a chain through {@code next}, in the order in which they came: the
 * child's statement orders them, and distributing them by key keeps that order.
 */
final class LevelData {

  final SelectLevel level;
  final ColumnarRows block;
  final Related[] related;

  LevelData(SelectLevel level) {
    this.level = level;
    this.block = new ColumnarRows(level.columns());
    this.related = new Related[level.children().size()];
  }

  /**
   * A child level's rows.
   *
   * @param keyOf the key's number of each parent row, or {@link ParentKeys#NONE}
   * @param head the first child row of each key, or {@link #END}
   * @param next the following row of the same key of each child row, or {@link #END}
   * @param orphan the child row for parents without a key, or {@link #END}
   */
  record Related(LevelData data, int[] keyOf, int[] head, int[] next, int orphan) {

    int first(int parentRow) {
      var key = keyOf[parentRow];
      return key == ParentKeys.NONE ? orphan : head[key];
    }
  }

  static final int END = -1;

  /** Deals the child's rows out to the parents by key. */
  static Related distribute(LevelData child, int[] keyOf, ParentKeys keys) {
    var block = child.block;
    var columns = child.level.keyColumns();
    var head = filled(keys.size());
    var tail = filled(keys.size());
    var next = filled(block.size());
    for (int row = 0; row < next.length; row++) {
      var key =
          child.level.numbered()
              ? (int) block.longAt(columns[0], row) - 1
              : keys.find(block, row, columns);
      if (key == ParentKeys.NONE) {
        continue;
      }
      if (head[key] == END) {
        head[key] = row;
      } else {
        next[tail[key]] = row;
      }
      tail[key] = row;
    }
    var zero = child.level.zeroWhenEmpty();
    if (zero.length == 0) {
      return new Related(child, keyOf, head, next, END);
    }
    var empty = block.appendEmpty(zero);
    for (int key = 0; key < head.length; key++) {
      if (head[key] == END) {
        head[key] = empty;
      }
    }
    var longer = Arrays.copyOf(next, block.size());
    longer[empty] = END;
    return new Related(child, keyOf, head, longer, empty);
  }

  private static int[] filled(int size) {
    var array = new int[size];
    Arrays.fill(array, END);
    return array;
  }
}

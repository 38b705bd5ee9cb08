// SPDX-License-Identifier: Apache-2.0
package dev.evita.engine.jdbc.value;

import java.util.Arrays;

/** Numbers for {@code long} keys, without boxing: open addressing, linear probing. */
final class LongIdMap {

  private long[] keys = new long[64];
  private int[] ids = empty(64);
  private int size;

  private static int[] empty(int capacity) {
    var ids = new int[capacity];
    Arrays.fill(ids, ParentKeys.NONE);
    return ids;
  }

  /** The key's number: the one it has, or {@code fresh}, which it then keeps. */
  int add(long key, int fresh) {
    if (size * 2 >= keys.length) {
      grow();
    }
    var place = place(key);
    if (ids[place] == ParentKeys.NONE) {
      keys[place] = key;
      ids[place] = fresh;
      size++;
    }
    return ids[place];
  }

  /** The key's number, or {@link ParentKeys#NONE}. */
  int find(long key) {
    return ids[place(key)];
  }

  private int place(long key) {
    var mask = keys.length - 1;
    var hash = key * 0x9E3779B97F4A7C15L;
    var place = (int) (hash >>> 32) & mask;
    while (ids[place] != ParentKeys.NONE && keys[place] != key) {
      place = (place + 1) & mask;
    }
    return place;
  }

  private void grow() {
    var oldKeys = keys;
    var oldIds = ids;
    keys = new long[oldKeys.length * 2];
    ids = empty(keys.length);
    for (int i = 0; i < oldKeys.length; i++) {
      if (oldIds[i] != ParentKeys.NONE) {
        var place = place(oldKeys[i]);
        keys[place] = oldKeys[i];
        ids[place] = oldIds[i];
      }
    }
  }
}

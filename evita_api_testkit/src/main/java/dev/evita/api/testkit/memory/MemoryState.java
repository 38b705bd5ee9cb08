// SPDX-License-Identifier: Apache-2.0
package dev.evita.api.testkit.memory;

import dev.evita.api.TableName;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The rows of all tables, by primary key. Immutable: no map and no array in it is ever modified.
 *
 * @param tables rows in the order of their insertion; values in the order of the columns
 */
record MemoryState(Map<TableName, Map<List<Object>, @Nullable Object[]>> tables) {

  MemoryState with(TableName table, Map<List<Object>, @Nullable Object[]> rows) {
    var copy = new HashMap<>(tables);
    copy.put(table, rows);
    return new MemoryState(copy);
  }

  MemoryState without(TableName table) {
    var copy = new HashMap<>(tables);
    copy.remove(table);
    return new MemoryState(copy);
  }

  /** Returns the tables whose rows differ. */
  @SuppressWarnings("ReferenceEquality") // each write makes another map
  Set<TableName> changed(MemoryState later) {
    var changed = new HashSet<TableName>();
    later.tables.forEach((table, rows) -> {
      if (tables.get(table) != rows) {
        changed.add(table);
      }
    });
    return changed;
  }
}

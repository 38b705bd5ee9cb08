// SPDX-License-Identifier: Apache-2.0
package dev.evita.api.testkit.memory;

import dev.evita.api.Arguments;
import dev.evita.api.Delete;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A delete. */
final class MemoryDelete extends MemoryWrite {

  private final MemoryFilter.Compiled where;

  MemoryDelete(MemoryEngine engine, Delete delete) {
    super(engine, delete, delete.table(), delete.returning());
    this.where = new MemoryFilter(table()).compile(delete.where());
  }

  @Override
  List<@Nullable Object[]> change(Map<List<Object>, @Nullable Object[]> rows, Arguments arguments) {
    var condition = where.bind(arguments);
    var deleted = new ArrayList<@Nullable Object[]>();
    rows.values().removeIf(row -> Boolean.TRUE.equals(condition.test(row)) && deleted.add(row));
    return deleted;
  }
}

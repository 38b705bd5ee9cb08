// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.graphql;

import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import dev.evita.api.Row;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A row to insert: the values that it was given, and those that others need of it once it is there.
 */
final class InsertObject {

  /** Stands for a value of another row, which is inserted before. */
  private record KeyOf(InsertObject owner, String column) {}

  private final MutationTable table;
  private final Trail where;
  private final Map<String, @Nullable Object> values = new LinkedHashMap<>();
  private final Set<String> needed = new LinkedHashSet<>();
  private final Map<String, Object> returned = new HashMap<>();
  private boolean returns;

  /**
   * @param where where it stands, for messages
   */
  InsertObject(MutationTable table, Trail where) {
    this.table = table;
    this.where = where;
  }

  /**
   * Gives a column its value.
   *
   * @throws EvitaException {@code INVALID_VALUE} if a relationship gives it one already
   */
  void put(String column, @Nullable Object value) {
    if (values.containsKey(column)) {
      throw Inputs.invalid(
          where.member(table.table().fieldOf(column).name()),
          "its value comes from a relationship as well; leave one of them out");
    }
    values.put(column, value);
  }

  /** Lets a column refer to another row's. */
  void refer(String column, InsertObject owner, String ownersColumn) {
    owner.needed.add(ownersColumn);
    put(column, new KeyOf(owner, ownersColumn));
  }

  /** These columns are needed once the row is there. */
  void need(List<String> columns) {
    needed.addAll(columns);
  }

  boolean gives(String column) {
    return values.containsKey(column);
  }

  /** The columns that it gives, in the order of the table. */
  List<String> columns() {
    var columns = new ArrayList<String>(values.size());
    for (var column : table.table().table().columns()) {
      if (values.containsKey(column.name())) {
        columns.add(column.name());
      }
    }
    return columns;
  }

  /** What is needed of it. */
  Set<String> needed() {
    return needed;
  }

  /** Whether all that is needed of it is given with it, be it through its relationships. */
  boolean givesNeeded() {
    return needed.stream().allMatch(column -> values.get(column) != null);
  }

  /** What is needed comes back from the database, as what was given may not be what is there. */
  void returns() {
    returns = true;
  }

  /** Whether {@link #take} will be called. */
  boolean isReturned() {
    return returns && !needed.isEmpty();
  }

  /** What is wrong with it. */
  EvitaException invalid(String problem) {
    return Inputs.invalid(where, problem);
  }

  /** Takes what is needed from the inserted row. */
  void take(Row row, int firstSlot) {
    var slot = firstSlot;
    for (var column : needed) {
      var value = row.objectAt(slot++);
      if (value != null) {
        returned.put(column, value);
      }
    }
  }

  /** Whether it is known to stand in the database, with all that is needed of it. */
  boolean known() {
    return !returns || returned.size() == needed.size();
  }

  /** The value to insert. The rows that it refers to are there. */
  @Nullable Object value(String column) {
    return values.get(column) instanceof KeyOf(var owner, var ownersColumn)
        ? owner.key(ownersColumn)
        : values.get(column);
  }

  /**
   * A needed value of the row, once it is there.
   *
   * @throws EvitaException {@code UNIQUE_VIOLATION} if it was not inserted
   */
  Object key(String column) {
    var key = returns ? returned.get(column) : value(column);
    if (key == null) {
      throw new EvitaException(
          ErrorCode.UNIQUE_VIOLATION,
          where
              + ": a row with this key exists and is left as it is, so that nothing can be inserted"
              + " with it; name a column in update_columns");
    }
    return key;
  }
}

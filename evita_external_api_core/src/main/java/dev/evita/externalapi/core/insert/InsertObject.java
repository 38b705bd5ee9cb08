// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core.insert;

import dev.evita.api.InsertRows;
import dev.evita.api.Row;
import dev.evita.api.Table;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A row to insert: the values that were set, and the values that other rows need once it exists.
 * Used by one thread at a time.
 */
public final class InsertObject {

  /** A reference to a value of another row, which is inserted before. */
  private record KeyOf(InsertObject owner, String column) {}

  private final Table table;
  private final InsertLocation place;
  private final Map<String, @Nullable Object> values = new LinkedHashMap<>();
  private final Set<String> needed = new LinkedHashSet<>();
  private final Map<String, Object> returned = new HashMap<>();
  private boolean returns;

  /**
   * Creates a row without values.
   *
   * @param place its location in the request, for messages
   */
  public InsertObject(Table table, InsertLocation place) {
    this.table = table;
    this.place = place;
  }

  /**
   * Sets a column to a value, or to {@link InsertRows#DEFAULT}. Throws the exception of {@link
   * InsertLocation#duplicateValue} if it is set already.
   *
   * @param column the exact name
   */
  public void put(String column, @Nullable Object value) {
    if (values.containsKey(column)) {
      throw place.duplicateValue(column);
    }
    values.put(column, value);
  }

  /**
   * Links the row to one at the other end of a relationship of its table: the row that is inserted
   * later receives the key of the other. Throws as {@link #put} does.
   */
  public void link(InsertLink link, InsertObject other) {
    var relationship = link.relationship();
    for (int i = 0; i < relationship.fromColumns().size(); i++) {
      var from = relationship.fromColumns().get(i);
      var to = relationship.toColumns().get(i);
      if (link.before()) {
        refer(from, other, to);
      } else {
        other.refer(to, this, from);
      }
    }
  }

  private void refer(String column, InsertObject owner, String ownersColumn) {
    owner.needed.add(ownersColumn);
    put(column, new KeyOf(owner, ownersColumn));
  }

  /** Marks columns whose values other rows need once this row exists. */
  void need(List<String> columns) {
    needed.addAll(columns);
  }

  /** Whether a column has a value, be it by a relationship. */
  public boolean gives(String column) {
    return values.containsKey(column);
  }

  /** The columns with a value, in the order of the table. */
  List<String> columns() {
    var columns = new ArrayList<String>(values.size());
    for (var column : table.columns()) {
      if (values.containsKey(column.name())) {
        columns.add(column.name());
      }
    }
    return columns;
  }

  /** The columns whose values other rows need. */
  Set<String> needed() {
    return needed;
  }

  /** Whether all needed columns have a value, be it by a relationship. */
  boolean setsNeeded() {
    return needed.stream().allMatch(this::setsValue);
  }

  private boolean setsValue(String column) {
    var value = values.get(column);
    return value != null && !value.equals(InsertRows.DEFAULT);
  }

  /** Requests the needed columns from the database, as stored values may differ from those set. */
  void returns() {
    returns = true;
  }

  /** Whether {@link #take} will be called. */
  boolean isReturned() {
    return returns && !needed.isEmpty();
  }

  /** The location of the row in the request. */
  InsertLocation place() {
    return place;
  }

  /** Reads the needed values from the inserted row. */
  void take(Row row, int firstSlot) {
    var slot = firstSlot;
    for (var column : needed) {
      var value = row.objectAt(slot++);
      if (value != null) {
        returned.put(column, value);
      }
    }
  }

  /** Whether the row is known to exist in the database, with all needed values. */
  boolean known() {
    return !returns || returned.size() == needed.size();
  }

  /** The value to insert. The rows that it refers to must exist. */
  @Nullable Object value(String column) {
    return values.get(column) instanceof KeyOf(var owner, var ownersColumn)
        ? owner.key(ownersColumn)
        : values.get(column);
  }

  /**
   * A needed value of the row, once it exists. Throws the exception of {@link
   * InsertLocation#conflictIgnored} if the row was not inserted.
   */
  Object key(String column) {
    var key = returns ? returned.get(column) : value(column);
    if (key == null) {
      throw place.conflictIgnored();
    }
    return key;
  }
}

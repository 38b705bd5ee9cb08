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
 * A row to insert: the values that it was given, and those that others need of it once it is there.
 * Used by one thread at a time.
 */
public final class InsertObject {

  /** Stands for a value of another row, which is inserted before. */
  private record KeyOf(InsertObject owner, String column) {}

  private final Table table;
  private final InsertLocation place;
  private final Map<String, @Nullable Object> values = new LinkedHashMap<>();
  private final Set<String> needed = new LinkedHashSet<>();
  private final Map<String, Object> returned = new HashMap<>();
  private boolean returns;

  /**
   * A row without values.
   *
   * @param place where it stands, for messages
   */
  public InsertObject(Table table, InsertLocation place) {
    this.table = table;
    this.place = place;
  }

  /**
   * Gives a column its value, or {@link InsertRows#DEFAULT}. What {@link InsertLocation#givenTwice}
   * makes is thrown where it has one.
   *
   * @param column the exact name
   */
  public void put(String column, @Nullable Object value) {
    if (values.containsKey(column)) {
      throw place.givenTwice(column);
    }
    values.put(column, value);
  }

  /**
   * Links it to a row of the other end of a relationship of this row's table: the one of them that
   * is inserted later gets the key of the other. Throws as {@link #put}.
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

  /** These columns are needed once the row is there. */
  void need(List<String> columns) {
    needed.addAll(columns);
  }

  /** Whether a column has its value, be it by a relationship. */
  public boolean gives(String column) {
    return values.containsKey(column);
  }

  /** The columns that it gives, in the order of the table. */
  List<String> columns() {
    var columns = new ArrayList<String>(values.size());
    for (var column : table.columns()) {
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
    return needed.stream().allMatch(this::givesValue);
  }

  private boolean givesValue(String column) {
    var value = values.get(column);
    return value != null && !value.equals(InsertRows.DEFAULT);
  }

  /** What is needed comes back from the database, as what was given may not be what is there. */
  void returns() {
    returns = true;
  }

  /** Whether {@link #take} will be called. */
  boolean isReturned() {
    return returns && !needed.isEmpty();
  }

  /** Where it stands. */
  InsertLocation place() {
    return place;
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
   * A needed value of the row, once it is there. What {@link InsertLocation#leftAsItIs} makes is
   * thrown where it was not inserted.
   */
  Object key(String column) {
    var key = returns ? returned.get(column) : value(column);
    if (key == null) {
      throw place.leftAsItIs();
    }
    return key;
  }
}

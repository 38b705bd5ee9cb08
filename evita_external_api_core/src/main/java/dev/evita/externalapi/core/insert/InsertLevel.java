// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core.insert;

import dev.evita.api.Insert;
import dev.evita.api.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Rows to insert into one table, with one rule for conflicts, and the dependent levels of other
 * tables: rows that these refer to are inserted before, rows that refer to these after.
 *
 * <p>Filled by a protocol from its message, then passed to {@link InsertPlanner}. Used by one
 * thread at a time.
 */
public final class InsertLevel {

  private final Table table;
  private final Insert.@Nullable OnConflict onConflict;
  private final List<InsertObject> objects = new ArrayList<>();
  private final List<Child> children = new ArrayList<>();

  private record Child(InsertLink link, InsertLevel level) {}

  /**
   * Creates a level without rows.
   *
   * @param onConflict the action for a row whose key exists; null for an error
   */
  public InsertLevel(Table table, Insert.@Nullable OnConflict onConflict) {
    this.table = table;
    this.onConflict = onConflict;
  }

  /** The table. */
  public Table table() {
    return table;
  }

  Insert.@Nullable OnConflict onConflict() {
    return onConflict;
  }

  List<InsertObject> objects() {
    return objects;
  }

  /** Adds a row. */
  public void add(InsertObject object) {
    objects.add(object);
  }

  /**
   * Returns the level of a relationship: one for all rows of that relationship with the same rule.
   */
  public InsertLevel child(InsertLink link, Insert.@Nullable OnConflict rule) {
    for (var child : children) {
      if (child.link.equals(link) && Objects.equals(child.level.onConflict, rule)) {
        return child.level;
      }
    }
    var level = new InsertLevel(link.target(), rule);
    children.add(new Child(link, level));
    return level;
  }

  /** Returns the levels to insert before this one, or after it. */
  List<InsertLevel> children(boolean before) {
    return children.stream()
        .filter(child -> child.link.before() == before)
        .map(Child::level)
        .toList();
  }

  /** Whether one statement inserts all rows, without a need to know their keys. */
  boolean isOneStatement() {
    return children(false).isEmpty()
        && objects.stream().map(InsertObject::columns).distinct().count() <= 1
        && objects.stream().allMatch(object -> object.needed().isEmpty());
  }

  /** Whether the values that other rows need of this row are certain to be those that were set. */
  boolean knowsNeededValues(InsertObject object) {
    if (object.needed().isEmpty()) {
      return true;
    }
    if (!object.setsNeeded()) {
      return false;
    }
    var rule = onConflict;
    if (rule == null || rule.keyColumns().containsAll(object.needed())) {
      return true;
    }
    return !rule.update().isEmpty()
        && object.needed().stream()
            .allMatch(
                column -> rule.keyColumns().contains(column) || rule.update().contains(column));
  }
}

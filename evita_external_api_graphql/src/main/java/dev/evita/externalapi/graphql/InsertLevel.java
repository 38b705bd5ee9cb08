// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.graphql;

import dev.evita.api.Insert;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Rows to insert into one table, by one rule for conflicts, and the rows of other tables that hang
 * on them: those that they refer to come before, those that refer to them after.
 */
final class InsertLevel {

  private final MutationTable table;
  private final Insert.@Nullable OnConflict onConflict;
  private final List<InsertObject> objects = new ArrayList<>();
  private final List<Child> children = new ArrayList<>();

  private record Child(MutationTable.Link link, InsertLevel level) {}

  InsertLevel(MutationTable table, Insert.@Nullable OnConflict onConflict) {
    this.table = table;
    this.onConflict = onConflict;
  }

  MutationTable table() {
    return table;
  }

  Insert.@Nullable OnConflict onConflict() {
    return onConflict;
  }

  List<InsertObject> objects() {
    return objects;
  }

  /** The level of a relationship: one for all rows that go through it by the same rule. */
  InsertLevel child(MutationTable.Link link, Insert.@Nullable OnConflict rule) {
    for (var child : children) {
      if (child.link.equals(link) && Objects.equals(child.level.onConflict, rule)) {
        return child.level;
      }
    }
    var level = new InsertLevel(link.target(), rule);
    children.add(new Child(link, level));
    return level;
  }

  /** The levels to insert before this one, or after it. */
  List<InsertLevel> children(boolean before) {
    return children.stream()
        .filter(child -> child.link.before() == before)
        .map(Child::level)
        .toList();
  }

  /** Whether one statement inserts all of its rows, without a need to know their keys. */
  boolean isOneStatement() {
    return children(false).isEmpty()
        && objects.stream().map(InsertObject::columns).distinct().count() <= 1
        && objects.stream().allMatch(object -> object.needed().isEmpty());
  }

  /** Whether what a row needs to tell is sure to be what it was given. */
  boolean isSure(InsertObject object) {
    if (object.needed().isEmpty()) {
      return true;
    }
    if (!object.givesNeeded()) {
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

// SPDX-License-Identifier: Apache-2.0
package dev.evita.api;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A table or view.
 *
 * @param columns in the database's order; at least one
 * @param primaryKey null if there is none, as in views
 * @param uniqueKeys unique constraints and unique indexes over whole columns, whether or not nulls
 *     are distinct; without the primary key
 * @param indexes further indexes over whole columns, to decide whether a filter is bounded
 */
public record Table(
    TableName name,
    Kind kind,
    List<Column> columns,
    @Nullable Key primaryKey,
    List<Key> uniqueKeys,
    List<Key> indexes,
    List<ForeignKey> foreignKeys,
    @Nullable String comment) {

  /** The kind of relation. */
  public enum Kind {
    TABLE,
    VIEW
  }

  public Table {
    columns = List.copyOf(columns);
    uniqueKeys = List.copyOf(uniqueKeys);
    indexes = List.copyOf(indexes);
    foreignKeys = List.copyOf(foreignKeys);
  }

  /** Returns the column with exactly this name. */
  public Optional<Column> column(String column) {
    for (var candidate : columns) {
      if (candidate.name().equals(column)) {
        return Optional.of(candidate);
      }
    }
    return Optional.empty();
  }

  /** Whether these columns, in any order, contain a whole primary or unique key. */
  public boolean identifies(List<String> names) {
    if (primaryKey != null && names.containsAll(primaryKey.columns())) {
      return true;
    }
    return uniqueKeys.stream().anyMatch(key -> names.containsAll(key.columns()));
  }
}

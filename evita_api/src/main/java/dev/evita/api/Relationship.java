// SPDX-License-Identifier: Apache-2.0
package dev.evita.api;

import java.util.List;

/**
 * An association of the rows of one table with the matching rows of another.
 *
 * <p>It includes its join columns: an engine needs no more than this record, whatever the origin of
 * the relationship (a foreign key or the configuration).
 *
 * @param name the API name, unique among the columns and relationships of {@code from}
 * @param fromColumns joined with {@code toColumns}, position by position
 * @param single whether at most one row of {@code to} matches
 * @param foreignKey the constraint that it was derived from
 */
public record Relationship(
    String name,
    TableName from,
    List<String> fromColumns,
    TableName to,
    List<String> toColumns,
    boolean single,
    String foreignKey) {
  public Relationship {
    fromColumns = List.copyOf(fromColumns);
    toColumns = List.copyOf(toColumns);
  }

  Relationship named(String newName) {
    return new Relationship(newName, from, fromColumns, to, toColumns, single, foreignKey);
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.evita.api;

import java.util.List;

/**
 * A way from the rows of one table to the matching rows of another.
 *
 * <p>It carries its own join columns: an engine needs no more than this record, wherever the
 * relationship came from (a foreign key or the configuration).
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

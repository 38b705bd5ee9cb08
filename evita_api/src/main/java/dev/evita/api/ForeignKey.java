// SPDX-License-Identifier: Apache-2.0
package dev.evita.api;

import java.util.List;

/** Columns that refer to a key of a table, position by position. */
public record ForeignKey(
    String name, List<String> columns, TableName target, List<String> targetColumns) {
  public ForeignKey {
    columns = List.copyOf(columns);
    targetColumns = List.copyOf(targetColumns);
    if (columns.size() != targetColumns.size()) {
      throw new IllegalArgumentException(
          "foreign key " + name + " has " + columns + " but refers to " + targetColumns);
    }
  }
}

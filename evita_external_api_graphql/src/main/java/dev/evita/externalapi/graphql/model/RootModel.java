// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.graphql.model;

import dev.evita.api.Column;
import dev.evita.api.Routine;
import java.util.List;
import java.util.Map;

/** The operation that a field of {@code query_root} represents. */
public sealed interface RootModel {

  /** Its name in the schema. */
  String name();

  /** Rows of a table. */
  record Rows(String name, TableModel table) implements RootModel {}

  /**
   * One row by its primary key.
   *
   * @param keys the key's columns, by their arguments' names
   */
  record ByKey(String name, TableModel table, Map<String, Column> keys) implements RootModel {}

  /** Aggregates over rows of a table, and these rows. */
  record Aggregate(String name, TableModel table) implements RootModel {}

  /**
   * Rows of a table page by page.
   *
   * @param key the columns that identify its rows
   */
  record Connection(String name, TableModel table, List<String> key) implements RootModel {
    public Connection {
      key = List.copyOf(key);
    }
  }

  /** Rows of a table in groups. */
  record Groups(String name, TableModel table) implements RootModel {}

  /**
   * A call.
   *
   * @param arguments the routine's parameters, by their arguments' names, in call order
   * @param typeName the object type of its rows
   * @param fields the result's columns, by their fields' names
   */
  record Call(
      String name,
      Routine routine,
      Map<String, Column> arguments,
      String typeName,
      Map<String, Column> fields)
      implements RootModel {}
}

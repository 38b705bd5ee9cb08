// SPDX-License-Identifier: Apache-2.0
package dev.evita.api;

import java.util.List;

/**
 * A term of an order.
 *
 * @param path single relationships from the table of the select to the one that has the column;
 *     empty for its own column. Rows without a related row have null there
 * @param column what is ordered by
 * @param direction which way
 * @param nulls where nulls go
 */
public record Order(List<Relationship> path, String column, Direction direction, Nulls nulls) {

  /** Which way. */
  public enum Direction {
    ASCENDING,
    DESCENDING
  }

  /** Where nulls go; the same on every engine. */
  public enum Nulls {
    FIRST,
    LAST
  }

  public Order {
    path = List.copyOf(path);
  }

  /** Smallest first, nulls last. */
  public static Order ascending(String column) {
    return new Order(List.of(), column, Direction.ASCENDING, Nulls.LAST);
  }

  /** Largest first, nulls first. */
  public static Order descending(String column) {
    return new Order(List.of(), column, Direction.DESCENDING, Nulls.FIRST);
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.evita.api;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A term of an order.
 *
 * @param path single relationships from the table of the select to the one that has the value;
 *     empty for its own. Rows without a related row have null there. Where the value is an
 *     aggregate, the last relationship may lead to many rows, and the aggregate is over these
 * @param value what is ordered by. An aggregate without a path is over the rows of a group, in a
 *     select with {@code groupBy} only
 * @param where what holds for the rows at the end of the path: others count as none; null for all
 * @param direction which way
 * @param nulls where nulls go
 */
public record Order(
    List<Relationship> path,
    Output.Value value,
    @Nullable Filter where,
    Direction direction,
    Nulls nulls) {

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

  /** By whatever is at the end of the path. */
  public Order(List<Relationship> path, Output.Value value, Direction direction, Nulls nulls) {
    this(path, value, null, direction, nulls);
  }

  /** By a column. */
  public Order(List<Relationship> path, String column, Direction direction, Nulls nulls) {
    this(path, new Output.Column(column), direction, nulls);
  }

  /** What is ordered by, as a value of the row: a position among the rows is made of these. */
  public Output output() {
    return path.isEmpty() ? value : new Output.Related(path, value, where);
  }

  /** The same term the other way round. */
  public Order reversed() {
    return new Order(
        path,
        value,
        where,
        direction == Direction.ASCENDING ? Direction.DESCENDING : Direction.ASCENDING,
        nulls == Nulls.FIRST ? Nulls.LAST : Nulls.FIRST);
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

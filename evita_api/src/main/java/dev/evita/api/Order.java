// SPDX-License-Identifier: Apache-2.0
package dev.evita.api;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A term of an order.
 *
 * @param path single relationships from the table of the select to the table of the value; empty
 *     for its own. For rows without a related row the value is null. If the value is an aggregate,
 *     the last relationship may lead to many rows, and the aggregate is over these
 * @param value the value to order by. An aggregate without a path is over the rows of a group, only
 *     in a select with {@code groupBy}
 * @param where a condition on the rows at the end of the path: others count as absent; null for all
 * @param direction the direction
 * @param nulls the position of nulls
 */
public record Order(
    List<Relationship> path,
    Output.Value value,
    @Nullable Filter where,
    Direction direction,
    Nulls nulls) {

  /** The direction. */
  public enum Direction {
    ASCENDING,
    DESCENDING
  }

  /** The position of nulls; the same on every engine. */
  public enum Nulls {
    FIRST,
    LAST
  }

  public Order {
    path = List.copyOf(path);
  }

  /** Orders by a value of any row at the end of the path. */
  public Order(List<Relationship> path, Output.Value value, Direction direction, Nulls nulls) {
    this(path, value, null, direction, nulls);
  }

  /** Orders by a column. */
  public Order(List<Relationship> path, String column, Direction direction, Nulls nulls) {
    this(path, new Output.Column(column), direction, nulls);
  }

  /** The order value as an output of the row; these outputs form a keyset position. */
  public Output output() {
    return path.isEmpty() ? value : new Output.Related(path, value, where);
  }

  /** The same term in the opposite direction. */
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

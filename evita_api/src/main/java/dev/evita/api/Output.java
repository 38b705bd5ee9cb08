// SPDX-License-Identifier: Apache-2.0
package dev.evita.api;

import java.util.List;

/** One slot of a row. */
public sealed interface Output {

  /** What a row can be ordered by. */
  sealed interface Value extends Output permits Column, Aggregate {}

  /** A column of the table. */
  record Column(String column) implements Value {}

  /**
   * A value of the row at the end of a path, or an aggregate over the rows there; as {@link Order}
   * has it.
   */
  record Related(List<Relationship> path, Value value) implements Output {
    public Related {
      path = List.copyOf(path);
    }
  }

  /**
   * Related rows, read by {@link Row#nested}.
   *
   * <p>Where {@link Relationship#single()}, at most one.
   */
  record Nested(Relationship relationship, Select select) implements Output {}

  /**
   * A value computed over the rows of a group.
   *
   * @param columns empty for {@code COUNT} of rows; several only for {@code COUNT}, which then
   *     counts the rows (with {@code distinct}: combinations) in which all of them are not null;
   *     else exactly one
   * @param distinct whether equal values count once
   */
  record Aggregate(Function function, List<String> columns, boolean distinct) implements Value {
    public Aggregate {
      columns = List.copyOf(columns);
    }
  }

  /**
   * How a group of values becomes one.
   *
   * <p>Nulls are left out. Over no values all but {@code COUNT} answer null.
   */
  enum Function {
    /** {@code INT64}. */
    COUNT,
    /** {@code INT64} or {@code DECIMAL} for exact types, which never overflows silently. */
    SUM,
    /** {@code DECIMAL} for exact types, else {@code FLOAT64}. */
    AVG,
    /** The column's type. */
    MIN,
    /** The column's type. */
    MAX
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.evita.api;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** One slot of a row. */
public sealed interface Output {

  /** A value that rows can be ordered by. */
  sealed interface Value extends Output permits Single, Aggregate {}

  /** A value of a single row. */
  sealed interface Single extends Value permits Column, Path {}

  /** A column of the table. */
  record Column(String column) implements Single {}

  /**
   * A value inside a column of JSON: {@code JSON}, or {@code TEXT}. Null if absent.
   *
   * @param steps from the outside to the inside; at least one
   * @param text whether the value is returned as text: a string without its quotes, and null for
   *     JSON's null
   */
  record Path(String column, List<Step> steps, boolean text) implements Single {
    public Path {
      steps = List.copyOf(steps);
      if (steps.isEmpty()) {
        throw new EvitaException(
            ErrorCode.INVALID_OPERATION, "The path into '" + column + "' has no steps");
      }
    }

    /** The type of its values. */
    public DataType type() {
      return text ? DataType.Scalar.TEXT : DataType.Scalar.JSON;
    }
  }

  /** A step into JSON. */
  sealed interface Step {

    /** The member of an object. */
    record Member(String name) implements Step {
      public Member {
        Values.requireWithoutNul(name, "the name of a member");
      }
    }

    /** The element of an array, zero-based; from the end if negative, the last being -1. */
    record Element(int index) implements Step {}
  }

  /**
   * A value of the row converted to another type. Not beside aggregates.
   *
   * <p>Numbers are converted to other numbers, rounded half away from zero or to even; integers and
   * booleans to one another; dates and timestamps to one another; and texts to any of these, a UUID
   * or JSON. A value that cannot be converted fails the execution, or the accessor that reads it,
   * with {@code INVALID_DATA} or {@code VALUE_OUT_OF_RANGE}; unrelated types fail with {@code
   * UNSUPPORTED_OPERATION}. As text, each value is read by {@link Row#textAt} without a cast.
   */
  record Cast(Single value, DataType.Scalar type) implements Output {}

  /**
   * A value of the row at the end of a path, or an aggregate over the rows there; see {@link
   * Order}.
   */
  record Related(List<Relationship> path, Value value, @Nullable Filter where) implements Output {
    public Related {
      path = List.copyOf(path);
    }

    /** A value of any row at the end of the path. */
    public Related(List<Relationship> path, Value value) {
      this(path, value, null);
    }
  }

  /** Related rows, read by {@link Row#nested}; at most one if {@link Relationship#single()}. */
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
   * An aggregate function.
   *
   * <p>Nulls are ignored. Over no values, all but {@code COUNT} return null.
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

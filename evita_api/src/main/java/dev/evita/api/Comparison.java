// SPDX-License-Identifier: Apache-2.0
package dev.evita.api;

/** A comparison operator. */
public enum Comparison {
  EQUAL(Kind.VALUE),
  NOT_EQUAL(Kind.VALUE),
  LESS(Kind.VALUE),
  LESS_OR_EQUAL(Kind.VALUE),
  GREATER(Kind.VALUE),
  GREATER_OR_EQUAL(Kind.VALUE),
  /** Equality for which null equals null. */
  NOT_DISTINCT(Kind.VALUE),
  /** SQL pattern with {@code %} and {@code _}, escaped by a backslash; case-sensitive. */
  LIKE(Kind.PATTERN),
  /** The same; case-insensitive. */
  ILIKE(Kind.PATTERN),
  /** Regular expression in the engine's dialect, found anywhere in the text; case-sensitive. */
  MATCHES(Kind.PATTERN),
  /** The same; case-insensitive. */
  IMATCHES(Kind.PATTERN),
  /**
   * An array contains all elements of the other, JSON all values of the other at the same paths, a
   * range the whole other range. A null element is contained in no array.
   */
  CONTAINS(Kind.SET),
  /** The converse. */
  CONTAINED_IN(Kind.SET),
  /** Two arrays have an element in common, two ranges a point. */
  OVERLAPS(Kind.SET),
  /** A range ends before the other begins. */
  LEFT_OF(Kind.SET),
  /** A range begins after the end of the other. */
  RIGHT_OF(Kind.SET),
  /** A range does not extend beyond the end of the other. */
  NOT_RIGHT_OF(Kind.SET),
  /** A range does not begin before the other. */
  NOT_LEFT_OF(Kind.SET),
  /** One range begins exactly where the other ends. */
  ADJACENT(Kind.SET);

  /** The kind of operands. */
  public enum Kind {
    /** Values of one type, by their order. */
    VALUE,
    /** A text and a pattern. */
    PATTERN,
    /** Composite values: arrays, JSON, ranges. */
    SET
  }

  private final Kind kind;

  Comparison(Kind kind) {
    this.kind = kind;
  }

  public Kind kind() {
    return kind;
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.evita.api;

/** How a value is compared. */
public enum Comparison {
  EQUAL(Kind.VALUE),
  NOT_EQUAL(Kind.VALUE),
  LESS(Kind.VALUE),
  LESS_OR_EQUAL(Kind.VALUE),
  GREATER(Kind.VALUE),
  GREATER_OR_EQUAL(Kind.VALUE),
  /** Equal, where null equals null. */
  NOT_DISTINCT(Kind.VALUE),
  /** SQL pattern with {@code %} and {@code _}, escaped by a backslash; case counts. */
  LIKE(Kind.PATTERN),
  /** The same; case does not count. */
  ILIKE(Kind.PATTERN),
  /** Regular expression of the engine's dialect, found anywhere in the text; case counts. */
  MATCHES(Kind.PATTERN),
  /** The same; case does not count. */
  IMATCHES(Kind.PATTERN),
  /**
   * An array has all elements of the other, JSON all that stands in the other at the same places, a
   * range the whole other. A null element is in no array.
   */
  CONTAINS(Kind.SET),
  /** The other way round. */
  CONTAINED_IN(Kind.SET),
  /** Two arrays have an element in common, two ranges a point. */
  OVERLAPS(Kind.SET),
  /** A range ends before the other begins. */
  LEFT_OF(Kind.SET),
  /** A range begins behind the end of the other. */
  RIGHT_OF(Kind.SET),
  /** A range does not end behind the other. */
  NOT_RIGHT_OF(Kind.SET),
  /** A range does not begin before the other. */
  NOT_LEFT_OF(Kind.SET),
  /** One range begins just where the other ends. */
  ADJACENT(Kind.SET);

  /** What is compared. */
  public enum Kind {
    /** Values of one type, by their order. */
    VALUE,
    /** A text with a pattern. */
    PATTERN,
    /** What is made of many: arrays, JSON, ranges. */
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

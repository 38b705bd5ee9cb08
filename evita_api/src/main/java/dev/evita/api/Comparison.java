// SPDX-License-Identifier: Apache-2.0
package dev.evita.api;

/** How a value is compared. */
public enum Comparison {
  EQUAL,
  NOT_EQUAL,
  LESS,
  LESS_OR_EQUAL,
  GREATER,
  GREATER_OR_EQUAL,
  /** Equal, where null equals null. */
  NOT_DISTINCT,
  /** SQL pattern with {@code %} and {@code _}, escaped by a backslash; case counts. */
  LIKE,
  /** The same; case does not count. */
  ILIKE,
  /** Regular expression of the engine's dialect, found anywhere in the text; case counts. */
  MATCHES,
  /** The same; case does not count. */
  IMATCHES,
  /**
   * An array has all elements of the other, JSON all that stands in the other at the same places, a
   * range the whole other. A null element is in no array.
   */
  CONTAINS,
  /** The other way round. */
  CONTAINED_IN,
  /** Two arrays have an element in common, two ranges a point. */
  OVERLAPS,
  /** A range ends before the other begins. */
  LEFT_OF,
  /** A range begins behind the end of the other. */
  RIGHT_OF,
  /** A range does not end behind the other. */
  NOT_RIGHT_OF,
  /** A range does not begin before the other. */
  NOT_LEFT_OF,
  /** One range begins just where the other ends. */
  ADJACENT
}

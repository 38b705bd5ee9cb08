// SPDX-License-Identifier: Apache-2.0
package dev.evita.api;

import java.util.List;

/**
 * The type of a value, as all protocols see it.
 *
 * <p>{@link Row} says by which accessor a value of each type is read, {@link Values} how it is
 * written as text.
 */
public sealed interface DataType {

  /** The types that need no further description. */
  enum Scalar implements DataType {
    BOOLEAN,
    INT16,
    INT32,
    INT64,
    /**
     * Exact decimal of any precision: {@link java.math.BigDecimal}. NaN and the infinities, which
     * some databases have among their decimals, are {@code Double}.
     */
    DECIMAL,
    FLOAT32,
    FLOAT64,
    TEXT,
    BINARY,
    DATE,
    TIME,
    TIME_TZ,
    TIMESTAMP,
    TIMESTAMP_TZ,
    /** A span of time as ISO-8601 text, for example {@code P1Y2M3DT4H5M6S}. */
    INTERVAL,
    UUID,
    /** JSON text, valid by the engine's word. */
    JSON
  }

  /**
   * An ordered list of values of one type; elements may be null. Where a database does not hold
   * columns to it, there are stored lists that are nested deeper, or less deep, than the type says;
   * these are read as they are.
   */
  record Array(DataType element) implements DataType {}

  /** One of a fixed list of labels, read as text. */
  record Enumeration(String name, List<String> labels) implements DataType {
    public Enumeration {
      labels = List.copyOf(labels);
    }
  }

  /**
   * A type of the engine's own, read and bound as the engine's text form.
   *
   * @param ordered whether values compare by an order that the engine has for the type; else they
   *     compare as their texts
   */
  record Other(String name, boolean ordered) implements DataType {}
}

// SPDX-License-Identifier: Apache-2.0
package dev.evita.api;

import java.util.List;

/**
 * The type of a value, as all protocols see it.
 *
 * <p>{@link Row} documents the accessor for each type, {@link Values} the text form.
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
    /** JSON text, as validated by the engine. */
    JSON
  }

  /**
   * An ordered list of values of one type; elements may be null. If a database does not enforce the
   * declared nesting depth, stored lists may be nested deeper or less deep than the type; these are
   * returned as stored.
   */
  record Array(DataType element) implements DataType {}

  /** One of a fixed list of labels, read as text. */
  record Enumeration(String name, List<String> labels) implements DataType {
    public Enumeration {
      labels = List.copyOf(labels);
    }
  }

  /**
   * An engine-specific type, read and bound in the engine's text form.
   *
   * @param ordered whether values compare by the type's order in the engine; else they compare as
   *     texts
   */
  record Other(String name, boolean ordered) implements DataType {}
}

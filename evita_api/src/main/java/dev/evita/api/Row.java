// SPDX-License-Identifier: Apache-2.0
package dev.evita.api;

import org.jspecify.annotations.Nullable;

/**
 * A row that is being pushed: values by slot, zero-based, without boxing.
 *
 * <p>Valid during {@link RowSink#row} only. Each accessor is for the types in its comment; for any
 * other, it returns the engine's conversion, or throws {@code STORED_VALUE_INVALID}. The primitive
 * accessors may be called only if {@link #isNull} is false.
 */
public interface Row {

  /** Whether the value is null. */
  boolean isNull(int slot);

  /** {@code BOOLEAN}. */
  boolean booleanAt(int slot);

  /** {@code INT16}, {@code INT32}, {@code INT64}. */
  long longAt(int slot);

  /** {@code FLOAT32}: a separate accessor, so that 0.1 is written as 0.1. */
  float floatAt(int slot);

  /** {@code FLOAT64}. */
  double doubleAt(int slot);

  /** {@code TEXT}, {@code JSON}, {@code INTERVAL}, enumerations and engine-specific types. */
  @Nullable String textAt(int slot);

  /** {@code BINARY}. The caller owns the array. */
  byte @Nullable [] binaryAt(int slot);

  /**
   * Any type, as the class that {@link Arguments} specifies for it; integers as {@code Long}, also
   * in lists.
   */
  @Nullable Object objectAt(int slot);

  /**
   * The related rows of a nested slot, before the first one.
   *
   * <p>The cursor is reused for the next call with the same slot.
   */
  RowCursor nested(int slot);
}

// SPDX-License-Identifier: Apache-2.0
package dev.evita.api;

import org.jspecify.annotations.Nullable;

/**
 * A row that is being pushed: values by slot, from 0, without boxing.
 *
 * <p>Valid during {@link RowSink#row} only. Each accessor is for the types it names; any other
 * answers what the engine can make of it, or throws {@code STORED_VALUE_INVALID}. The primitive
 * accessors may be called only where {@link #isNull} is false.
 */
public interface Row {

  /** Whether the value is null. */
  boolean isNull(int slot);

  /** {@code BOOLEAN}. */
  boolean booleanAt(int slot);

  /** {@code INT16}, {@code INT32}, {@code INT64}. */
  long longAt(int slot);

  /** {@code FLOAT32}: of its own, so that 0.1 is written as 0.1. */
  float floatAt(int slot);

  /** {@code FLOAT64}. */
  double doubleAt(int slot);

  /** {@code TEXT}, {@code JSON}, {@code INTERVAL}, enumerations and types of the engine's own. */
  @Nullable String textAt(int slot);

  /** {@code BINARY}. The array is the caller's. */
  byte @Nullable [] binaryAt(int slot);

  /**
   * Any type, as the class that {@link Arguments} names for it; integers as {@code Long}, also in
   * lists.
   */
  @Nullable Object objectAt(int slot);

  /**
   * The related rows of a nested slot, from the first.
   *
   * <p>The cursor is used again when the same slot is asked next.
   */
  RowCursor nested(int slot);
}

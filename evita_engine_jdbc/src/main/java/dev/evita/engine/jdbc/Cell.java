// SPDX-License-Identifier: Apache-2.0
package dev.evita.engine.jdbc;

import org.jspecify.annotations.Nullable;

/** A value that was read, without a box: which of its fields counts is {@link Codec#kind}'s say. */
final class Cell {

  boolean absent;
  long longValue;
  double doubleValue;
  @Nullable Object objectValue;

  /** {@link Codec.Kind#LONG}, and {@link Codec.Kind#BOOLEAN} as 0 or 1. */
  void set(long value) {
    longValue = value;
    objectValue = null;
    absent = false;
  }

  /** {@link Codec.Kind#DOUBLE} and {@link Codec.Kind#FLOAT}. */
  void set(double value) {
    doubleValue = value;
    objectValue = null;
    absent = false;
  }

  /** {@link Codec.Kind#OBJECT}, or null for any kind. */
  void set(@Nullable Object value) {
    objectValue = value;
    absent = value == null;
  }
}

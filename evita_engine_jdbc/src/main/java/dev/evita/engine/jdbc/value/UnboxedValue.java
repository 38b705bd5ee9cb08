// SPDX-License-Identifier: Apache-2.0
package dev.evita.engine.jdbc.value;

import org.jspecify.annotations.Nullable;

/** A value that was read, without a box: which of its fields counts is {@link Codec#kind}'s say. */
public final class UnboxedValue {

  public boolean absent;
  public long longValue;
  public double doubleValue;
  public @Nullable Object objectValue;

  /** {@link Codec.Kind#LONG}, and {@link Codec.Kind#BOOLEAN} as 0 or 1. */
  public void set(long value) {
    longValue = value;
    objectValue = null;
    absent = false;
  }

  /** {@link Codec.Kind#DOUBLE} and {@link Codec.Kind#FLOAT}. */
  public void set(double value) {
    doubleValue = value;
    objectValue = null;
    absent = false;
  }

  /** {@link Codec.Kind#OBJECT}, or null for any kind. */
  public void set(@Nullable Object value) {
    objectValue = value;
    absent = value == null;
  }
}

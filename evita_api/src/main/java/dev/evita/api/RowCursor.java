// SPDX-License-Identifier: Apache-2.0
package dev.evita.api;

/** A cursor over rows that are in memory; starts before the first one. */
public interface RowCursor extends Row {

  /** Moves to the next row; returns false after the last. */
  boolean next();
}

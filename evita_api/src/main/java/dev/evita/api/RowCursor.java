// SPDX-License-Identifier: Apache-2.0
package dev.evita.api;

/** Rows that are there already, one after another; starts before the first. */
public interface RowCursor extends Row {

  /** Moves to the next row, or answers false after the last. */
  boolean next();
}

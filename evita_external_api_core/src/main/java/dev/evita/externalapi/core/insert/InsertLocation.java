// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core.insert;

/**
 * The location of a row to insert in its request; creates exceptions in the terms of the protocol.
 * An exception created here rolls the insert back.
 */
public interface InsertLocation {

  /** A relationship sets a column that the row, or another relationship, sets too. */
  RuntimeException duplicateValue(String column);

  /** An upsert updates a column that the row does not set, and that has a default. */
  RuntimeException missingValue(String column);

  /** The row exists and is left unchanged, so that no related rows can be inserted. */
  RuntimeException conflictIgnored();
}

// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core.insert;

/**
 * Where a request has a row to insert: what is wrong with it is said in the words of its protocol.
 * A failure that is made here undoes the insert.
 */
public interface InsertLocation {

  /**
   * A relationship gives the column a value, which the row, or another relationship, gives, too.
   */
  RuntimeException givenTwice(String column);

  /** An upsert sets the column, which the row does not give, and which has a default. */
  RuntimeException notGiven(String column);

  /** The row exists and is left as it is, so that nothing can be inserted with it. */
  RuntimeException leftAsItIs();
}

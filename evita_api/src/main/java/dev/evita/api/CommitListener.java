// SPDX-License-Identifier: Apache-2.0
package dev.evita.api;

import java.util.Map;
import java.util.Set;

/**
 * Receives commits in their order: those made through the engine before they return to their
 * caller, those made outside the engine (by the application that embeds the database, by another
 * process) soon after. An engine that cannot detect the latter lacks {@link Capability#WATCH}.
 */
@FunctionalInterface
public interface CommitListener {

  /**
   * A transaction was committed.
   *
   * @param sequence increases by one with each commit that changed data
   * @param tables the tables whose rows were changed, or may have been
   */
  void committed(long sequence, Set<TableName> tables);

  /**
   * A transaction was committed, and the keys of some changed rows are known. An engine that knows
   * them calls this instead of {@link #committed(long, Set)}, never both.
   *
   * @param keys the keys of all inserted, updated or deleted rows of a table, for the tables for
   *     which they are known; of the others, any rows may have changed
   */
  default void committed(
      long sequence, Set<TableName> tables, Map<TableName, Set<KeyValues>> keys) {
    committed(sequence, tables);
  }
}

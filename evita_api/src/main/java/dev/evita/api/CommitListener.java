// SPDX-License-Identifier: Apache-2.0
package dev.evita.api;

import java.util.Map;
import java.util.Set;

/**
 * Is told of commits, in their order: those made through the engine before they return to their
 * caller, those made past it (by the program that embeds the database, by another process) soon
 * after. An engine that cannot notice the latter has no {@link Capability#WATCH}.
 */
@FunctionalInterface
public interface CommitListener {

  /**
   * A transaction was committed.
   *
   * @param sequence grows by one with each commit that changed something
   * @param tables the tables whose rows it changed, or may have changed
   */
  void committed(long sequence, Set<TableName> tables);

  /**
   * A transaction was committed, of some of whose rows the keys are known. An engine that knows
   * them calls this instead of {@link #committed(long, Set)}, never both.
   *
   * @param keys all rows of a table that it added, changed or removed, for those of the tables
   *     where that is sure; of the others, any rows may have changed
   */
  default void committed(
      long sequence, Set<TableName> tables, Map<TableName, Set<KeyValues>> keys) {
    committed(sequence, tables);
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.evita.api;

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
}

// SPDX-License-Identifier: Apache-2.0
package dev.evita.api;

import java.util.Set;

/** Is told of commits, in their order. */
@FunctionalInterface
public interface CommitListener {

  /**
   * A transaction was committed.
   *
   * @param sequence grows by one with each commit that changed something
   * @param tables the tables whose rows it changed
   */
  void committed(long sequence, Set<TableName> tables);
}

// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.rest;

import dev.evita.externalapi.core.NestedInsert;
import dev.evita.externalapi.core.TransactionRun;
import org.jspecify.annotations.Nullable;

/** Adds rows of several tables that refer to each other. */
final class NestedInsertMember implements Member {

  private final NestedInsert insert;
  private final WrittenRows written;
  private boolean begun;
  private boolean ended;

  /**
   * @param written takes the rows of the table that the URL names
   */
  NestedInsertMember(NestedInsert insert, WrittenRows written) {
    this.insert = insert;
    this.written = written;
  }

  @Override
  public double cost(int estimatedRows) {
    return insert.cost(estimatedRows);
  }

  @Override
  public TransactionRun.@Nullable Statement next() {
    if (!begun) {
      begun = true;
      written.begin();
    }
    var next = insert.next();
    if (next == null && !ended) {
      ended = true;
      written.end(insert.affected());
    }
    return next;
  }

  @Override
  public Answer answer() {
    return written.answer(insert.affectedRoots());
  }
}

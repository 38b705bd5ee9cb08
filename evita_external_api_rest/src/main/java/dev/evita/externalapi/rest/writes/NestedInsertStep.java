// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.rest.writes;

import dev.evita.externalapi.core.insert.NestedInsert;
import dev.evita.externalapi.core.transaction.TransactionExecution;
import dev.evita.externalapi.rest.response.BufferedResponse;
import dev.evita.externalapi.rest.response.TransactionStep;
import org.jspecify.annotations.Nullable;

/** Inserts rows of several tables that refer to each other. */
final class NestedInsertStep implements TransactionStep {

  private final NestedInsert insert;
  private final WriteResponseRows written;
  private Step step = Step.BEGIN;

  private enum Step {
    BEGIN,
    WRITE,
    ORDER,
    END
  }

  /**
   * @param written receives the rows of the table that the URL names
   */
  NestedInsertStep(NestedInsert insert, WriteResponseRows written) {
    this.insert = insert;
    this.written = written;
  }

  @Override
  public double cost(int estimatedRows) {
    return insert.cost(estimatedRows);
  }

  @Override
  public boolean sharesCommit() {
    return true;
  }

  @Override
  public TransactionExecution.@Nullable Statement next() {
    if (step == Step.BEGIN) {
      step = Step.WRITE;
      written.begin();
    }
    if (step == Step.WRITE) {
      var next = insert.next();
      if (next != null) {
        return next;
      }
      step = Step.ORDER;
      var order = written.orderAfter();
      if (order != null) {
        return order;
      }
    }
    if (step == Step.ORDER) {
      step = Step.END;
      written.end(insert.affected());
    }
    return null;
  }

  @Override
  public BufferedResponse response() {
    return written.response(insert.affectedRoots());
  }
}

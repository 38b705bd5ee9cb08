// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.rest.writes;

import dev.evita.api.Arguments;
import dev.evita.api.Prepared;
import dev.evita.api.Row;
import dev.evita.externalapi.core.limits.Quota;
import dev.evita.externalapi.core.transaction.TransactionExecution;
import dev.evita.externalapi.rest.response.BufferedResponse;
import dev.evita.externalapi.rest.response.TransactionStep;
import org.jspecify.annotations.Nullable;

/** Inserts, updates or deletes rows by one statement. */
final class WriteStep implements TransactionStep, TransactionExecution.Statement {

  private final WritePlan plan;
  private final WriteResponseRows written;
  private Step step = Step.BEGIN;
  private long affected;

  private enum Step {
    BEGIN,
    WRITE,
    ORDER,
    SHOW,
    END
  }

  /**
   * @param written receives the returned rows
   */
  WriteStep(WritePlan plan, WriteResponseRows written) {
    this.plan = plan;
    this.written = written;
  }

  @Override
  public double cost(int estimatedRows) {
    return plan.cost(estimatedRows);
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
      var order = written.orderBefore();
      if (order != null) {
        return order;
      }
    }
    if (step == Step.WRITE) {
      step = Step.ORDER;
      return this;
    }
    if (step == Step.ORDER) {
      step = Step.SHOW;
      var order = written.orderAfter();
      if (order != null) {
        return order;
      }
    }
    if (step == Step.SHOW) {
      step = Step.END;
      written.end(affected);
    }
    return null;
  }

  @Override
  public Prepared prepared() {
    return plan.prepared();
  }

  @Override
  public Arguments arguments() {
    return plan.arguments();
  }

  @Override
  public void row(Row row, Quota held) {
    written.row(row, held);
  }

  @Override
  public void completed(long changed) {
    affected = changed;
  }

  @Override
  public BufferedResponse response() {
    return written.response(affected);
  }
}

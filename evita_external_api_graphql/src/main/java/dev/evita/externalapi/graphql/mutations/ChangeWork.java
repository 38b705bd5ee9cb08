// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.graphql.mutations;

import dev.evita.api.Arguments;
import dev.evita.api.Prepared;
import dev.evita.api.Row;
import dev.evita.externalapi.core.json.JsonWriter;
import dev.evita.externalapi.core.limits.Quota;
import dev.evita.externalapi.core.transaction.TransactionExecution;
import dev.evita.externalapi.graphql.plan.MutationWork;
import dev.evita.externalapi.graphql.plan.RowSource;
import org.jspecify.annotations.Nullable;

/** One statement that changes rows and returns those of the response: an update, delete or call. */
final class ChangeWork implements MutationWork, TransactionExecution.Statement {

  private final RowSource.Bound bound;
  private final MutationShape shape;
  private final ReturnedRows rows;
  private boolean begun;
  private long affected;

  ChangeWork(RowSource.Bound bound, MutationShape shape) {
    this.bound = bound;
    this.shape = shape;
    this.rows = new ReturnedRows(shape.shapes());
  }

  @Override
  public double cost() {
    return bound.cost();
  }

  @Override
  public TransactionExecution.@Nullable Statement next() {
    if (begun) {
      return null;
    }
    begun = true;
    return this;
  }

  @Override
  public Prepared prepared() {
    return bound.prepared();
  }

  @Override
  public Arguments arguments() {
    return bound.arguments();
  }

  @Override
  public void row(Row row, Quota quota) {
    if (!shape.shapes().isEmpty()) {
      rows.add(row, quota);
    }
  }

  @Override
  public void completed(long changed) {
    affected = changed;
  }

  @Override
  public void write(JsonWriter json) {
    shape.write(json, affected, rows);
  }
}

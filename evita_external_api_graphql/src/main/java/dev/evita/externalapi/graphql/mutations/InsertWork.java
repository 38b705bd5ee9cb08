// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.graphql.mutations;

import dev.evita.externalapi.core.insert.NestedInsert;
import dev.evita.externalapi.core.json.JsonWriter;
import dev.evita.externalapi.core.transaction.TransactionExecution;
import dev.evita.externalapi.graphql.plan.MutationWork;
import org.jspecify.annotations.Nullable;

/**
 * An insert, with all that is nested in it.
 *
 * @param estimatedRows what a list without a limit is taken for
 */
record InsertWork(NestedInsert insert, int estimatedRows, MutationShape shape, ReturnedRows rows)
    implements MutationWork {

  @Override
  public double cost() {
    return insert.cost(estimatedRows);
  }

  @Override
  public TransactionExecution.@Nullable Statement next() {
    return insert.next();
  }

  @Override
  public void write(JsonWriter json) {
    shape.write(json, insert.affected(), rows);
  }
}

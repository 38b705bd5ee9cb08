// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.graphql.mutations;

import dev.evita.externalapi.core.json.JsonWriter;
import dev.evita.externalapi.core.transaction.TransactionExecution;
import dev.evita.externalapi.graphql.plan.MutationWork;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Several updates, one after another, answered in a list. */
final class UpdateManyWork implements MutationWork {

  private final List<? extends MutationWork> updates;
  private int current;

  UpdateManyWork(List<? extends MutationWork> updates) {
    this.updates = updates;
  }

  @Override
  public double cost() {
    return updates.stream().mapToDouble(MutationWork::cost).sum();
  }

  @Override
  public TransactionExecution.@Nullable Statement next() {
    while (current < updates.size()) {
      var statement = updates.get(current).next();
      if (statement != null) {
        return statement;
      }
      current++;
    }
    return null;
  }

  @Override
  public void write(JsonWriter json) {
    json.raw('[');
    for (int i = 0; i < updates.size(); i++) {
      if (i > 0) {
        json.raw(',');
      }
      updates.get(i).write(json);
    }
    json.raw(']');
  }
}

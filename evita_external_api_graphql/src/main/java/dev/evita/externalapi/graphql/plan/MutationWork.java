// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.graphql.plan;

import dev.evita.externalapi.core.json.JsonWriter;
import dev.evita.externalapi.core.limits.Cost;
import dev.evita.externalapi.core.transaction.TransactionExecution;
import org.jspecify.annotations.Nullable;

/**
 * The execution of a mutation's root field: its statements, one after another. Used by one thread
 * at a time.
 */
public interface MutationWork {

  /** The total cost of its statements, as {@link Cost} estimates it. */
  double cost();

  /** Returns the next statement, once the previous one has ended; null if there is none left. */
  TransactionExecution.@Nullable Statement next();

  /** Writes the field's value, once there are no statements left. */
  void write(JsonWriter json);
}

// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.graphql.plan;

import dev.evita.externalapi.core.json.JsonWriter;
import dev.evita.externalapi.core.limits.Cost;
import dev.evita.externalapi.core.transaction.TransactionExecution;
import org.jspecify.annotations.Nullable;

/**
 * A root field of a mutation under way: the statements that it takes, one after another. Used by
 * one thread at a time.
 */
public interface MutationWork {

  /** What its statements cost together, as {@link Cost} estimates it. */
  double cost();

  /** The next statement, once the one before has ended; null where there is none left. */
  TransactionExecution.@Nullable Statement next();

  /** Writes the field's value, once there are no statements left. */
  void write(JsonWriter json);
}

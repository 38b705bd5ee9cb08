// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.graphql;

import dev.evita.api.Arguments;
import dev.evita.api.Prepared;
import dev.evita.api.Row;
import dev.evita.externalapi.core.Cost;
import dev.evita.externalapi.core.JsonWriter;
import org.jspecify.annotations.Nullable;

/**
 * A root field of a mutation under way: the statements that it takes, one after another. Used by
 * one thread at a time.
 */
interface MutationWork {

  /**
   * A statement of it. Its rows come as by {@link dev.evita.api.RowSink}; what these methods throw
   * ends the mutation.
   */
  interface Statement {

    Prepared prepared();

    Arguments arguments();

    /**
     * A row.
     *
     * @param row valid during this call only
     * @param answer counts what is held for the answer
     */
    void row(Row row, HeldAnswer answer);

    /** All rows were given, and so many were changed. */
    void completed(long affected);
  }

  /** What its statements cost together, as {@link Cost} estimates it. */
  double cost();

  /** The next statement, once the one before has ended; null where there is none left. */
  @Nullable Statement next();

  /** Writes the field's value, once there are no statements left. */
  void write(JsonWriter json);
}

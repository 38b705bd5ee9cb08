// SPDX-License-Identifier: Apache-2.0
package dev.evita.api;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A stored function or procedure that answers rows.
 *
 * @param schema the exact schema name
 * @param name the exact routine name
 * @param parameters in call order
 * @param result the columns of the rows it answers; at least one
 * @param returnsMany whether it answers any number of rows, or exactly one
 * @param readOnly whether it changes nothing, so that a query may call it
 */
public record Routine(
    String schema,
    String name,
    List<Column> parameters,
    List<Column> result,
    boolean returnsMany,
    boolean readOnly,
    @Nullable String comment) {
  public Routine {
    parameters = List.copyOf(parameters);
    result = List.copyOf(result);
  }
}

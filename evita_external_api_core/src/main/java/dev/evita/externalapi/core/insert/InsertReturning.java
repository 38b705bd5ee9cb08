// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core.insert;

import dev.evita.api.Output;
import dev.evita.api.Row;
import dev.evita.externalapi.core.limits.Quota;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Receives the values to return of inserted rows. Used by one thread at a time. */
public interface InsertReturning {

  /**
   * The outputs to return of each row.
   *
   * @param arguments the arguments of the outputs' parameters, by index
   */
  record Selection(List<Output> outputs, List<@Nullable Object> arguments) {
    public Selection {
      outputs = List.copyOf(outputs);
      arguments = Collections.unmodifiableList(new ArrayList<>(arguments));
    }
  }

  /** The outputs to return; an exception rejects the insert. */
  Selection selection();

  /**
   * Renders a row, whose first slots hold the outputs.
   *
   * @param row valid during this call only
   * @param held counts the row against the limits
   * @return adds the row to the response; called at most once
   */
  Runnable render(Row row, Quota held);

  /** The exception for rows without a key by which they can be read again. */
  RuntimeException withoutKey();
}

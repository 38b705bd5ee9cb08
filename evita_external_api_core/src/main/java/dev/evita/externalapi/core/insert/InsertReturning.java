// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core.insert;

import dev.evita.api.Output;
import dev.evita.api.Row;
import dev.evita.externalapi.core.limits.Quota;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What is asked about inserted rows, and who takes it. Used by one thread at a time. */
public interface InsertReturning {

  /**
   * What is to come back of each row.
   *
   * @param arguments those of its parameters, by their index
   */
  record Asked(List<Output> outputs, List<@Nullable Object> arguments) {
    public Asked {
      outputs = List.copyOf(outputs);
      arguments = Collections.unmodifiableList(new ArrayList<>(arguments));
    }
  }

  /** What is asked; what it throws refuses the insert. */
  Asked asked();

  /**
   * Renders a row, whose first slots hold what was asked for.
   *
   * @param row valid during this call only
   * @param held counts it against the limits
   * @return what puts the row next into the answer; called once at most
   */
  Runnable render(Row row, Quota held);

  /** Says that rows have no key by which to read them again for what was asked. */
  RuntimeException withoutKey();
}

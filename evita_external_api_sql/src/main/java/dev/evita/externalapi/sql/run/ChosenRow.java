// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.sql.run;

import dev.evita.api.Row;
import dev.evita.externalapi.sql.outcome.HandlerOutcome;
import org.jspecify.annotations.Nullable;

/**
 * The row of a handler that is its response: the one with the highest priority, the first among
 * equals. Used by one thread at a time.
 */
public final class ChosenRow {

  private final SqlHandler handler;
  private @Nullable HandlerOutcome outcome;

  public ChosenRow(SqlHandler handler) {
    this.handler = handler;
  }

  /**
   * Reads a row if it has a higher priority than those before.
   *
   * @return whether a later row may have a higher one
   * @throws dev.evita.api.EvitaException {@code INVALID_HANDLER_RESPONSE}
   */
  public boolean add(Row row) {
    var best = outcome;
    if (best == null || handler.columns().priority(row) > best.priority()) {
      outcome = handler.columns().read(row);
    }
    return !handler.columns().firstRowWins();
  }

  /** Its response; null if there was no row. */
  public @Nullable HandlerOutcome outcome() {
    return outcome;
  }
}

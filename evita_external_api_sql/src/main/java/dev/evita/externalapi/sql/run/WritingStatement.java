// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.sql.run;

import dev.evita.api.Arguments;
import dev.evita.api.Prepared;
import dev.evita.api.Row;
import dev.evita.externalapi.core.limits.Quota;
import dev.evita.externalapi.sql.outcome.HandlerOutcome;
import org.jspecify.annotations.Nullable;

/** A handler in SQL that may write. */
final class WritingStatement implements HandlerStatement {

  private final SqlHandler handler;
  private final Arguments arguments;
  private ChosenRow chosen;

  WritingStatement(SqlHandler handler, Arguments arguments) {
    this.handler = handler;
    this.arguments = arguments;
    this.chosen = new ChosenRow(handler);
  }

  @Override
  public Prepared prepared() {
    return handler.query();
  }

  @Override
  public Arguments arguments() {
    return arguments;
  }

  @Override
  public void row(Row row, Quota held) {
    held.count();
    chosen.add(row);
  }

  @Override
  public void completed(long affected) {}

  @Override
  public @Nullable HandlerOutcome outcome() {
    return chosen.outcome();
  }

  @Override
  public void restart() {
    chosen = new ChosenRow(handler);
  }
}

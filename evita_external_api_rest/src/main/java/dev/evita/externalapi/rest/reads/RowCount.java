// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.rest.reads;

import dev.evita.api.Arguments;
import dev.evita.api.Prepared;
import dev.evita.api.Row;
import dev.evita.externalapi.core.limits.Quota;
import dev.evita.externalapi.core.transaction.TransactionExecution;
import dev.evita.externalapi.rest.request.RowWindow;

/** Counts all rows before those of a window are read. Used once, by one thread at a time. */
public final class RowCount implements TransactionExecution.Statement {

  private final Prepared count;
  private final Arguments arguments;
  private final RowWindow window;
  private long total = RowWindow.UNKNOWN;

  public RowCount(Prepared count, Arguments arguments, RowWindow window) {
    this.count = count;
    this.arguments = arguments;
    this.window = window;
  }

  /** How many there are; {@link RowWindow#UNKNOWN} before it is run. */
  public long total() {
    return total;
  }

  @Override
  public Prepared prepared() {
    return count;
  }

  @Override
  public Arguments arguments() {
    return arguments;
  }

  @Override
  public void row(Row row, Quota held) {
    total = row.longAt(0);
  }

  /**
   * {@inheritDoc}
   *
   * @throws RestFailure 416 where the window begins behind all rows
   */
  @Override
  public void completed(long affected) {
    window.requireStart(total);
  }
}

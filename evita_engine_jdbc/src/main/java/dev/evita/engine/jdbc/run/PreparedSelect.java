// SPDX-License-Identifier: Apache-2.0
package dev.evita.engine.jdbc.run;

import dev.evita.api.Arguments;
import dev.evita.api.Prepared;
import dev.evita.api.RowShape;
import dev.evita.api.RowSink;
import dev.evita.api.Select;
import dev.evita.api.Transaction;
import dev.evita.engine.jdbc.dialect.SchemaGuard;
import dev.evita.engine.jdbc.sql.BoundednessCheck;
import dev.evita.engine.jdbc.sql.SelectLevel;
import org.jspecify.annotations.Nullable;

/** A compiled select. */
public final class PreparedSelect implements Prepared {

  private final EngineContext backend;
  private final Select select;
  private final SelectLevel level;
  private final BoundednessCheck bounds;
  private final SchemaGuard guard;

  public PreparedSelect(
      EngineContext backend, Select select, SelectLevel level, BoundednessCheck bounds) {
    this.backend = backend;
    this.select = select;
    this.level = level;
    this.bounds = bounds;
    this.guard = backend.dialect().catalog().guard(select.tables());
  }

  @Override
  public Select operation() {
    return select;
  }

  @Override
  public RowShape shape() {
    return level.shape();
  }

  @Override
  public boolean bounded(Arguments arguments) {
    return bounds.bounded(arguments) && backend.leases().isReady();
  }

  @Override
  public void run(Arguments arguments, @Nullable Transaction transaction, RowSink sink) {
    var own = (JdbcTransaction) transaction;
    var run =
        level.flat()
            ? new StreamingExecution(
                backend, guard, level, bounds.small(arguments), arguments, own, sink)
            : new BufferedExecution(backend, guard, level, arguments, own, sink);
    run.start();
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.evita.engine.jdbc.run;

import dev.evita.api.Arguments;
import dev.evita.api.Operation;
import dev.evita.api.Prepared;
import dev.evita.api.RowShape;
import dev.evita.api.RowSink;
import dev.evita.api.Transaction;
import dev.evita.engine.jdbc.dialect.SchemaGuard;
import dev.evita.engine.jdbc.sql.CompiledWrite;
import dev.evita.engine.jdbc.sql.SelectLevel;
import org.jspecify.annotations.Nullable;

/**
 * A compiled insert, update or delete.
 *
 * @param level what comes back
 * @param rows which rows it changes
 * @param guard of all tables that it has to do with
 */
public record PreparedWrite(
    EngineContext backend,
    Operation operation,
    SelectLevel level,
    CompiledWrite writing,
    AffectedRows rows,
    SchemaGuard guard)
    implements Prepared {

  @Override
  public RowShape shape() {
    return level.shape();
  }

  /** Never: a write may wait for another's lock. */
  @Override
  public boolean bounded(Arguments arguments) {
    return false;
  }

  @Override
  public void run(Arguments arguments, @Nullable Transaction transaction, RowSink sink) {
    new WriteExecution(this, arguments, (JdbcTransaction) transaction, sink).start();
  }
}

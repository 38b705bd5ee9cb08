// SPDX-License-Identifier: Apache-2.0
package dev.evita.engine.jdbc.run;

import dev.evita.api.Arguments;
import dev.evita.api.EvitaException;
import dev.evita.api.RowSink;
import dev.evita.api.TransactionOptions;
import dev.evita.engine.jdbc.dialect.SchemaGuard;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * A call of a routine that is declared as read-only: the database rejects its writes or, if it
 * cannot detect them, rolls them back at the end.
 */
final class ReadOnlyCallExecution extends StreamingExecution {

  ReadOnlyCallExecution(
      PreparedCall prepared,
      Arguments arguments,
      @Nullable JdbcTransaction transaction,
      RowSink sink) {
    super(
        prepared.backend(),
        SchemaGuard.NONE,
        prepared.level(),
        !prepared.routine().returnsMany(),
        arguments,
        transaction,
        sink);
  }

  @Override
  boolean begin() throws SQLException {
    if (transaction != null) {
      return false;
    }
    backend.dialect().sessions().begin(lease().connection(), TransactionOptions.READ_ONLY);
    return true;
  }

  @Override
  void rollback() throws SQLException {
    super.rollback();
    backend
        .dialect()
        .sessions()
        .afterTransaction(lease().connection(), TransactionOptions.READ_ONLY, 0);
  }

  @Override
  EvitaException translate(Throwable failure) {
    return backend.errors().translateCall(failure);
  }
}

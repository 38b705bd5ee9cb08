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
 * A call of a routine that says that it only reads: what it writes all the same, the database
 * refuses or, where it cannot tell, takes back at the end.
 */
final class ReadOnlyCallExecution extends StreamingExecution {

  private static final TransactionOptions READ_ONLY =
      new TransactionOptions(TransactionOptions.Isolation.DEFAULT, true);

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
    backend.dialect().sessions().begin(lease().connection(), READ_ONLY);
    return true;
  }

  @Override
  void rollback() throws SQLException {
    super.rollback();
    backend.dialect().sessions().afterTransaction(lease().connection(), READ_ONLY, 0);
  }

  @Override
  EvitaException translate(Throwable failure) {
    return backend.errors().translateCall(failure);
  }
}

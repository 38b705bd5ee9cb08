// SPDX-License-Identifier: Apache-2.0
package dev.evita.engine.jdbc.run;

import dev.evita.api.Arguments;
import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import dev.evita.api.RowSink;
import dev.evita.api.TransactionOptions;
import dev.evita.engine.jdbc.dialect.SchemaGuard;
import dev.evita.engine.jdbc.dialect.SessionRules;
import dev.evita.engine.jdbc.value.ColumnarRows;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * A call of a routine that may write: all or nothing, and over before the sink gets the first row,
 * as a {@link WriteExecution} is. Any tables may have been written.
 */
final class WritingCallExecution extends BufferedExecution {

  private static final String SAVEPOINT = "evita_call";

  private final PreparedCall prepared;
  private boolean ownTransaction;
  private boolean savepoint;

  WritingCallExecution(
      PreparedCall prepared,
      Arguments arguments,
      @Nullable JdbcTransaction transaction,
      RowSink sink) {
    super(prepared.backend(), SchemaGuard.NONE, prepared.level(), arguments, transaction, sink);
    this.prepared = prepared;
  }

  @Override
  void open() throws SQLException {
    begin();
    var data = new LevelData(prepared.level());
    call(data.block);
    present(data);
    commit();
  }

  /** What the routine does are several statements, of which a failure must leave none. */
  private void begin() throws SQLException {
    backend.requireWritable();
    var connection = lease().connection();
    if (transaction == null) {
      backend.dialect().sessions().begin(connection, TransactionOptions.DEFAULT);
      ownTransaction = true;
      return;
    }
    if (transaction.options().readOnly() && !backend.dialect().sessions().refusesWrites()) {
      throw new EvitaException(
          ErrorCode.READ_ONLY,
          "'%s' may write and is called in a read-only transaction"
              .formatted(prepared.routine().name()));
    }
    SessionRules.execute(connection, "savepoint " + SAVEPOINT);
    savepoint = true;
  }

  /** A procedure that answers nothing has no result either. */
  private void call(ColumnarRows into) throws SQLException {
    var sql = prepared.level().all();
    var statement = lease().prepare(sql.sql());
    try {
      sql.bind(statement, arguments, null);
      executing(statement);
      if (!statement.execute()) {
        into.appendEmpty(new boolean[prepared.level().columns().length]);
        return;
      }
      try (ResultSet rows = statement.getResultSet()) {
        while (rows.next()) {
          hold(1);
          into.append(rows);
        }
      }
    } finally {
      executed();
      lease().release(statement, true);
    }
  }

  private void commit() throws SQLException {
    var connection = lease().connection();
    if (transaction != null) {
      SessionRules.execute(connection, "release savepoint " + SAVEPOINT);
      savepoint = false;
      if (!transaction.options().readOnly()) {
        transaction.touched().anything();
      }
      return;
    }
    var touched = new WriteSet();
    touched.anything();
    committing();
    backend.commits().commit(touched, () -> backend.commit(connection));
    ownTransaction = false;
    awaitDurable();
  }

  @Override
  EvitaException translate(Throwable failure) {
    return backend.errors().translateCall(failure);
  }

  @Override
  void close(boolean success) throws SQLException {
    var connection = lease().connection();
    if (ownTransaction) {
      backend.rollback(connection);
    }
    if (savepoint) {
      SessionRules.execute(connection, "rollback to savepoint " + SAVEPOINT);
    }
  }
}

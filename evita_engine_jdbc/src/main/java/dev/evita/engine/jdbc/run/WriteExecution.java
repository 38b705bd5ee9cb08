// SPDX-License-Identifier: Apache-2.0
package dev.evita.engine.jdbc.run;

import dev.evita.api.Arguments;
import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import dev.evita.api.Insert;
import dev.evita.api.RowSink;
import dev.evita.api.Table;
import dev.evita.api.TransactionOptions;
import dev.evita.engine.jdbc.dialect.SessionRules;
import dev.evita.engine.jdbc.sql.CompiledWrite;
import dev.evita.engine.jdbc.sql.SelectLevel;
import dev.evita.engine.jdbc.value.ColumnarRows;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * A write: all of its statements and the reading of related rows in one transaction, which is over
 * before the sink gets the first row. So a slow client holds no locks.
 *
 * <p>A single statement that nobody listens to, nor has to take back, runs in autocommit. Within a
 * transaction of the caller's, several statements stand under a savepoint: all or none of them.
 */
final class WriteExecution extends BufferedExecution {

  private static final String SAVEPOINT = "evita_write";

  /** Of an upsert; a row that is still in the way after so many is another key's. */
  private static final int MOST_ATTEMPTS = 5;

  private final PreparedWrite prepared;
  private final SelectLevel level;
  private final CompiledWrite writing;
  private boolean ownTransaction;
  private boolean savepoint;
  private long changed;

  WriteExecution(
      PreparedWrite prepared,
      Arguments arguments,
      @Nullable JdbcTransaction transaction,
      RowSink sink) {
    super(prepared.backend(), prepared.guard(), prepared.level(), arguments, transaction, sink);
    this.prepared = prepared;
    this.level = prepared.level();
    this.writing = prepared.writing();
  }

  @Override
  void open() throws SQLException {
    lease().beginWrite();
    try {
      write();
    } finally {
      lease().endWrite();
    }
  }

  /** The messages of some databases name parts of their own code here, and no table. */
  @Override
  EvitaException translate(Throwable failure) {
    var told = super.translate(failure);
    return told.code() == ErrorCode.UNSUPPORTED_OPERATION && isView()
        ? new EvitaException(
            told.code(),
            "View '"
                + backend.catalog().get().apiName(writing.table())
                + "' does not support this write; write to the tables that it reads",
            told.details(),
            told.hint(),
            failure)
        : told;
  }

  private boolean isView() {
    return backend.catalog().get().table(writing.table()).stream()
        .anyMatch(table -> table.kind() == Table.Kind.VIEW);
  }

  private void write() throws SQLException {
    begin();
    var data = new LevelData(level);
    var returns = level.part().slots().length > 0;
    changed =
        writing.write(
            arguments, (sql, binder) -> execute(sql, binder, returns ? data.block : null));
    if (returns) {
      present(data);
    } else {
      present(new LevelData(level));
    }
    requireSameTables();
    commit();
  }

  private void begin() throws SQLException {
    backend.requireWritable();
    var connection = lease().connection();
    if (transaction != null) {
      if (transaction.options().readOnly()) {
        throw new EvitaException(
            ErrorCode.READ_ONLY, "'" + writing.table() + "' is written in a read-only transaction");
      }
      if (writing.several(arguments)) {
        SessionRules.execute(connection, "savepoint " + SAVEPOINT);
        savepoint = true;
      }
      return;
    }
    if (!level.flat() || guarded() || backend.commits().watched() || writing.several(arguments)) {
      backend.dialect().sessions().begin(connection, TransactionOptions.DEFAULT);
      ownTransaction = true;
    } else {
      committing(); // with its only statement
    }
  }

  private void commit() throws SQLException {
    var connection = lease().connection();
    if (savepoint) {
      SessionRules.execute(connection, "release savepoint " + SAVEPOINT);
      savepoint = false;
    }
    if (transaction != null) {
      note(transaction.touched());
      return;
    }
    if (ownTransaction) {
      var touched = new WriteSet();
      note(touched);
      committing();
      backend.commits().commit(touched, () -> backend.commit(connection));
      ownTransaction = false;
    }
    awaitDurable();
  }

  private void note(WriteSet touched) {
    if (changed > 0) {
      prepared.rows().note(arguments, touched);
    }
  }

  /** An upsert that lost a race finds the other's row when it looks again. */
  private long execute(String sql, CompiledWrite.Binder binder, @Nullable ColumnarRows returned)
      throws SQLException {
    for (int attempt = 1; ; attempt++) {
      try {
        return executeOnce(sql, binder, returned);
      } catch (SQLException e) {
        if (attempt == MOST_ATTEMPTS || !lostRace(e)) {
          throw e;
        }
      }
    }
  }

  private boolean lostRace(SQLException failure) {
    return backend.dialect().writes().upsertLosesRaces()
        && prepared.operation() instanceof Insert insert
        && insert.onConflict() != null
        && translate(failure).code() == ErrorCode.UNIQUE_VIOLATION;
  }

  private long executeOnce(String sql, CompiledWrite.Binder binder, @Nullable ColumnarRows returned)
      throws SQLException {
    var statement = lease().prepare(sql);
    try {
      binder.bind(statement);
      executing(statement);
      lease().beginWrite();
      if (returned == null) {
        return statement.executeUpdate();
      }
      try (ResultSet rows = statement.executeQuery()) {
        long count = 0;
        while (rows.next()) {
          hold(1);
          returned.append(rows);
          count++;
        }
        return count;
      }
    } finally {
      executed();
      lease().release(statement, true);
    }
  }

  @Override
  long affected(long rowsGiven) {
    return changed;
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

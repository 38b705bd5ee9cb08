// SPDX-License-Identifier: Apache-2.0
package dev.evita.engine.jdbc.run;

import dev.evita.api.Arguments;
import dev.evita.api.Row;
import dev.evita.api.RowShape;
import dev.evita.api.RowSink;
import dev.evita.engine.jdbc.dialect.SchemaGuard;
import dev.evita.engine.jdbc.sql.SelectLevel;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A select of one statement, or a call that reads: from the cursor to the sink in constant memory.
 */
class StreamingExecution extends JdbcExecution {

  private final SelectLevel level;
  private final boolean small;
  private @Nullable PreparedStatement statement;
  private @Nullable ResultSet result;
  private @Nullable ResultRow row;
  private boolean ended;
  private boolean ownTransaction;

  /**
   * A run to be started.
   *
   * @param small whether the result surely is: then it needs no cursor on the server
   */
  StreamingExecution(
      EngineContext backend,
      SchemaGuard guard,
      SelectLevel level,
      boolean small,
      Arguments arguments,
      @Nullable JdbcTransaction transaction,
      RowSink sink) {
    super(backend, guard, arguments, transaction, sink);
    this.level = level;
    this.small = small;
  }

  @Override
  public RowShape shape() {
    return level.shape();
  }

  @Override
  void open() throws SQLException {
    var sql = level.all();
    var dialect = backend.dialect();
    ownTransaction = begin();
    var prepared = lease().prepare(sql.sql());
    statement = prepared;
    if (dialect.sessions().fetchSize() > 0) {
      prepared.setFetchSize(small ? 0 : dialect.sessions().fetchSize());
    }
    sql.bind(prepared, arguments, null);
    executing(prepared);
    var rows = prepared.executeQuery();
    result = rows;
    row = ResultRow.of(rows, level.columns(), level.part(), backend.errors());
  }

  /** Begins a transaction of its own where there must be one. Answers whether it did. */
  boolean begin() throws SQLException {
    if (small || transaction != null || !backend.dialect().sessions().streamsInTransactionOnly()) {
      return false;
    }
    lease().connection().setAutoCommit(false);
    return true;
  }

  /** Ends the transaction of its own. */
  void rollback() throws SQLException {
    backend.rollback(lease().connection());
  }

  @Override
  boolean advance() throws SQLException {
    if (Objects.requireNonNull(row).advance()) {
      return true;
    }
    ended = true;
    requireSameTables();
    return false;
  }

  @Override
  Row row() {
    return Objects.requireNonNull(row);
  }

  @Override
  void close(boolean success) throws SQLException {
    try {
      if (result != null) {
        result.close();
      }
      if (statement != null) {
        lease().release(statement, ended);
      }
    } finally {
      if (ownTransaction) {
        rollback();
      }
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.evita.engine.jdbc.run;

import dev.evita.api.Arguments;
import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import dev.evita.api.Row;
import dev.evita.api.RowShape;
import dev.evita.api.RowSink;
import dev.evita.api.Table;
import dev.evita.api.TransactionOptions;
import dev.evita.engine.jdbc.dialect.SchemaGuard;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The statements of a native query, one after another; the rows of the last one go to the sink from
 * its cursor.
 *
 * <p>A query whose effects its text does not rule out runs in a read-only transaction of its own,
 * which is rolled back. The tables that a writing query changes are unknown, so listeners are
 * notified of all.
 */
final class NativeQueryExecution extends JdbcExecution {

  private final PreparedNativeQuery prepared;
  private long changed;
  private boolean wrote;
  private boolean ownTransaction;
  private boolean ended;
  private @Nullable PreparedStatement statement;
  private @Nullable ResultSet result;
  private @Nullable ResultRow row;

  NativeQueryExecution(
      EngineContext backend,
      PreparedNativeQuery prepared,
      Arguments arguments,
      @Nullable JdbcTransaction transaction,
      RowSink sink) {
    super(backend, SchemaGuard.NONE, arguments, transaction, sink);
    this.prepared = prepared;
  }

  @Override
  public RowShape shape() {
    return prepared.shape();
  }

  @Override
  void open() throws SQLException {
    if (transaction == null && !prepared.pure()) {
      backend.dialect().sessions().begin(lease().connection(), TransactionOptions.READ_ONLY);
      ownTransaction = true;
    }
    for (var each : prepared.statements()) {
      requireAllowed(each);
      execute(each, each.equals(prepared.statements().getLast()));
    }
  }

  private void requireAllowed(NativeStatement each) {
    if (!each.writes()) {
      return;
    }
    backend.requireWritable();
    if (transaction != null && transaction.options().readOnly()) {
      throw new EvitaException(
          ErrorCode.READ_ONLY, each.part().keyword() + " in a read-only transaction");
    }
  }

  private void execute(NativeStatement each, boolean last) throws SQLException {
    var open = lease().prepare(each.sql());
    statement = open;
    prepared.bind(each, open, arguments);
    var fetchSize = backend.dialect().sessions().fetchSize();
    if (fetchSize > 0) {
      open.setFetchSize(transaction == null && !ownTransaction ? 0 : fetchSize);
    }
    executing(open);
    var hasRows = each.writes() ? write(open) : open.execute();
    wrote |= each.writes();
    if (hasRows && last) {
      var rows = open.getResultSet();
      result = rows;
      row = ResultRow.of(rows, prepared.columns(), prepared.mapping(), backend.errors());
      return;
    }
    if (hasRows) {
      open.getResultSet().close();
    } else {
      changed = Math.max(0, open.getUpdateCount());
    }
    executed();
    statement = null;
    lease().release(open, !hasRows);
  }

  private boolean write(PreparedStatement open) throws SQLException {
    lease().beginWrite();
    try {
      return open.execute();
    } finally {
      lease().endWrite();
    }
  }

  @Override
  boolean advance() throws SQLException {
    var rows = row;
    if (rows != null && rows.advance()) {
      return true;
    }
    ended = true;
    return false;
  }

  @Override
  Row row() {
    return Objects.requireNonNull(row);
  }

  @Override
  long affected(long rowsGiven) {
    return row == null ? changed : rowsGiven;
  }

  @Override
  void close(boolean success) throws SQLException {
    try {
      if (result != null) {
        result.close();
      }
      if (statement != null) {
        lease().release(statement, ended || !prepared.mustBeReadWhole());
      }
    } finally {
      settle();
    }
  }

  private void settle() throws SQLException {
    if (ownTransaction) {
      backend.rollback(lease().connection());
      backend
          .dialect()
          .sessions()
          .afterTransaction(lease().connection(), TransactionOptions.READ_ONLY, 0);
    } else if (transaction != null && wrote) {
      transaction
          .writes()
          .tables(
              backend.catalog().get().tables().stream()
                  .map(Table::name)
                  .collect(Collectors.toUnmodifiableSet()));
    }
  }
}

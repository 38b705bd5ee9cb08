// SPDX-License-Identifier: Apache-2.0
package dev.evita.engine.jdbc.run;

import dev.evita.api.Arguments;
import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import dev.evita.api.Parameter;
import dev.evita.api.Row;
import dev.evita.api.RowShape;
import dev.evita.api.RowSink;
import dev.evita.api.Table;
import dev.evita.api.TableName;
import dev.evita.engine.jdbc.dialect.Bind;
import dev.evita.engine.jdbc.dialect.SchemaGuard;
import dev.evita.engine.jdbc.sql.SlotMapping;
import dev.evita.engine.jdbc.value.Codec;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The statements of a script, one after another; the rows of the last go to the sink from its
 * cursor.
 *
 * <p>Which tables a script's statements changed is not known, so listeners are told of all.
 */
final class ScriptExecution extends JdbcExecution {

  private final List<ScriptSplitter.Part> parts;
  private final List<Parameter> parameters;
  private int number;
  private int bound;
  private long changed = -1;
  private boolean wrote;
  private boolean defined;
  private boolean sessionChanged;
  private boolean ownTransaction;
  private RowShape shape = RowShape.NONE;
  private @Nullable PreparedStatement statement;
  private @Nullable ResultSet result;
  private @Nullable ResultRow row;

  ScriptExecution(
      EngineContext backend,
      List<ScriptSplitter.Part> parts,
      List<Parameter> parameters,
      Arguments arguments,
      @Nullable JdbcTransaction transaction,
      RowSink sink) {
    super(backend, SchemaGuard.NONE, arguments, transaction, sink);
    this.parts = parts;
    this.parameters = parameters;
  }

  @Override
  public RowShape shape() {
    return shape;
  }

  @Override
  EvitaException translate(Throwable failure) {
    return backend.errors().translateScript(failure, number, parts.size());
  }

  @Override
  void open() throws SQLException {
    for (var part : parts) {
      number++;
      check(part);
      execute(part, number == parts.size());
    }
    if (transaction == null && (wrote || defined)) {
      awaitDurable();
    }
  }

  private void check(ScriptSplitter.Part part) {
    if (part.writes() || part.definesSchema()) {
      backend.requireWritable();
      if (transaction == null) {
        committing(); // each statement in autocommit
      }
    }
    if (transaction == null) {
      return;
    }
    if (part.boundsTransaction()) {
      throw new EvitaException(
          ErrorCode.INVALID_SCRIPT,
          "Statement %d: %s is not allowed in a transaction that was begun outside of the script"
              .formatted(number, part.keyword()));
    }
    if (part.writes() && transaction.options().readOnly()) {
      throw new EvitaException(
          ErrorCode.READ_ONLY,
          "Statement " + number + ": " + part.keyword() + " in a read-only transaction");
    }
  }

  private void execute(ScriptSplitter.Part part, boolean last) throws SQLException {
    sessionChanged |= part.changesSession();
    defined |= part.definesSchema();
    prepareCursor(part, last);
    var prepared =
        part.definesSchema()
            ? lease().connection().prepareStatement(part.text())
            : lease().prepare(part.text());
    statement = prepared;
    if (backend.dialect().sessions().fetchSize() > 0) {
      prepared.setFetchSize(last ? backend.dialect().sessions().fetchSize() : 0);
    }
    bind(part, prepared);
    executing(prepared);
    var hasRows = execute(prepared);
    wrote |= part.writes();
    if (hasRows && last) {
      present(prepared.getResultSet());
      return;
    }
    finish(part, prepared, hasRows);
  }

  private boolean execute(PreparedStatement prepared) throws SQLException {
    lease().beginWrite();
    try {
      return prepared.execute();
    } finally {
      lease().endWrite();
    }
  }

  private void finish(ScriptSplitter.Part part, PreparedStatement prepared, boolean hasRows)
      throws SQLException {
    if (hasRows) {
      prepared.getResultSet().close();
    } else {
      changed = Math.max(0, prepared.getUpdateCount());
    }
    executed();
    statement = null;
    if (part.definesSchema()) {
      prepared.close();
    } else {
      lease().release(prepared, !hasRows);
    }
  }

  private void prepareCursor(ScriptSplitter.Part part, boolean last) throws SQLException {
    var single = parts.size() == 1 && transaction == null;
    if (single
        && last
        && !part.writes()
        && backend.dialect().sessions().streamsInTransactionOnly()) {
      if (part.keyword().equals("SELECT") || part.keyword().equals("WITH")) {
        lease().connection().setAutoCommit(false);
        ownTransaction = true;
      }
    }
  }

  private void bind(ScriptSplitter.Part part, PreparedStatement prepared) throws SQLException {
    for (int i = 1; i <= part.parameters(); i++) {
      backend
          .dialect()
          .scripts()
          .bindAny(prepared, i, Bind.argument(arguments, parameters.get(bound++)));
    }
  }

  private void present(ResultSet rows) throws SQLException {
    result = rows;
    var columns = rows.getMetaData();
    var codecs = new Codec[columns.getColumnCount()];
    var slots = new int[codecs.length];
    var shown = new ArrayList<RowShape.Slot>();
    for (int i = 0; i < codecs.length; i++) {
      codecs[i] = backend.dialect().scripts().resultCodec(columns, i + 1);
      slots[i] = i;
      shown.add(new RowShape.ValueSlot(columns.getColumnLabel(i + 1), codecs[i].type()));
    }
    shape = new RowShape(shown);
    row = ResultRow.of(rows, codecs, SlotMapping.flat(shape, slots), backend.errors());
  }

  @Override
  boolean advance() throws SQLException {
    var rows = row;
    return rows != null && rows.advance();
  }

  @Override
  Row row() {
    return Objects.requireNonNull(row);
  }

  @Override
  long affected(long rowsGiven) {
    return row == null && changed >= 0 ? changed : rowsGiven;
  }

  @Override
  void close(boolean success) throws SQLException {
    try {
      if (result != null) {
        result.close();
        lease().release(Objects.requireNonNull(statement), false);
      }
    } finally {
      settle();
    }
  }

  /** Leaves the connection as it was, and tells what was changed, also by a script that failed. */
  private void settle() throws SQLException {
    if (ownTransaction) {
      backend.rollback(lease().connection());
    }
    if (transaction != null) {
      note(transaction);
      return;
    }
    if (sessionChanged) {
      lease().close();
    }
    if (wrote) {
      var touched = new WriteSet();
      touched.tables(allTables());
      backend.commits().commit(touched, () -> {});
    }
    if (defined) {
      backend.schemaChanged().run();
    }
  }

  private void note(JdbcTransaction open) {
    if (wrote) {
      open.touched().tables(allTables());
    }
    if (defined) {
      open.schemaChanged();
    }
  }

  private Set<TableName> allTables() {
    return backend.catalog().get().tables().stream()
        .map(Table::name)
        .collect(Collectors.toUnmodifiableSet());
  }
}

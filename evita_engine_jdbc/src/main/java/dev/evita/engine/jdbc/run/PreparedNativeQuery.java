// SPDX-License-Identifier: Apache-2.0
package dev.evita.engine.jdbc.run;

import dev.evita.api.Arguments;
import dev.evita.api.Catalog;
import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import dev.evita.api.InsertRows;
import dev.evita.api.NativeQuery;
import dev.evita.api.Prepared;
import dev.evita.api.Routine;
import dev.evita.api.RowShape;
import dev.evita.api.RowSink;
import dev.evita.api.StatementPlan;
import dev.evita.api.Table;
import dev.evita.api.Transaction;
import dev.evita.api.TransactionOptions;
import dev.evita.engine.jdbc.connection.Lease;
import dev.evita.engine.jdbc.dialect.JdbcErrors;
import dev.evita.engine.jdbc.sql.SlotMapping;
import dev.evita.engine.jdbc.value.ArgumentCoercion;
import dev.evita.engine.jdbc.value.Codec;
import java.sql.PreparedStatement;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A native query, compiled by the database. */
public final class PreparedNativeQuery implements Prepared {

  /** Failures of the database rather than of the text; so are those of resources. */
  private static final Set<EvitaException.Code> NOT_THE_AUTHORS =
      Set.of(
          ErrorCode.DATABASE_UNREACHABLE,
          ErrorCode.STORAGE_FAILED,
          ErrorCode.SERIALIZATION_FAILURE,
          ErrorCode.INTERNAL);

  /** Binds nothing but types, to explain the statement. */
  private static final InsertRows NULLS = new InsertRows(List.of());

  private final EngineContext backend;
  private final NativeQuery query;
  private final List<NativeStatement> statements;
  private final Codec[] inputs;
  private final boolean pure;
  private final boolean bounded;
  private final boolean mustBeReadWhole;
  private Codec[] columns = {};
  private RowShape shape = RowShape.NONE;

  /**
   * Compiles a query. May block on the database.
   *
   * @throws EvitaException see {@link NativeQuery}
   */
  public PreparedNativeQuery(EngineContext backend, NativeQuery query, Catalog catalog) {
    this.backend = backend;
    this.query = query;
    var rules = backend.dialect().scripts();
    this.inputs =
        query.inputs().stream()
            .map(input ->
                backend
                    .dialect()
                    .values()
                    .codec(input.type(), "", query.relation() + "." + input.name()))
            .toArray(Codec[]::new);
    var parts = ScriptSplitter.split(query.text(), backend.dialect(), true);
    if (parts.isEmpty()) {
      throw new EvitaException(ErrorCode.INVALID_SCRIPT, "line 1: no statement");
    }
    Lease lease = null;
    try {
      lease = backend.leases().take(null);
      var metadata = lease.connection().getMetaData();
      var upper = metadata.storesUpperCaseIdentifiers();
      var effects = effects(catalog);
      statements =
          parts.stream()
              .map(part -> new NativeStatement(query, part, rules, upper, effects))
              .toList();
      statements.forEach(this::check);
      pure = statements.stream().allMatch(NativeStatement::isPure);
      compile(lease);
      mustBeReadWhole = backend.dialect().sessions().mustBeReadWhole(statements.getLast().sql());
      bounded =
          query.readOnly()
              && pure
              && statements.size() == 1
              && !backend.dialect().sessions().behindSocket()
              && rules.isBounded(plan(lease, statements.getFirst(), null), catalog);
    } catch (SQLException e) {
      throw backend.errors().translate(e);
    } finally {
      if (lease != null) {
        backend.leases().give(lease);
      }
    }
  }

  /** The routines, and the views, which may call them. */
  private static Set<String> effects(Catalog catalog) {
    var routines = catalog.routines().stream().map(Routine::name);
    var views =
        catalog.tables().stream()
            .filter(table -> table.kind() == Table.Kind.VIEW)
            .map(view -> view.name().table());
    return Stream.concat(routines, views)
        .map(name -> name.toUpperCase(Locale.ROOT))
        .collect(Collectors.toSet());
  }

  /** Refuses what would outlive the request, or end its transaction. */
  private void check(NativeStatement statement) {
    var part = statement.part();
    if (part.parameters() > 0) {
      throw invalid(
          statement, 0, "a placeholder '?'; read values from " + query.relation() + " instead");
    }
    if (part.definesSchema() || part.changesSession() || part.boundsTransaction()) {
      throw invalid(
          statement, 0, part.keyword() + " is not allowed; expected a query, or a change of rows");
    }
    if (statement.outlivesTransaction()) {
      throw invalid(
          statement,
          0,
          "a setting or lock would outlive the request, as the connection is used again; call"
              + " set_config with true at its end, or pg_advisory_xact_lock");
    }
    if (query.readOnly() && part.writes()) {
      throw new EvitaException(
          ErrorCode.READ_ONLY,
          "line " + statement.line(0) + ": " + part.keyword() + " in a read-only query");
    }
  }

  private static EvitaException invalid(NativeStatement statement, int position, String message) {
    return new EvitaException(
        ErrorCode.INVALID_SCRIPT, "line " + statement.line(position) + ": " + message);
  }

  private void compile(Lease lease) throws SQLException {
    for (var statement : statements) {
      undone(lease, () -> compile(lease, statement));
    }
  }

  private void compile(Lease lease, NativeStatement statement) {
    try (var prepared = lease.connection().prepareStatement(statement.sql())) {
      var metadata = prepared.getMetaData();
      if (metadata != null && statement.equals(statements.getLast())) {
        present(metadata);
      }
    } catch (SQLException e) {
      throw failure(statement, e);
    }
  }

  /** A step that uses a connection. */
  private interface Step {
    void run() throws SQLException;
  }

  /**
   * Runs a step so that it has no effect: H2 calls a deterministic function of constants when it
   * compiles a statement, or explains it.
   */
  private void undone(Lease lease, Step step) throws SQLException {
    if (pure) {
      step.run();
      return;
    }
    var sessions = backend.dialect().sessions();
    sessions.begin(lease.connection(), TransactionOptions.READ_ONLY);
    try {
      step.run();
    } finally {
      backend.rollback(lease.connection());
      sessions.afterTransaction(lease.connection(), TransactionOptions.READ_ONLY, 0);
    }
  }

  private EvitaException failure(NativeStatement statement, SQLException failure) {
    var translated = backend.errors().translateScript(failure, 1, 1);
    return translated.code().category() == ErrorCode.Category.RESOURCES
            || NOT_THE_AUTHORS.contains(translated.code())
        ? translated
        : invalid(
            statement, backend.dialect().errors().position(failure), translated.publicMessage());
  }

  private void present(ResultSetMetaData metadata) throws SQLException {
    columns = new Codec[backend.dialect().scripts().columns(metadata)];
    var slots = new ArrayList<RowShape.Slot>();
    for (int i = 0; i < columns.length; i++) {
      columns[i] = backend.dialect().scripts().compiledCodec(metadata, i + 1);
      slots.add(new RowShape.ValueSlot(metadata.getColumnLabel(i + 1), columns[i].type()));
    }
    shape = new RowShape(slots);
  }

  private String plan(Lease lease, NativeStatement statement, @Nullable Arguments arguments)
      throws SQLException {
    var explained = backend.dialect().scripts().explain() + statement.sql();
    var text = new StringBuilder();
    try (var prepared = lease.connection().prepareStatement(explained)) {
      bind(statement, prepared, arguments);
      try (var rows = prepared.executeQuery()) {
        var last = rows.getMetaData().getColumnCount();
        while (rows.next()) {
          text.append(text.isEmpty() ? "" : "\n").append(rows.getString(last));
        }
      }
    }
    return text.toString();
  }

  /** Binds the inputs as often as they occur; null for nulls. */
  void bind(NativeStatement statement, PreparedStatement prepared, @Nullable Arguments arguments)
      throws SQLException {
    var index = 1;
    var rows = query.rows();
    if (rows != null && statement.inputs() > 0) {
      bindColumns(statement, prepared, arguments == null ? NULLS : arguments.get(rows));
      return;
    }
    for (int i = 0; i < statement.inputs(); i++) {
      for (int k = 0; k < inputs.length; k++) {
        var value = arguments == null ? null : arguments.get(query.inputs().get(k).value());
        inputs[k].bind(prepared, index++, value);
      }
    }
  }

  /** Binds rows of input, each column as one parameter. */
  private void bindColumns(
      NativeStatement statement, PreparedStatement prepared, @Nullable Object argument)
      throws SQLException {
    if (!(argument instanceof InsertRows(var rows))) {
      throw new EvitaException(
          ErrorCode.INVALID_VALUE, query.relation() + " needs rows, but the value is " + argument);
    }
    var columns = new ArrayList<List<@Nullable Object>>();
    for (int k = 0; k < inputs.length; k++) {
      var values = new ArrayList<@Nullable Object>(rows.size());
      for (var row : rows) {
        values.add(row.length > k ? row[k] : null);
      }
      columns.add(
          ArgumentCoercion.elements(
              query.inputs().get(k).type(), values, query.relation() + "." + k));
    }
    var index = 1;
    for (int i = 0; i < statement.inputs(); i++) {
      for (int k = 0; k < inputs.length; k++) {
        inputs[k].bindMany(prepared, index++, columns.get(k));
      }
    }
  }

  /**
   * Explains the statements; see {@link dev.evita.api.Engine#explain}.
   *
   * @throws EvitaException of the database
   */
  public List<StatementPlan> explain(Arguments arguments) {
    var plans = new ArrayList<StatementPlan>();
    Lease lease = null;
    try {
      lease = backend.leases().take(null);
      for (var statement : statements) {
        var held = lease;
        undone(
            held,
            () -> plans.add(new StatementPlan(statement.sql(), plan(held, statement, arguments))));
      }
      return plans;
    } catch (SQLException e) {
      throw backend.errors().translate(e);
    } finally {
      if (lease != null) {
        backend.leases().give(lease);
      }
    }
  }

  @Override
  public NativeQuery operation() {
    return query;
  }

  @Override
  public RowShape shape() {
    return shape;
  }

  List<NativeStatement> statements() {
    return statements;
  }

  /** The codecs of the result. */
  Codec[] columns() {
    return columns;
  }

  /** The result's columns, as they are in the statement. */
  SlotMapping mapping() {
    var slots = new int[columns.length];
    for (int i = 0; i < slots.length; i++) {
      slots[i] = i;
    }
    return SlotMapping.flat(shape, slots);
  }

  /** See {@code SessionRules.mustBeReadWhole}, for the last statement. */
  boolean mustBeReadWhole() {
    return mustBeReadWhole;
  }

  /** Whether it certainly has no effect, even outside a read-only transaction. */
  boolean pure() {
    return pure;
  }

  @Override
  public boolean bounded(Arguments arguments) {
    return bounded && backend.leases().isReady();
  }

  @Override
  public void run(Arguments arguments, @Nullable Transaction transaction, RowSink sink) {
    if (transaction == null && !query.readOnly()) {
      sink.failed(JdbcErrors.invalid("a native query that may write needs a transaction"));
      return;
    }
    new NativeQueryExecution(backend, this, arguments, (JdbcTransaction) transaction, sink).start();
  }
}

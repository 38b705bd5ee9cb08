// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.sql.run;

import dev.evita.api.Arguments;
import dev.evita.api.Catalog;
import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import dev.evita.api.NativeQuery;
import dev.evita.api.Prepared;
import dev.evita.externalapi.core.carpool.SetBasedQuery;
import dev.evita.externalapi.core.work.PlacementHistory;
import dev.evita.externalapi.core.work.Statements;
import dev.evita.externalapi.sql.declaration.HandlerDeclaration;
import dev.evita.externalapi.sql.declaration.RoutePattern;
import dev.evita.externalapi.sql.declaration.Stage;
import dev.evita.externalapi.sql.inputs.RequestInputs;
import dev.evita.externalapi.sql.outcome.OutcomeColumns;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A handler in SQL, compiled for one catalog epoch. */
public final class SqlHandler implements Handler {

  private final HandlerDeclaration declaration;
  private final RequestInputs inputs;
  private final Prepared prepared;
  private final OutcomeColumns columns;
  private final PlacementHistory history;

  private SqlHandler(
      HandlerDeclaration declaration,
      RequestInputs inputs,
      Prepared prepared,
      OutcomeColumns columns) {
    this.declaration = declaration;
    this.inputs = inputs;
    this.prepared = prepared;
    this.columns = columns;
    this.history = new PlacementHistory("handler " + declaration.name());
  }

  /**
   * Compiles a handler. May block on the engine.
   *
   * @throws EvitaException {@code INVALID_CONFIGURATION} for a faulty one, with name, line and the
   *     engine's message; others if the engine cannot be asked
   */
  public static SqlHandler compile(HandlerDeclaration declaration, Scope scope) {
    var inputs = new RequestInputs(declaration);
    var prepared = prepare(query(declaration, inputs), declaration, scope.statements());
    try {
      var columns = new OutcomeColumns(declaration.name(), prepared.shape());
      var setBased = declaration.setBased();
      if (setBased != null) {
        prepared = share(setBased, declaration, prepared, scope);
      }
      return new SqlHandler(declaration, inputs, prepared, columns);
    } catch (IllegalArgumentException e) {
      var lines = (int) declaration.text().stripTrailing().lines().count();
      throw HandlerDeclaration.fault(declaration.name(), lines, String.valueOf(e.getMessage()));
    }
  }

  private static NativeQuery query(HandlerDeclaration declaration, RequestInputs inputs) {
    var query =
        new NativeQuery(
            declaration.text(), RequestInputs.RELATION, inputs.columns(), declaration.readOnly());
    return declaration.setBased() == null ? query : query.overRows();
  }

  private static NativeQuery one(Prepared overRows) {
    var query = (NativeQuery) overRows.operation();
    return new NativeQuery(query.text(), query.relation(), query.inputs(), query.readOnly());
  }

  private static Prepared share(
      HandlerDeclaration.SetBased setBased,
      HandlerDeclaration declaration,
      Prepared prepared,
      Scope scope) {
    SetBasedQuery query;
    try {
      query =
          new SetBasedQuery(
              scope.statements().prepare(one(prepared)),
              prepared,
              declaration.readOnly() ? null : scope.transactions(),
              setBased.conflictKey());
    } catch (EvitaException e) {
      throw new IllegalArgumentException(
          "a set-based handler reads request.id and returns it as its column id, by which its rows"
              + " are passed to the requests",
          e);
    }
    new SetBasedCheck(declaration, prepared, scope).requireSameResults();
    return scope.statements().share(query, setBased.carpool());
  }

  /**
   * What handlers are compiled with.
   *
   * @param catalog provides values by which set-based handlers are checked
   * @param transactions executes set-based handlers that write
   */
  public record Scope(
      Statements statements, Catalog catalog, SetBasedQuery.Transactions transactions) {}

  private static Prepared prepare(
      NativeQuery query, HandlerDeclaration declaration, Statements statements) {
    try {
      return statements.prepare(query);
    } catch (EvitaException e) {
      if (e.code() != ErrorCode.INVALID_SCRIPT && e.code() != ErrorCode.READ_ONLY) {
        throw e;
      }
      var remedy =
          e.code() == ErrorCode.READ_ONLY
              ? "; add '-- read-only: false' if it is meant to write"
              : "";
      throw new EvitaException(
          ErrorCode.INVALID_CONFIGURATION,
          "Handler " + declaration.name() + ", " + e.publicMessage() + remedy,
          e);
    }
  }

  public HandlerDeclaration declaration() {
    return declaration;
  }

  /** The columns of {@code request}. */
  public RequestInputs inputs() {
    return inputs;
  }

  /** The statements. */
  public Prepared query() {
    return prepared;
  }

  /** Whether it serves many requests at once; then it begins transactions by itself. */
  boolean isSetBased() {
    return declaration.setBased() != null;
  }

  /** The values of a request as {@link #query}'s operation takes them. */
  public Arguments explained(Arguments values) {
    return isSetBased() ? SetBasedQuery.rows(inputs.columns(), List.of(values)) : values;
  }

  /** The columns of its rows. */
  OutcomeColumns columns() {
    return columns;
  }

  /** How it has behaved on I/O threads. */
  public PlacementHistory placement() {
    return history;
  }

  @Override
  public String name() {
    return declaration.name();
  }

  @Override
  public List<RoutePattern> routes() {
    return declaration.routes();
  }

  @Override
  public int priority() {
    return declaration.priority();
  }

  @Override
  public Stage stage() {
    return declaration.stage();
  }

  @Override
  public boolean readOnly() {
    return declaration.readOnly();
  }

  @Override
  public @Nullable Duration timeout() {
    return declaration.timeout();
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.rest.writes;

import dev.evita.api.Capability;
import dev.evita.api.ErrorCode;
import dev.evita.externalapi.core.error.HttpErrorCode;
import dev.evita.externalapi.core.limits.Cost;
import dev.evita.externalapi.core.limits.Limits;
import dev.evita.externalapi.core.work.Statements;
import dev.evita.externalapi.rest.model.RestFailure;
import dev.evita.externalapi.rest.model.RestModel;
import dev.evita.externalapi.rest.reads.ReadPlans;
import dev.evita.externalapi.rest.reads.ReadStep;
import dev.evita.externalapi.rest.request.Preferences;
import dev.evita.externalapi.rest.request.ReadQuery;
import dev.evita.externalapi.rest.request.RestRequest;
import dev.evita.externalapi.rest.request.RowRange;
import dev.evita.externalapi.rest.response.RowFormat;
import dev.evita.externalapi.rest.response.TransactionStep;
import dev.evita.externalapi.rest.routines.CallStep;
import dev.evita.externalapi.rest.routines.RoutineResources;
import java.util.Set;
import java.util.function.Function;

/**
 * Creates transaction steps from requests. May block on the engine. Thread-safe; for one catalog
 * epoch.
 */
public final class TransactionSteps {

  private final RestModel model;
  private final Set<Capability> capabilities;
  private final Statements statements;
  private final ReadPlans reads;
  private final RoutineResources calls;
  private final String path;
  private final Limits limits;
  private final boolean writesUnfiltered;

  public TransactionSteps(
      RestModel model,
      Set<Capability> capabilities,
      Statements statements,
      ReadPlans reads,
      RoutineResources calls,
      String path,
      Limits limits,
      boolean writesUnfiltered) {
    this.model = model;
    this.capabilities = capabilities;
    this.statements = statements;
    this.reads = reads;
    this.calls = calls;
    this.path = path;
    this.limits = limits;
    this.writesUnfiltered = writesUnfiltered;
  }

  /**
   * Returns the resource's path below that of the API.
   *
   * @throws RestFailure 404, PGRST125
   */
  public String resource(String requested) {
    var start = path.length() + 1;
    var name = requested.length() > start ? requested.substring(start) : "";
    if (name.isEmpty() || name.indexOf('/') >= 0) {
      throw new RestFailure(
          404,
          HttpErrorCode.NOT_FOUND,
          "PGRST125",
          "Invalid path specified in request URL",
          null,
          "A resource is " + path + "/{table} or " + path + "/rpc/{routine}");
    }
    return name;
  }

  /**
   * Returns the step for a request that reads or writes rows of a table, or calls a routine.
   *
   * @throws RestFailure if it names an unknown object or requires an unsupported feature
   * @throws dev.evita.api.EvitaException {@code TOO_COSTLY}
   */
  public TransactionStep of(RestRequest request, Preferences preferences) {
    var member = member(request, preferences);
    requireAffordable(cost(member));
    return member;
  }

  /** The estimated cost. */
  public double cost(TransactionStep member) {
    return member.cost(limits.estimatedRows());
  }

  /**
   * Rejects a cost above the limit of {@code max-cost}.
   *
   * @throws dev.evita.api.EvitaException {@code TOO_COSTLY}
   */
  public void requireAffordable(double cost) {
    if (cost > limits.maxCost()) {
      throw Cost.tooCostly(cost, limits.maxCost());
    }
  }

  private TransactionStep member(RestRequest request, Preferences preferences) {
    if (calls.isCall(request.path())) {
      return calling(request, preferences);
    }
    if (request.method().equals("GET")) {
      return reading(request, "Accept-Profile", preferences.count());
    }
    var write = writing(request, preferences);
    return hasCondition(request)
        ? new ConditionalWrite(reading(request, "Content-Profile", false), write, request)
        : write;
  }

  /**
   * In a transaction with other requests, a routine that is declared as writing cannot be kept from
   * writing.
   */
  private CallStep calling(RestRequest request, Preferences preferences) {
    var call = calls.bind(request, request.query(), preferences.count());
    if (!call.readOnly() && !request.method().equals("POST")) {
      throw RestFailure.notAllowed(
          "PGRST101",
          "'" + request.path() + "' may write; in a batch, such a routine is called by POST",
          "Use POST",
          "POST");
    }
    return new CallStep(call, preferences, false);
  }

  /** Whether it writes only if the rows match the client's entity tag. */
  public static boolean hasCondition(RestRequest request) {
    return !request.method().equals("GET")
        && (request.header("If-Match") != null || request.header("If-None-Match") != null);
  }

  private ReadStep reading(RestRequest request, String profile, boolean counts) {
    var table = model.require(request.header(profile), resource(request.path()));
    var range = RowRange.of(request.method(), request.header("Range"));
    var read = reads.request(table, request.query(), range, counts);
    var format = RowFormat.negotiate(request.header("Accept"));
    return new ReadStep(reads.get(table, read), read, format, request);
  }

  private TransactionStep writing(RestRequest request, Preferences preferences) {
    var table = model.require(request.header("Content-Profile"), resource(request.path()));
    var format = RowFormat.negotiate(request.header("Accept"));
    var shape = reads.request(table, request.query(), null, false);
    requireFilter(request.method(), shape);
    var compiler =
        new WriteRequestCompiler(model, capabilities, statements, table, shape, preferences);
    var method = request.method();
    Function<ReturnedRepresentation, WriteResponseRows> response =
        returned ->
            new WriteResponseRows(returned, preferences, format, method, path + "/" + table.name());
    if (method.equals("DELETE")) {
      return member(compiler.delete(), response);
    }
    var rows = request.rows(shape.columns());
    if (method.equals("PATCH") && rows.columns().isEmpty()) {
      return new EmptyUpdate(response.apply(compiler.returned()));
    }
    if (method.equals("POST") && NestedRows.areIn(table, rows)) {
      return compiler.insert(new NestedRows(model, table, rows, limits.depthLimit()), response);
    }
    return switch (method) {
      case "POST" -> member(compiler.insert(rows), response);
      case "PUT" -> member(compiler.put(rows), response);
      default -> member(compiler.update(rows), response);
    };
  }

  private static TransactionStep member(
      WritePlan plan, Function<ReturnedRepresentation, WriteResponseRows> response) {
    return new WriteStep(plan, response.apply(plan.returned()));
  }

  /** A forgotten filter must not change or delete all rows. */
  private void requireFilter(String method, ReadQuery shape) {
    var changes = method.equals("PATCH") || method.equals("DELETE");
    if (changes && !writesUnfiltered && shape.root().conditions().isEmpty()) {
      throw new RestFailure(
          400,
          ErrorCode.INVALID_OPERATION,
          "21000",
          method + " requires a filter, since it would write all rows",
          null,
          "Name the rows, for example by id=eq.1, or all of them by id=not.is.null");
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.rest;

import dev.evita.externalapi.core.error.HttpErrorCode;
import dev.evita.externalapi.core.exchange.Api;
import dev.evita.externalapi.core.exchange.ApiContext;
import dev.evita.externalapi.core.exchange.Exchange;
import dev.evita.externalapi.core.exchange.Route;
import dev.evita.externalapi.core.transaction.IdempotencyKeys;
import dev.evita.externalapi.core.transaction.IdempotentWrite;
import dev.evita.externalapi.core.web.MediaTypes;
import dev.evita.externalapi.core.work.PlacementHistory;
import dev.evita.externalapi.core.work.Statements;
import dev.evita.externalapi.rest.batch.BatchRequest;
import dev.evita.externalapi.rest.batch.BatchStep;
import dev.evita.externalapi.rest.changes.RowChanges;
import dev.evita.externalapi.rest.model.RestFailure;
import dev.evita.externalapi.rest.model.RestModel;
import dev.evita.externalapi.rest.model.RestProblems;
import dev.evita.externalapi.rest.model.RestTable;
import dev.evita.externalapi.rest.openapi.OpenApiDocuments;
import dev.evita.externalapi.rest.reads.ReadPlan;
import dev.evita.externalapi.rest.reads.ReadPlans;
import dev.evita.externalapi.rest.reads.RestReadExecution;
import dev.evita.externalapi.rest.request.ExchangeRequest;
import dev.evita.externalapi.rest.request.Preferences;
import dev.evita.externalapi.rest.request.ReadQuery;
import dev.evita.externalapi.rest.request.RowRange;
import dev.evita.externalapi.rest.response.RowFormat;
import dev.evita.externalapi.rest.response.TransactionStep;
import dev.evita.externalapi.rest.routines.CallStep;
import dev.evita.externalapi.rest.routines.RoutineResources;
import dev.evita.externalapi.rest.writes.RestWriteExecution;
import dev.evita.externalapi.rest.writes.TransactionSteps;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * REST for one catalog epoch. Requests whose plan is cached are bound on the I/O thread; others are
 * compiled on a worker thread, since compilation may call the engine.
 */
final class RestApi implements Api {

  /** The request headers that select among the responses of a URL. */
  private static final String CHOOSING = "Accept, Accept-Profile, Prefer, Range";

  private static final String FORM = "application/x-www-form-urlencoded";

  private final Route route;
  private final RestModel model;
  private final OpenApiDocuments documents;
  private final Statements statements;
  private final ReadPlans reads;
  private final TransactionSteps members;
  private final IdempotencyKeys keys;
  private final String batch;
  private final int maxBatch;
  private final RowChanges changes;
  private final RoutineResources calls;
  private final PlacementHistory calling = new PlacementHistory("REST calls by GET");
  private final PlacementHistory writes = new PlacementHistory("REST requests that write");
  private final PlacementHistory compiling =
      new PlacementHistory("REST requests of a shape seen for the first time");

  RestApi(ApiContext context, RestOptions options) {
    this.route =
        Route.below(options.restPath(), "GET", "HEAD", "QUERY", "POST", "PUT", "PATCH", "DELETE");
    this.model = new RestModel(context.catalog());
    this.documents = new OpenApiDocuments(model, context.capabilities(), options.restPath());
    this.statements = context.statements();
    this.keys = context.idempotencyKeys();
    this.batch = options.restPath() + "/$batch";
    this.maxBatch = options.restMaxBatch();
    this.reads =
        new ReadPlans(
            model,
            context.capabilities(),
            statements,
            options.restPath(),
            context.limits(),
            options.restPlanCacheChars());
    this.calls =
        new RoutineResources(
            model, context.capabilities(), statements, options.restPath(), context.limits());
    this.members =
        new TransactionSteps(
            model,
            context.capabilities(),
            statements,
            reads,
            calls,
            options.restPath(),
            context.limits(),
            options.restUnfilteredWrites());
    this.changes = new RowChanges(context, model, reads);
  }

  /** Change feeds of rows outlive the epoch. */
  @Override
  public void succeed(Api predecessor) {
    changes.succeed(((RestApi) predecessor).changes);
  }

  @Override
  public List<Route> routes() {
    var routes = new ArrayList<>(documents.routes());
    routes.add(route);
    return routes;
  }

  @Override
  public void handle(Exchange exchange) {
    try {
      switch (exchange.request().method()) {
        case "GET", "HEAD", "QUERY" -> read(exchange);
        default -> {
          exchange.request().requireOwnPage();
          exchange.work().dispatch(writes, false, () -> write(exchange));
        }
      }
    } catch (RuntimeException e) {
      RestProblems.send(exchange, e);
    }
  }

  @Override
  public void refuse(Exchange exchange, Throwable failure) {
    RestProblems.send(exchange, failure);
  }

  private void read(Exchange exchange) {
    if (documents.at(exchange.request().path())) {
      documents.handle(exchange);
      return;
    }
    exchange.response().header("Vary", CHOOSING);
    if (calls.isCall(exchange.request().path())) {
      exchange.work().dispatch(calling, false, () -> call(exchange));
      return;
    }
    if (RowChanges.wanted(exchange)) {
      changes.respond(exchange, members.resource(exchange.request().path()), query(exchange));
      return;
    }
    var table =
        model.require(
            exchange.request().header("Accept-Profile"),
            members.resource(exchange.request().path()));
    var format = RowFormat.negotiate(exchange.request().header("Accept"));
    var preferences = Preferences.parse(exchange.request().header("Prefer"));
    var range = RowRange.of(exchange.request().method(), exchange.request().header("Range"));
    var request = reads.request(table, query(exchange), range, preferences.count());
    exchange.response().header("Preference-Applied", preferences.appliedToReads());
    var plan = reads.ifPresent(request);
    if (plan == null) {
      exchange.work().dispatch(compiling, false, () -> compile(exchange, table, request, format));
    } else {
      var run = run(exchange, request, plan, format);
      exchange.work().dispatch(plan.plan(), run.bounded(), run);
    }
  }

  /** A filter that is too long for a URL is sent as the body of a QUERY. */
  private static String query(Exchange exchange) {
    if (!exchange.request().method().equals("QUERY")) {
      return exchange.request().query();
    }
    var type = exchange.request().header("Content-Type");
    if (!MediaTypes.is(type, FORM)) {
      throw new RestFailure(
          415,
          HttpErrorCode.UNSUPPORTED_MEDIA_TYPE,
          "PGRST102",
          "The body's Content-Type is '" + type + "'",
          null,
          "A query comes as " + FORM);
    }
    var body = exchange.request().body().text();
    return exchange.request().query().isEmpty() ? body : exchange.request().query() + "&" + body;
  }

  /**
   * Calls a routine in read-only mode. The response is streamed if the routine is declared
   * read-only; otherwise the routine may fail on an attempted write, and the response is buffered
   * until the routine has ended.
   */
  private void call(Exchange exchange) {
    Runnable run;
    try {
      var preferences = Preferences.parse(exchange.request().header("Prefer"));
      var request = new ExchangeRequest(exchange);
      var call = calls.bind(request, query(exchange), preferences.count());
      if (call.plan().count() != null) {
        exchange.response().header("Preference-Applied", Preferences.COUNTED);
      }
      run =
          call.readOnly() && call.returnsResult()
              ? new RestReadExecution(
                  exchange,
                  call.plan(),
                  call.arguments(),
                  call.format(),
                  call.writer(),
                  call.window())
              : new RestWriteExecution(
                  exchange, statements, () -> new CallStep(call, preferences, true), false, null);
    } catch (RuntimeException e) {
      RestProblems.send(exchange, e);
      return;
    }
    run.run();
  }

  private void compile(Exchange exchange, RestTable table, ReadQuery request, RowFormat format) {
    RestReadExecution run;
    try {
      run = run(exchange, request, reads.get(table, request), format);
    } catch (RuntimeException e) {
      RestProblems.send(exchange, e);
      return;
    }
    run.run();
  }

  /** Runs on a worker thread, since it may wait for locks. */
  private void write(Exchange exchange) {
    Runnable run;
    try {
      run = writing(exchange);
    } catch (RuntimeException e) {
      RestProblems.send(exchange, e);
      return;
    }
    run.run();
  }

  private Runnable writing(Exchange exchange) {
    var preferences = Preferences.parse(exchange.request().header("Prefer"));
    var request = new ExchangeRequest(exchange);
    Supplier<TransactionStep> member =
        exchange.request().path().equals(batch)
            ? () -> batch(request, preferences)
            : () -> members.of(request, preferences);
    var header = exchange.request().header(IdempotencyKeys.HEADER);
    if (header == null) {
      return new RestWriteExecution(exchange, statements, member, !preferences.rollback(), null);
    }
    var key = new IdempotentWrite.Key(keys, keys.require(header), request.fingerprint());
    if (!keys.ready()) {
      var unused = member.get(); // an invalid name adds no table
      return () -> keys.create(exchange.work(), problem -> RestProblems.send(exchange, problem));
    }
    return new RestWriteExecution(exchange, statements, member, !preferences.rollback(), key);
  }

  private TransactionStep batch(ExchangeRequest request, Preferences preferences) {
    if (preferences.maxAffected() != Long.MAX_VALUE) {
      throw BatchRequest.malformed(
          "max-affected applies to one request; move it to the request in the batch");
    }
    return new BatchStep(members, BatchRequest.readAll(request, route.path(), maxBatch));
  }

  private static RestReadExecution run(
      Exchange exchange, ReadQuery request, ReadPlan plan, RowFormat format) {
    var arguments = plan.arguments(request.values());
    var writer = plan.writer(format, request);
    return new RestReadExecution(exchange, plan, arguments, format, writer, plan.window(request));
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.rest;

import dev.evita.api.ErrorCode;
import dev.evita.externalapi.core.Api;
import dev.evita.externalapi.core.ApiContext;
import dev.evita.externalapi.core.Exchange;
import dev.evita.externalapi.core.IdempotencyKeys;
import dev.evita.externalapi.core.IdempotentWrite;
import dev.evita.externalapi.core.MediaTypes;
import dev.evita.externalapi.core.Plan;
import dev.evita.externalapi.core.Route;
import dev.evita.externalapi.core.Statements;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * REST for one catalog epoch. What was compiled before is bound on the I/O thread; what was not is
 * compiled on a worker, since the engine may have to be asked.
 */
final class RestApi implements Api {

  /** What chooses among the answers to a URL. */
  private static final String CHOOSING = "Accept, Accept-Profile, Prefer, Range";

  private static final String FORM = "application/x-www-form-urlencoded";

  private final Route route;
  private final RestModel model;
  private final OpenApiDocuments documents;
  private final Statements statements;
  private final Reads reads;
  private final Members members;
  private final IdempotencyKeys keys;
  private final String batch;
  private final int maxBatch;
  private final RowChanges changes;
  private final Calls calls;
  private final Plan calling = new Plan("REST calls by GET");
  private final Plan writes = new Plan("REST requests that write");
  private final Plan compiling = new Plan("REST requests of a shape seen for the first time");

  RestApi(ApiContext context, RestOptions options) {
    this.route =
        Route.below(options.restPath(), "GET", "HEAD", "QUERY", "POST", "PUT", "PATCH", "DELETE");
    this.model = new RestModel(context.catalog());
    this.documents = new OpenApiDocuments(model, options.restPath());
    this.statements = context.statements();
    this.keys = context.idempotencyKeys();
    this.batch = options.restPath() + "/$batch";
    this.maxBatch = options.restMaxBatch();
    this.reads =
        new Reads(
            model,
            context.capabilities(),
            statements,
            options.restPath(),
            context.limits(),
            options.restPlanCacheChars());
    this.calls =
        new Calls(model, context.capabilities(), statements, options.restPath(), context.limits());
    this.members =
        new Members(
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

  /** Feeds of row changes outlive the epoch. */
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
      switch (exchange.method()) {
        case "GET", "HEAD", "QUERY" -> read(exchange);
        default -> {
          exchange.requireOwnPage();
          exchange.dispatch(writes, false, () -> write(exchange));
        }
      }
    } catch (RuntimeException e) {
      RestProblems.answer(exchange, e);
    }
  }

  @Override
  public void refuse(Exchange exchange, Throwable failure) {
    RestProblems.answer(exchange, failure);
  }

  private void read(Exchange exchange) {
    if (documents.at(exchange.path())) {
      documents.handle(exchange);
      return;
    }
    exchange.responseHeader("Vary", CHOOSING);
    if (calls.isCall(exchange.path())) {
      exchange.dispatch(calling, false, () -> call(exchange));
      return;
    }
    if (RowChanges.wanted(exchange)) {
      changes.answer(exchange, members.resource(exchange.path()), query(exchange));
      return;
    }
    var table = model.require(exchange.header("Accept-Profile"), members.resource(exchange.path()));
    var format = RowFormat.negotiate(exchange.header("Accept"));
    var preferences = Preferences.parse(exchange.header("Prefer"));
    var range = RowRange.of(exchange.method(), exchange.header("Range"));
    var request = reads.request(table, query(exchange), range, preferences.count());
    exchange.responseHeader("Preference-Applied", preferences.appliedToReads());
    var plan = reads.ifPresent(request);
    if (plan == null) {
      exchange.dispatch(compiling, false, () -> compile(exchange, table, request, format));
    } else {
      var run = run(exchange, request, plan, format);
      exchange.dispatch(plan.plan(), run.bounded(), run);
    }
  }

  /** A filter that is too long for a URL comes as the body of a QUERY. */
  private static String query(Exchange exchange) {
    if (!exchange.method().equals("QUERY")) {
      return exchange.query();
    }
    var type = exchange.header("Content-Type");
    if (!MediaTypes.is(type, FORM)) {
      throw new RestFailure(
          415,
          ErrorCode.UNSUPPORTED_MEDIA_TYPE,
          "PGRST102",
          "The body's Content-Type is '" + type + "'",
          null,
          "A query comes as " + FORM);
    }
    var body = exchange.body().text();
    return exchange.query().isEmpty() ? body : exchange.query() + "&" + body;
  }

  /**
   * Calls a routine that must write nothing. What it answers leaves while it is read if it says
   * that it only reads; else it may fail by what it writes, and is held until it has ended.
   */
  private void call(Exchange exchange) {
    Runnable run;
    try {
      var preferences = Preferences.parse(exchange.header("Prefer"));
      var request = new ExchangeRequest(exchange);
      var call = calls.bind(request, query(exchange), preferences.count());
      if (call.plan().count() != null) {
        exchange.responseHeader("Preference-Applied", Preferences.COUNTED);
      }
      run =
          call.readOnly() && call.answers()
              ? new ReadRun(
                  exchange,
                  call.plan(),
                  call.arguments(),
                  call.format(),
                  call.writer(),
                  call.window())
              : new WriteRun(
                  exchange, statements, () -> new CallMember(call, preferences, true), false, null);
    } catch (RuntimeException e) {
      RestProblems.answer(exchange, e);
      return;
    }
    run.run();
  }

  private void compile(Exchange exchange, RestTable table, ReadRequest request, RowFormat format) {
    ReadRun run;
    try {
      run = run(exchange, request, reads.get(table, request), format);
    } catch (RuntimeException e) {
      RestProblems.answer(exchange, e);
      return;
    }
    run.run();
  }

  /** Locks may be waited for, so it runs on a worker. */
  private void write(Exchange exchange) {
    Runnable run;
    try {
      run = writing(exchange);
    } catch (RuntimeException e) {
      RestProblems.answer(exchange, e);
      return;
    }
    run.run();
  }

  private Runnable writing(Exchange exchange) {
    var preferences = Preferences.parse(exchange.header("Prefer"));
    var request = new ExchangeRequest(exchange);
    Supplier<Member> member =
        exchange.path().equals(batch)
            ? () -> batch(request, preferences)
            : () -> members.of(request, preferences);
    var header = exchange.header(IdempotencyKeys.HEADER);
    if (header == null) {
      return new WriteRun(exchange, statements, member, !preferences.rollback(), null);
    }
    var key = new IdempotentWrite.Key(keys, keys.require(header), request.fingerprint());
    if (!keys.ready()) {
      var unused = member.get(); // a mistake makes no table
      return () -> keys.create(exchange, problem -> RestProblems.answer(exchange, problem));
    }
    return new WriteRun(exchange, statements, member, !preferences.rollback(), key);
  }

  private Member batch(ExchangeRequest request, Preferences preferences) {
    if (preferences.maxAffected() != Long.MAX_VALUE) {
      throw BatchRequest.malformed("max-affected holds for one request, and stands there");
    }
    return new BatchMember(members, BatchRequest.readAll(request, route.path(), maxBatch));
  }

  private static ReadRun run(
      Exchange exchange, ReadRequest request, ReadPlan plan, RowFormat format) {
    var arguments = plan.arguments(request.values());
    var writer = new RowWriter(format, plan.shape(), plan.members());
    return new ReadRun(exchange, plan, arguments, format, writer, Window.of(request));
  }
}

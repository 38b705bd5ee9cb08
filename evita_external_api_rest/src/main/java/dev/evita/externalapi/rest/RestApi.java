// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.rest;

import dev.evita.api.Capability;
import dev.evita.api.ErrorCode;
import dev.evita.externalapi.core.Api;
import dev.evita.externalapi.core.ApiContext;
import dev.evita.externalapi.core.Exchange;
import dev.evita.externalapi.core.MediaTypes;
import dev.evita.externalapi.core.Plan;
import dev.evita.externalapi.core.PlanCache;
import dev.evita.externalapi.core.Route;
import dev.evita.externalapi.core.Statements;
import java.util.List;
import java.util.Set;

/**
 * REST for one catalog epoch. What was compiled before is bound on the I/O thread; what was not is
 * compiled on a worker, since the engine may have to be asked.
 */
final class RestApi implements Api {

  private static final String FORM = "application/x-www-form-urlencoded";

  private final Route route;
  private final int tableStart;
  private final RestModel model;
  private final Set<Capability> capabilities;
  private final Statements statements;
  private final PlanCache<ReadPlan> plans;
  private final Plan writes = new Plan("REST requests that write");
  private final Plan compiling = new Plan("REST requests of a shape seen for the first time");

  RestApi(ApiContext context, RestOptions options) {
    this.route =
        Route.below(options.restPath(), "GET", "HEAD", "QUERY", "POST", "PUT", "PATCH", "DELETE");
    this.tableStart = options.restPath().length() + 1;
    this.model = new RestModel(context.catalog());
    this.capabilities = context.capabilities();
    this.statements = context.statements();
    this.plans = new PlanCache<>(options.restPlanCacheChars());
  }

  @Override
  public List<Route> routes() {
    return List.of(route);
  }

  @Override
  public void handle(Exchange exchange) {
    try {
      switch (exchange.method()) {
        case "GET", "HEAD", "QUERY" -> read(exchange);
        default -> exchange.dispatch(writes, false, () -> write(exchange));
      }
    } catch (RuntimeException e) {
      RestProblems.answer(exchange, e);
    }
  }

  private void read(Exchange exchange) {
    var table = model.require(exchange.header("Accept-Profile"), tableName(exchange.path()));
    var format = RowFormat.negotiate(exchange.header("Accept"));
    var preferences = Preferences.parse(exchange.header("Prefer"));
    var request =
        new ReadRequest(
            table.table().name().toString(), query(exchange), exchange.limits().maxDepth());
    request.range(RowRange.parse(exchange.header("Range")));
    if (preferences.count()) {
      request.mark("count");
      exchange.responseHeader("Preference-Applied", "count=exact");
    }
    var plan = plans.ifPresent(request.key());
    if (plan == null) {
      exchange.dispatch(
          compiling, false, () -> compile(exchange, table, request, format, preferences));
    } else {
      var run = run(exchange, request, plan, format);
      exchange.dispatch(plan.plan(), run.bounded(), run);
    }
  }

  private String tableName(String path) {
    var name = path.length() > tableStart ? path.substring(tableStart) : "";
    if (name.isEmpty() || name.indexOf('/') >= 0) {
      throw new RestFailure(
          404,
          ErrorCode.NOT_FOUND,
          "PGRST125",
          "Invalid path specified in request URL",
          null,
          "A resource is " + route.path() + "/{table}");
    }
    return name;
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

  private void compile(
      Exchange exchange,
      RestTable table,
      ReadRequest request,
      RowFormat format,
      Preferences preferences) {
    ReadRun run;
    try {
      var plan = plans.get(request.key(), key -> plan(table, request, preferences));
      run = run(exchange, request, plan, format);
    } catch (RuntimeException e) {
      RestProblems.answer(exchange, e);
      return;
    }
    run.run();
  }

  /** Locks may be waited for, so it runs on a worker. */
  private void write(Exchange exchange) {
    WriteRun run;
    try {
      run = writing(exchange);
    } catch (RuntimeException e) {
      RestProblems.answer(exchange, e);
      return;
    }
    run.run();
  }

  private WriteRun writing(Exchange exchange) {
    var table = model.require(exchange.header("Content-Profile"), tableName(exchange.path()));
    var format = RowFormat.negotiate(exchange.header("Accept"));
    var preferences = Preferences.parse(exchange.header("Prefer"));
    var request =
        new ReadRequest(
            table.table().name().toString(), exchange.query(), exchange.limits().maxDepth());
    var compiler = new WriteCompiler(model, capabilities, statements, table, request, preferences);
    var plan =
        switch (exchange.method()) {
          case "POST" -> compiler.insert(rows(exchange, request));
          case "PUT" -> compiler.put(rows(exchange, request));
          case "PATCH" -> compiler.update(rows(exchange, request));
          default -> compiler.delete();
        };
    var status = exchange.method().equals("POST") ? 201 : 200;
    var resource = route.path() + "/" + table.name();
    return new WriteRun(exchange, statements, plan, preferences, format, status, resource);
  }

  private static Rows rows(Exchange exchange, ReadRequest request) {
    return Rows.read(exchange.header("Content-Type"), exchange.body(), request.columns());
  }

  private ReadPlan plan(RestTable table, ReadRequest request, Preferences preferences) {
    var compiler = new ReadCompiler(model, capabilities, request);
    var level = compiler.compile(table);
    var name = "GET " + route.path() + "/" + table.name();
    return ReadPlan.of(statements, level, compiler.readers(), preferences.count(), name);
  }

  private static ReadRun run(
      Exchange exchange, ReadRequest request, ReadPlan plan, RowFormat format) {
    var root = request.root();
    return new ReadRun(
        exchange,
        plan,
        plan.arguments(request.values()),
        format,
        request.number(root.offset(), 0),
        request.number(root.limit(), Long.MAX_VALUE));
  }
}

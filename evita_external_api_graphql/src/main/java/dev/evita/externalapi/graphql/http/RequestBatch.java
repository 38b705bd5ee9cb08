// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.graphql.http;

import dev.evita.api.EvitaException;
import dev.evita.externalapi.core.limits.Cost;
import dev.evita.externalapi.core.work.Response;
import dev.evita.externalapi.core.work.ResponseBody;
import dev.evita.externalapi.core.work.StepLoop;
import dev.evita.externalapi.graphql.documents.Planner;
import dev.evita.externalapi.graphql.input.SelectionLimits;
import dev.evita.externalapi.graphql.plan.ResponseTarget;
import dev.evita.externalapi.graphql.plan.SinglePlan;
import dev.evita.externalapi.graphql.request.GraphQlError;
import dev.evita.externalapi.graphql.request.GraphQlErrorCode;
import dev.evita.externalapi.graphql.request.GraphQlRequest;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Several requests of one body. They are executed one after another, and their responses are an
 * array in the same order, each with errors of its own. Limits apply to the whole batch.
 *
 * <p>Like {@code QueryExecution}, it does not deepen the stack if executions end immediately. On a
 * worker thread, since each document may have to be compiled.
 */
public final class RequestBatch implements ResponseTarget, Runnable {

  private final Response response;
  private final String contentType;
  private final Planner planner;
  private final SelectionLimits limits;
  private final List<GraphQlRequest> requests;
  private final StepLoop loop = new StepLoop(this::step);

  private @Nullable ResponseBody body;
  private int next;
  private int rows;
  private int rootFields;
  private int aliases;
  private double cost;

  public RequestBatch(
      Response response,
      String contentType,
      Planner planner,
      SelectionLimits limits,
      List<GraphQlRequest> requests) {
    this.response = response;
    this.contentType = contentType;
    this.planner = planner;
    this.limits = limits;
    this.requests = requests;
  }

  /** Starts the batch, or resumes with the next request. */
  @Override
  public void run() {
    loop.run();
  }

  private boolean step() {
    var out = body;
    if (out != null && next == requests.size()) {
      out.json().raw(']');
      out.end();
      return false;
    }
    if (out != null && !out.demand((Runnable) this)) {
      return false;
    }
    begin(requests.get(next++));
    return true;
  }

  private void begin(GraphQlRequest request) {
    Runnable run;
    try {
      var plan = planner.compiled(planner.text(request), request, false).requireEnd();
      requireWithinLimits(plan);
      run = plan.run(response, this, rows);
    } catch (RuntimeException e) {
      var out = open();
      GraphQlError.writeResponse(out.json(), GraphQlError.all(e, response.work().faults()));
      end(out, rows);
      return;
    }
    run.run();
  }

  private void requireWithinLimits(SinglePlan plan) {
    cost += plan.cost();
    rootFields += plan.rootFields();
    aliases += plan.aliases();
    var maxCost = response.work().limits().maxCost();
    if (cost > maxCost) {
      throw Cost.tooCostly(cost, maxCost);
    }
    requireAtMost(
        GraphQlErrorCode.TOO_MANY_ROOT_FIELDS, rootFields, limits.maxRootFields(), "root-fields");
    requireAtMost(GraphQlErrorCode.TOO_MANY_ALIASES, aliases, limits.maxAliases(), "aliases");
  }

  private static void requireAtMost(EvitaException.Code code, int count, int most, String what) {
    if (count > most) {
      throw new EvitaException(
          code,
          "The batch has "
              + count
              + " "
              + what.replace('-', ' ')
              + " up to here, more than "
              + most
              + ", the limit of max-"
              + what);
    }
  }

  @Override
  public ResponseBody open() {
    var open = body;
    if (open == null) {
      open = response.respond(200, contentType);
      body = open;
      open.json().raw('[');
    } else {
      open.json().raw(',');
    }
    return open;
  }

  @Override
  public void end(ResponseBody out, int rowsSoFar) {
    rows = rowsSoFar;
    loop.ended();
  }
}

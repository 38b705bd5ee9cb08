// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.graphql.subscriptions;

import dev.evita.api.Demand;
import dev.evita.api.EvitaException;
import dev.evita.api.Execution;
import dev.evita.api.Row;
import dev.evita.api.RowSink;
import dev.evita.externalapi.core.limits.Quota;
import dev.evita.externalapi.core.work.Response;
import dev.evita.externalapi.core.work.ResponseBody;
import dev.evita.externalapi.graphql.plan.StreamPlan;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One batch of a stream: either all of it or, on failure, an error. */
final class StreamBatchExecution implements RowSink, Runnable {

  private final Response response;
  private final StreamPlan plan;
  private final Quota quota;
  private List<?> position;
  private @Nullable ResponseBody body;
  private @Nullable Execution execution;
  private int rows;
  private @Nullable RuntimeException failure;

  /**
   * @param position the position after which the batch's rows begin
   */
  StreamBatchExecution(Response response, StreamPlan plan, List<?> position) {
    this.response = response;
    this.plan = plan;
    this.quota = Quota.of(response.work().limits(), 0);
    this.position = position;
  }

  /** The number of its rows. */
  int rows() {
    return rows;
  }

  /** The position of its last row. */
  List<?> position() {
    return position;
  }

  @Override
  public void run() {
    var prepared = plan.prepare(position.size());
    var out = response.respond(200, "application/json");
    out.json().raw("{\"data\":{\"" + plan.source().key() + "\":[");
    body = out;
    prepared.run(plan.arguments(position), null, this);
  }

  @Override
  public void started(Execution started) {
    execution = started;
    response.work().started(started);
  }

  @Override
  public int maxHeldRows() {
    return response.work().limits().maxHeldRows();
  }

  @Override
  public Demand row(Row row) {
    var out = body;
    var running = execution;
    if (out == null || running == null) {
      return Demand.STOP;
    }
    try {
      quota.count();
      if (rows > 0) {
        out.json().raw(',');
      }
      plan.source().shape().write(out.json(), row, quota);
      position = plan.position(row);
      rows++;
    } catch (RuntimeException e) {
      failure = e;
      return Demand.STOP;
    }
    return out.demand(running);
  }

  @Override
  public void completed(long affected) {
    var out = body;
    if (failure != null) {
      response.work().fail(failure);
    } else if (out != null) {
      out.json().raw("]}}");
      out.end();
    }
  }

  @Override
  public void failed(EvitaException problem) {
    response.work().fail(problem);
  }
}

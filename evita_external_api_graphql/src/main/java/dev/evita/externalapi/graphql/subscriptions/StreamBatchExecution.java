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

/** One batch of a stream. All of it or, where it fails, an error. */
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
   * @param position the batch's rows are beyond it
   */
  StreamBatchExecution(Response response, StreamPlan plan, List<?> position) {
    this.response = response;
    this.plan = plan;
    this.quota = Quota.of(response.work().limits(), 0);
    this.position = position;
  }

  /** How many rows it has. */
  int rows() {
    return rows;
  }

  /** Where its last row stands. */
  List<?> position() {
    return position;
  }

  @Override
  public void run() {
    var prepared = plan.prepare(position.size());
    var answer = response.respond(200, "application/json");
    answer.json().raw("{\"data\":{\"" + plan.source().key() + "\":[");
    body = answer;
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
    var answer = body;
    var running = execution;
    if (answer == null || running == null) {
      return Demand.STOP;
    }
    try {
      quota.count();
      if (rows > 0) {
        answer.json().raw(',');
      }
      plan.source().shape().write(answer.json(), row, quota);
      position = plan.position(row);
      rows++;
    } catch (RuntimeException e) {
      failure = e;
      return Demand.STOP;
    }
    return answer.demand(running);
  }

  @Override
  public void completed(long affected) {
    var answer = body;
    if (failure != null) {
      response.work().fail(failure);
    } else if (answer != null) {
      answer.json().raw("]}}");
      answer.end();
    }
  }

  @Override
  public void failed(EvitaException problem) {
    response.work().fail(problem);
  }
}

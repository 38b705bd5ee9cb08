// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.graphql.subscriptions;

import dev.evita.api.EvitaException;
import dev.evita.api.TableName;
import dev.evita.externalapi.core.live.LiveTask;
import dev.evita.externalapi.core.live.ReadTables;
import dev.evita.externalapi.core.work.PlacementHistory;
import dev.evita.externalapi.core.work.Response;
import dev.evita.externalapi.graphql.documents.Planner;
import dev.evita.externalapi.graphql.plan.StreamPlan;
import dev.evita.externalapi.graphql.request.GraphQlError;
import dev.evita.externalapi.graphql.request.OperationRequest;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A stream of one subscriber: batch after batch after its position. The next one is read when the
 * client's socket has accepted the last, so a slow consumer delays the stream.
 *
 * <p>Thread-safe. The subscriber is called under its monitor, so no result follows the end.
 */
final class LiveStream implements Subscription, LiveTask.Task {

  private final Subscriptions all;
  private final OperationRequest operation;
  private final Subscriber subscriber;
  private final PlacementHistory plan = new PlacementHistory("GraphQL stream");
  private final LiveTask live;
  private StreamPlan stream;
  private List<?> position;
  private boolean ended;
  private @Nullable StreamBatchExecution run;

  /**
   * @param lastId the id of the client's last result; empty for nothing
   */
  LiveStream(
      Subscriptions all,
      OperationRequest operation,
      StreamPlan stream,
      Subscriber subscriber,
      String lastId) {
    this.all = all;
    this.operation = operation;
    this.stream = stream;
    this.subscriber = subscriber;
    var resumed = lastId.isEmpty() ? null : stream.position(lastId);
    this.position = resumed == null ? stream.initial() : resumed;
    this.live = new LiveTask(all.background(), all.tables(), this);
    live.watch(tables(stream), Map.of());
  }

  private static Set<TableName> tables(StreamPlan stream) {
    return ReadTables.by(List.of(stream.select(0)));
  }

  @Override
  public void start() {
    live.request();
  }

  @Override
  public void begin(Response response) {
    StreamBatchExecution next;
    synchronized (this) {
      next = new StreamBatchExecution(response, stream, position);
      run = next;
    }
    response.work().dispatch(plan, false, next);
  }

  @Override
  public void completed(byte[] json, OptionalLong version) {
    boolean full;
    synchronized (this) {
      var batch = run;
      run = null;
      if (ended || batch == null || batch.rows() == 0) {
        return;
      }
      full = batch.rows() == stream.batchSize();
      position = batch.position();
      live.hold(); // first: the subscriber may send it at once
      subscriber.next(new SubscriptionResult(json, stream.text(position)));
    }
    if (full) {
      live.request();
    }
  }

  @Override
  public void taken() {
    live.release();
  }

  @Override
  public void failed(EvitaException failure) {
    fail(List.of(GraphQlError.of(failure, List.of(), List.of())));
  }

  private void fail(List<GraphQlError> errors) {
    synchronized (this) {
      if (ended) {
        return;
      }
      ended = true;
      subscriber.failed(errors);
    }
    end();
  }

  private void end() {
    all.ended(this);
    live.end();
  }

  @Override
  public void stop() {
    synchronized (this) {
      if (ended) {
        return;
      }
      ended = true;
    }
    end();
  }

  /** Resumes with the schema of another epoch, or ends if the stream is not valid in it. */
  void move(Planner next) {
    StreamPlan compiled;
    try {
      if (!(next.compiled(operation.text(), operation.request(), false)
          instanceof StreamPlan batches)) {
        throw Subscriptions.otherKind();
      }
      compiled = batches;
    } catch (RuntimeException e) {
      fail(GraphQlError.all(e, all.background().faults()));
      return;
    }
    synchronized (this) {
      stream = compiled;
    }
    live.watch(tables(compiled), Map.of());
    live.request();
  }
}

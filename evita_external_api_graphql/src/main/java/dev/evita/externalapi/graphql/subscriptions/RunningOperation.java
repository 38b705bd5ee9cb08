// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.graphql.subscriptions;

import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import dev.evita.externalapi.core.live.BackgroundWork;
import dev.evita.externalapi.core.work.Response;
import dev.evita.externalapi.core.work.Work;
import dev.evita.externalapi.graphql.plan.BoundPlan;
import dev.evita.externalapi.graphql.plan.SinglePlan;
import dev.evita.externalapi.graphql.plan.SingleResponse;
import dev.evita.externalapi.graphql.plan.SubscriptionPlan;
import dev.evita.externalapi.graphql.request.GraphQlError;
import dev.evita.externalapi.graphql.request.GraphQlRequest;
import dev.evita.externalapi.graphql.request.OperationRequest;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One operation of any kind over a connection that stays open: compiled if it is not cached, then
 * executed once, or subscribed to.
 *
 * <p>Thread-safe: {@link #stop} may be called at any time.
 */
public final class RunningOperation implements BackgroundWork.ResultListener {

  private static final String JSON = "application/json";
  private static final byte[] NOTHING = {};

  /**
   * Restarts over more than a second in total, within which the schema is certain to be refreshed.
   */
  private static final int MOST_RESTARTS = 30;

  /** The client of an operation. */
  public interface Client extends Subscriber {

    /** Announces a query or mutation: the next message is the last. */
    void single();
  }

  private final Subscriptions all;
  private final GraphQlRequest request;
  private final String lastId;
  private final boolean queryOnly;
  private final Client client;
  private @Nullable Subscription feed;
  private @Nullable Work work;
  private @Nullable List<GraphQlError> errors;
  private boolean stopped;
  private int restarts;

  /**
   * Creates an operation that is not started yet.
   *
   * @param lastId the id of the client's last result; empty for nothing
   * @param queryOnly whether a mutation is rejected
   */
  public RunningOperation(
      Subscriptions all, GraphQlRequest request, String lastId, boolean queryOnly, Client client) {
    this.all = all;
    this.request = request;
    this.lastId = lastId;
    this.queryOnly = queryOnly;
    this.client = client;
  }

  /** Starts it; the client is notified of all results, possibly before this returns. */
  public void start() {
    if (stopped()) {
      return;
    }
    try {
      var text = all.planner().text(request);
      switch (all.planner().ready(text, request, queryOnly)) {
        case SubscriptionPlan plan -> subscribe(new OperationRequest(text, request), plan);
        case SinglePlan plan -> {
          var response = open();
          response.work().dispatch(plan.plan(), plan.bounded(), run(response, plan));
        }
        case null -> {
          var response = open();
          response.work().dispatch(all.compiling(), false, () -> compile(response, text));
        }
      }
    } catch (RuntimeException e) {
      client.failed(GraphQlError.all(e, all.background().faults()));
    }
  }

  private synchronized boolean stopped() {
    return stopped;
  }

  private Response open() {
    var response = all.background().open(this);
    synchronized (this) {
      work = response.work();
    }
    return response;
  }

  private Runnable run(Response response, SinglePlan plan) {
    client.single();
    return plan.run(response, new SingleResponse(response, JSON), 0);
  }

  private void compile(Response response, String text) {
    BoundPlan planned;
    try {
      planned = all.planner().compiled(text, request, queryOnly);
    } catch (RuntimeException e) {
      var problems = GraphQlError.all(e, all.background().faults());
      if (problems.getFirst().code() != ErrorCode.CATALOG_CHANGED || !response.work().restart()) {
        errors = problems;
        response.send(200, JSON, NOTHING);
      }
      return;
    }
    switch (planned) {
      case SubscriptionPlan plan -> {
        response.send(200, JSON, NOTHING);
        subscribe(new OperationRequest(text, request), plan);
      }
      case SinglePlan plan -> run(response, plan).run();
    }
  }

  @Override
  public void completed(byte[] json) {
    var problems = errors;
    if (problems != null) {
      client.failed(problems);
    } else if (json.length > 0) {
      client.next(new SubscriptionResult(json, null));
    }
  }

  @Override
  public void failed(EvitaException failure) {
    if (failure.code() == ErrorCode.CATALOG_CHANGED && restarts++ < MOST_RESTARTS) {
      all.later(this::start);
      return;
    }
    client.failed(List.of(GraphQlError.of(failure, List.of(), List.of())));
  }

  private void subscribe(OperationRequest operation, SubscriptionPlan plan) {
    var subscription = all.feed(operation, plan, client, lastId);
    boolean late;
    synchronized (this) {
      work = null;
      feed = subscription;
      late = stopped;
    }
    if (!late) {
      subscription.start();
    }
  }

  /** Called when the client's socket has accepted the last result. */
  public void taken() {
    var current = feed();
    if (current != null) {
      current.taken();
    }
  }

  private synchronized @Nullable Subscription feed() {
    return feed;
  }

  /** Stops it. Idempotent. */
  public void stop() {
    Work current;
    synchronized (this) {
      stopped = true;
      current = work;
    }
    var subscription = feed();
    if (subscription != null) {
      subscription.stop();
    }
    if (current != null) {
      current.cancel();
    }
  }
}

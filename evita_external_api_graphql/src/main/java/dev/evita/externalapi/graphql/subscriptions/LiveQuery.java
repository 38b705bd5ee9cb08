// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.graphql.subscriptions;

import dev.evita.api.EvitaException;
import dev.evita.externalapi.core.live.LiveTask;
import dev.evita.externalapi.core.work.Response;
import dev.evita.externalapi.graphql.documents.Planner;
import dev.evita.externalapi.graphql.plan.LiveQueryPlan;
import dev.evita.externalapi.graphql.plan.QueryPlan;
import dev.evita.externalapi.graphql.plan.SingleResponse;
import dev.evita.externalapi.graphql.request.GraphQlError;
import dev.evita.externalapi.graphql.request.OperationRequest;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A query that is executed again whenever a table that it reads has changed: once for all
 * subscribers to the same plan with the same arguments.
 *
 * <p>Thread-safe. Subscribers are notified under its monitor, so that each receives results in the
 * order of the executions.
 */
final class LiveQuery implements LiveTask.Task {

  private final Subscriptions all;
  private final OperationRequest operation;
  private final LiveTask run;
  private final Set<Subscriber> subscribers = new HashSet<>();

  /** Subscribers that have not received a result yet, and the id of the result that each has. */
  private final Map<Subscriber, String> newcomers = new HashMap<>();

  private QueryPlan plan;
  private @Nullable SubscriptionResult result;

  /** The table versions from which the result was read; empty if they may have changed since. */
  private OptionalLong version = OptionalLong.empty();

  private boolean ended;

  LiveQuery(Subscriptions all, OperationRequest operation, QueryPlan plan) {
    this.all = all;
    this.operation = operation;
    this.plan = plan;
    this.run = new LiveTask(all.background(), all.tables(), this);
    run.watch(plan.tables(), plan.keys());
  }

  /**
   * Adds a subscriber, which receives the current result soon.
   *
   * @param known the id of the result that it has; empty for none
   * @return false where this query has ended already
   */
  boolean add(Subscriber subscriber, String known) {
    synchronized (this) {
      if (ended) {
        return false;
      }
      subscribers.add(subscriber);
      var current = result;
      if (current != null && run.current(version)) {
        send(subscriber, current, known);
        return true;
      }
      newcomers.put(subscriber, known);
    }
    run.request();
    return true;
  }

  private static void send(Subscriber subscriber, SubscriptionResult current, String known) {
    if (known.isEmpty() || !known.equals(current.id())) {
      subscriber.next(current);
    }
  }

  void remove(Subscriber subscriber) {
    synchronized (this) {
      subscribers.remove(subscriber);
      newcomers.remove(subscriber);
      if (ended || !subscribers.isEmpty()) {
        return;
      }
      ended = true;
    }
    end();
  }

  private void end() {
    all.ended(this);
    run.end();
  }

  @Override
  public void begin(Response response) {
    QueryPlan current;
    synchronized (this) {
      current = plan;
    }
    var target = new SingleResponse(response, "application/json");
    response.work().dispatch(current.plan(), false, current.run(response, target, 0));
  }

  @Override
  public synchronized void completed(byte[] json, OptionalLong of) {
    if (!ended) {
      version = of; // first: a notified subscriber may send others at once
      publish(new SubscriptionResult(json, null));
    }
  }

  private void publish(SubscriptionResult latest) {
    var before = result;
    if (before != null && before.isSame(latest)) {
      newcomers.forEach((subscriber, known) -> send(subscriber, before, known));
    } else {
      result = latest;
      for (var subscriber : subscribers) {
        send(subscriber, latest, newcomers.getOrDefault(subscriber, ""));
      }
    }
    newcomers.clear();
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
      var notified = new ArrayList<>(subscribers);
      subscribers.clear();
      newcomers.clear();
      notified.forEach(subscriber -> subscriber.failed(errors));
    }
    end();
  }

  /** Resumes with the schema of another epoch, or ends if the query is not valid in it. */
  void move(Planner next) {
    QueryPlan compiled;
    try {
      if (!(next.compiled(operation.text(), operation.request(), false)
          instanceof LiveQueryPlan(var query))) {
        throw Subscriptions.otherKind();
      }
      compiled = query;
    } catch (RuntimeException e) {
      fail(GraphQlError.all(e, all.background().faults()));
      return;
    }
    synchronized (this) {
      plan = compiled;
      version = OptionalLong.empty();
    }
    run.watch(compiled.tables(), compiled.keys());
    run.request();
  }
}

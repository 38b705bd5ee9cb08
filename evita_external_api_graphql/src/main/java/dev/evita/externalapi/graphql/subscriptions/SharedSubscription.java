// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.graphql.subscriptions;

import dev.evita.externalapi.graphql.plan.QueryPlan;
import dev.evita.externalapi.graphql.request.OperationRequest;
import org.jspecify.annotations.Nullable;

/**
 * One of several subscriptions to a live query. Its subscriber receives the latest result, so the
 * query never waits for it. Thread-safe.
 */
final class SharedSubscription implements Subscription {

  private final Subscriptions all;
  private final OperationRequest operation;
  private final QueryPlan plan;
  private final Subscriber subscriber;
  private final String lastId;
  private @Nullable LiveQuery query;
  private boolean stopped;

  SharedSubscription(
      Subscriptions all,
      OperationRequest operation,
      QueryPlan plan,
      Subscriber subscriber,
      String lastId) {
    this.all = all;
    this.operation = operation;
    this.plan = plan;
    this.subscriber = subscriber;
    this.lastId = lastId;
  }

  @Override
  public synchronized void start() {
    while (!stopped && query == null) {
      var shared = all.query(operation, plan);
      if (shared.add(subscriber, lastId)) {
        query = shared;
      }
    }
  }

  @Override
  public void taken() {}

  @Override
  public void stop() {
    LiveQuery left;
    synchronized (this) {
      stopped = true;
      left = query;
      query = null;
    }
    if (left != null) {
      left.remove(subscriber);
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.graphql;

import org.jspecify.annotations.Nullable;

/**
 * One of several subscriptions to a live query. Its subscriber gets the latest result, so the query
 * never waits for it. Thread-safe.
 */
final class SharedFeed implements Feed {

  private final Subscriptions all;
  private final Ask ask;
  private final Planned planned;
  private final Subscriber subscriber;
  private final String lastId;
  private @Nullable LiveQuery query;
  private boolean stopped;

  SharedFeed(Subscriptions all, Ask ask, Planned planned, Subscriber subscriber, String lastId) {
    this.all = all;
    this.ask = ask;
    this.planned = planned;
    this.subscriber = subscriber;
    this.lastId = lastId;
  }

  @Override
  public synchronized void start() {
    while (!stopped && query == null) {
      var shared = all.query(ask, planned);
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

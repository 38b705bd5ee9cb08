// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.graphql.subscriptions;

import dev.evita.api.ErrorCode;
import dev.evita.externalapi.core.live.BackgroundWork;
import dev.evita.externalapi.core.live.CommitWatch;
import dev.evita.externalapi.core.work.PlacementHistory;
import dev.evita.externalapi.graphql.documents.Planner;
import dev.evita.externalapi.graphql.plan.LiveQueryPlan;
import dev.evita.externalapi.graphql.plan.OperationVariant;
import dev.evita.externalapi.graphql.plan.QueryPlan;
import dev.evita.externalapi.graphql.plan.StreamPlan;
import dev.evita.externalapi.graphql.plan.SubscriptionPlan;
import dev.evita.externalapi.graphql.request.OperationRequest;
import dev.evita.externalapi.graphql.request.RequestError;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * All running subscriptions of a server: they outlive the catalog's epochs. Thread-safe.
 *
 * <p>Each subscriber has a {@link Subscription} of its own; those of equal live queries share a
 * {@link LiveQuery}.
 */
public final class Subscriptions {

  /** Equal for executions with equal results. */
  private record Key(OperationVariant.Query variant, List<@Nullable Object> executed) {}

  private final BackgroundWork background;
  private final CommitWatch tables;
  private final PlacementHistory compiling =
      new PlacementHistory("GraphQL documents seen for the first time");
  private final Map<Key, LiveQuery> queries = new ConcurrentHashMap<>();
  private final Map<LiveQuery, Key> keys = new ConcurrentHashMap<>();
  private final Set<LiveStream> streams = ConcurrentHashMap.newKeySet();
  private volatile Planner planner;

  public Subscriptions(BackgroundWork background, CommitWatch tables, Planner planner) {
    this.background = background;
    this.tables = tables;
    this.planner = planner;
  }

  public BackgroundWork background() {
    return background;
  }

  CommitWatch tables() {
    return tables;
  }

  PlacementHistory compiling() {
    return compiling;
  }

  /** The schema of the current epoch. */
  Planner planner() {
    return planner;
  }

  /** Schedules a retry of a task that was rejected for lack of capacity. */
  void later(Runnable again) {
    background.later(again);
  }

  /**
   * Returns a subscription, which is not started yet.
   *
   * @param lastId the id of the client's last result, as {@link SubscriptionResult#id}; empty for
   *     nothing
   */
  Subscription feed(
      OperationRequest operation, SubscriptionPlan plan, Subscriber subscriber, String lastId) {
    return switch (plan) {
      case LiveQueryPlan(var query) ->
          new SharedSubscription(this, operation, query, subscriber, lastId);
      case StreamPlan stream -> {
        var feed = new LiveStream(this, operation, stream, subscriber, lastId);
        streams.add(feed);
        yield feed;
      }
    };
  }

  /** Returns the live query of this plan with these arguments; it may have ended meanwhile. */
  LiveQuery query(OperationRequest operation, QueryPlan plan) {
    return queries.computeIfAbsent(
        new Key(plan.variant(), plan.executed()),
        key -> {
          var created = new LiveQuery(this, operation, plan);
          keys.put(created, key);
          return created;
        });
  }

  void ended(LiveQuery query) {
    var key = keys.remove(query);
    if (key != null) {
      queries.remove(key, query);
    }
  }

  void ended(LiveStream stream) {
    streams.remove(stream);
  }

  /** The number of different live queries and streams. */
  public int count() {
    return keys.size() + streams.size();
  }

  /** Returns the failure of a subscription whose document is of another kind in the next epoch. */
  static RequestError otherKind() {
    return RequestError.of(
        ErrorCode.CATALOG_CHANGED,
        "A live query became a stream, or a stream a live query, as the catalog changed; subscribe"
            + " again");
  }

  /**
   * Switches to another epoch: all subscriptions resume with its schema, or end. May block on the
   * engine.
   */
  public void move(Planner next) {
    planner = next;
    // Subscriptions created from now on are compiled with the new schema and share nothing with
    // these.
    queries.clear();
    new ArrayList<>(keys.keySet()).forEach(query -> query.move(next));
    new ArrayList<>(streams).forEach(stream -> stream.move(next));
  }
}

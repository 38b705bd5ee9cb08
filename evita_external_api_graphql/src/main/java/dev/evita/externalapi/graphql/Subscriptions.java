// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.graphql;

import dev.evita.externalapi.core.Background;
import dev.evita.externalapi.core.Plan;
import dev.evita.externalapi.core.TableVersions;
import dev.evita.externalapi.core.Turns;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * All running subscriptions of a server: they outlive the catalog's epochs. Thread-safe.
 *
 * <p>Each subscriber has a {@link Feed} of its own; those of equal live queries share a {@link
 * LiveQuery}.
 */
final class Subscriptions {

  /** Equal where the same would run. */
  private record Key(Variant variant, List<@Nullable Object> asked) {}

  private final Background background;
  private final TableVersions tables;
  private final SubscriptionOptions options;
  private final Plan compiling = new Plan("GraphQL documents seen for the first time");
  private final Map<Key, LiveQuery> queries = new ConcurrentHashMap<>();
  private final Map<LiveQuery, Key> keys = new ConcurrentHashMap<>();
  private final Set<LiveStream> streams = ConcurrentHashMap.newKeySet();
  private volatile Planner planner;

  Subscriptions(
      Background background, TableVersions tables, SubscriptionOptions options, Planner planner) {
    this.background = background;
    this.tables = tables;
    this.options = options;
    this.planner = planner;
  }

  Background background() {
    return background;
  }

  TableVersions tables() {
    return tables;
  }

  SubscriptionOptions options() {
    return options;
  }

  Turns turns() {
    return background.turns();
  }

  Plan compiling() {
    return compiling;
  }

  /** Of the current epoch. */
  Planner planner() {
    return planner;
  }

  /** Tries again in a moment what found no place. */
  void later(Runnable again) {
    background.later(again);
  }

  /**
   * A subscription, which is yet to be started.
   *
   * @param lastId what the client had last, as {@link Result#id}; empty for nothing
   */
  Feed feed(Ask ask, Planned planned, Subscriber subscriber, String lastId) {
    var stream = planned.stream();
    if (stream == null) {
      return new SharedFeed(this, ask, planned, subscriber, lastId);
    }
    var feed = new LiveStream(this, ask, stream, subscriber, lastId);
    streams.add(feed);
    return feed;
  }

  /** The live query that runs this plan with these arguments; it may have ended meanwhile. */
  LiveQuery query(Ask ask, Planned planned) {
    return queries.computeIfAbsent(
        new Key(planned.variant(), planned.asked()),
        key -> {
          var created = new LiveQuery(this, ask, planned);
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

  /** How many different live queries and streams there are. */
  int count() {
    return keys.size() + streams.size();
  }

  /** Another epoch begins: all go on with its schema, or end. May block on the engine. */
  void move(Planner next) {
    planner = next;
    // Those that come from now on are compiled with the new schema and share nothing with these.
    queries.clear();
    new ArrayList<>(keys.keySet()).forEach(query -> query.move(next));
    new ArrayList<>(streams).forEach(stream -> stream.move(next));
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core.live;

import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import java.security.SecureRandom;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/**
 * The feeds of row changes of one protocol of one server: they outlive the catalog's epochs. Those
 * who ask the same share a feed.
 *
 * <p>Thread-safe.
 *
 * @param <K> what a client asks for, by value; the protocol compiles it
 */
public final class ChangeFeeds<K> {

  private final ChangeFeed.Parts parts;
  private final FeedOptions options;
  private final SecureRandom random = new SecureRandom();
  private final Map<K, ChangeFeed> feeds = new HashMap<>();
  private final Set<K> awaited = new HashSet<>();
  private volatile Function<K, WatchedRows> compiler;

  /**
   * Without any feed.
   *
   * @param compiler called on worker threads, once for each feed and epoch; what it throws goes to
   *     those who asked
   */
  public ChangeFeeds(
      BackgroundWork background, TableVersions tables, Function<K, WatchedRows> compiler) {
    this.parts = new ChangeFeed.Parts(background, tables);
    this.options = background.feeds();
    this.compiler = compiler;
  }

  /** Another epoch begins: all feeds go on with its schema, or end. */
  public void move(Function<K, WatchedRows> next) {
    compiler = next;
    all().forEach(ChangeFeed::move);
  }

  private synchronized List<ChangeFeed> all() {
    return List.copyOf(feeds.values());
  }

  /**
   * A subscription, which is yet to be started.
   *
   * <p>The subscriber is told {@code TOO_MANY_ROWS} or {@code ANSWER_TOO_LARGE} where there are
   * more rows to watch than {@code max-held-rows} or {@code max-feed-bytes}, and {@code
   * TOO_MANY_SUBSCRIPTIONS} where there are {@code max-feeds} others.
   */
  public ChangeSubscription subscription(
      K asked, ChangeSubscription.Start start, ChangeSubscriber subscriber) {
    return new ChangeSubscription(() -> feed(asked), start, subscriber);
  }

  private synchronized ChangeFeed feed(K asked) {
    var known = feeds.get(asked);
    if (known != null && !known.gone()) {
      return known;
    }
    if (known == null && feeds.size() >= options.maxFeeds()) {
      makeRoom();
    }
    var id = Long.toString(random.nextLong(Long.MAX_VALUE), Character.MAX_RADIX);
    var created = new ChangeFeed(parts, id, () -> compiler.apply(asked), () -> left(asked));
    feeds.put(asked, created);
    return created;
  }

  private void makeRoom() {
    var oldest =
        feeds.entrySet().stream()
            .filter(each -> each.getValue().leftNanos() != 0)
            .min(Comparator.comparingLong(each -> each.getValue().leftNanos()));
    if (oldest.isEmpty() || !oldest.get().getValue().abandon(0)) {
      throw new EvitaException(
          ErrorCode.TOO_MANY_SUBSCRIPTIONS,
          "There are "
              + options.maxFeeds()
              + " other feeds of row changes, the limit of max-feeds; try again later");
    }
    feeds.remove(oldest.get().getKey());
  }

  /** Nobody follows any more; one clock for each feed, however often clients come and go. */
  private void left(K asked) {
    boolean awaits;
    synchronized (this) {
      awaits = !forgotten(asked) && awaited.add(asked);
    }
    if (awaits) {
      parts.background().after(options.feedLinger(), () -> due(asked));
    }
  }

  private synchronized boolean forgotten(K asked) {
    var feed = feeds.get(asked);
    if (feed != null && feed.abandon(options.feedLinger().toNanos())) {
      feeds.remove(asked);
    }
    return !feeds.containsKey(asked);
  }

  private void due(K asked) {
    synchronized (this) {
      awaited.remove(asked);
      var feed = feeds.get(asked);
      if (feed == null || feed.leftNanos() == 0) {
        return;
      }
    }
    left(asked);
  }

  /** How many there are, with those that wait for clients to come back; for tests and metrics. */
  public synchronized int count() {
    return feeds.size();
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core.live;

import dev.evita.api.EvitaException;
import dev.evita.externalapi.core.error.HttpErrorCode;
import java.security.SecureRandom;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/**
 * The feeds of row changes of one protocol of one server; they outlive catalog epochs. Subscribers
 * with equal requests share a feed.
 *
 * <p>Thread-safe.
 *
 * @param <K> the request, compared by value; the protocol compiles it
 */
public final class ChangeFeeds<K> {

  private final ChangeFeed.Parts parts;
  private final FeedOptions options;
  private final SecureRandom random = new SecureRandom();
  private final Map<K, ChangeFeed> feeds = new HashMap<>();
  private final Set<K> awaited = new HashSet<>();
  private volatile Function<K, WatchedRows> compiler;

  /**
   * Creates the registry without any feed.
   *
   * @param compiler called on worker threads, once for each feed and epoch; its exceptions are
   *     passed to the subscribers
   */
  public ChangeFeeds(
      BackgroundWork background, CommitWatch tables, Function<K, WatchedRows> compiler) {
    this.parts = new ChangeFeed.Parts(background, tables);
    this.options = background.feeds();
    this.compiler = compiler;
  }

  /** Switches all feeds to the schema of another epoch, or ends them. */
  public void move(Function<K, WatchedRows> next) {
    compiler = next;
    all().forEach(ChangeFeed::move);
  }

  private synchronized List<ChangeFeed> all() {
    return List.copyOf(feeds.values());
  }

  /**
   * Creates a subscription, which is yet to be started.
   *
   * <p>The subscriber fails with {@code TOO_MANY_ROWS} or {@code ANSWER_TOO_LARGE} if the watched
   * rows exceed {@code max-held-rows} or {@code max-feed-bytes}, and with {@code
   * TOO_MANY_SUBSCRIPTIONS} if there are {@code max-feeds} others.
   */
  public ChangeSubscription subscription(
      K request, ChangeSubscription.Start start, ChangeSubscriber subscriber) {
    return new ChangeSubscription(() -> feed(request), start, subscriber);
  }

  private synchronized ChangeFeed feed(K request) {
    var known = feeds.get(request);
    if (known != null && !known.gone()) {
      return known;
    }
    if (known == null && feeds.size() >= options.maxFeeds()) {
      evictIdle();
    }
    var id = Long.toString(random.nextLong(Long.MAX_VALUE), Character.MAX_RADIX);
    var created =
        new ChangeFeed(parts, id, () -> compiler.apply(request), () -> scheduleRemoval(request));
    feeds.put(request, created);
    return created;
  }

  private void evictIdle() {
    var oldest =
        feeds.entrySet().stream()
            .filter(each -> each.getValue().leftNanos() != 0)
            .min(Comparator.comparingLong(each -> each.getValue().leftNanos()));
    if (oldest.isEmpty() || !oldest.get().getValue().abandon(0)) {
      throw new EvitaException(
          HttpErrorCode.TOO_MANY_SUBSCRIPTIONS,
          "There are "
              + options.maxFeeds()
              + " other feeds of row changes, the limit of max-feeds; retry later");
    }
    feeds.remove(oldest.get().getKey());
  }

  /**
   * Schedules the removal of a feed without subscribers; one timer for each feed, however often
   * clients come and go.
   */
  private void scheduleRemoval(K request) {
    boolean awaits;
    synchronized (this) {
      awaits = !removeIfAbandoned(request) && awaited.add(request);
    }
    if (awaits) {
      parts.background().after(options.feedLinger(), () -> checkIdle(request));
    }
  }

  private synchronized boolean removeIfAbandoned(K request) {
    var feed = feeds.get(request);
    if (feed != null && feed.abandon(options.feedLinger().toNanos())) {
      feeds.remove(request);
    }
    return !feeds.containsKey(request);
  }

  private void checkIdle(K request) {
    synchronized (this) {
      awaited.remove(request);
      var feed = feeds.get(request);
      if (feed == null || feed.leftNanos() == 0) {
        return;
      }
    }
    scheduleRemoval(request);
  }

  /**
   * The number of feeds, including those kept for clients that reconnect; for tests and metrics.
   */
  public synchronized int count() {
    return feeds.size();
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core.live;

import dev.evita.api.EvitaException;
import java.nio.ByteBuffer;
import java.util.Iterator;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * How far one subscriber has come in a feed. It keeps a position and nothing else, so that one who
 * reads slowly costs nothing; where the feed does not have all changes any more that it lacks, it
 * begins anew.
 *
 * <p>Thread-safe.
 */
public final class ChangeSubscription {

  /**
   * Where to begin.
   *
   * @param lastId the position that the client had come to; empty or {@link ChangeSink#NOWHERE} for
   *     none
   * @param rows whether it wants all rows as they are, where it has none, before their changes
   */
  public record Start(String lastId, boolean rows) {

    /** Whether it is a position at all, of this feed or of one that is gone, or none. */
    public boolean isPosition() {
      return anew() || ChangeFeed.isPosition(lastId);
    }

    private boolean anew() {
      return lastId.isEmpty() || lastId.equals(ChangeSink.NOWHERE);
    }
  }

  private final Supplier<ChangeFeed> feeds;
  private final Start start;
  private final ChangeSubscriber subscriber;
  private volatile @Nullable ChangeFeed feed;
  private volatile boolean stopped;

  // All that follows is under the feed's lock.
  private ChangeSink.@Nullable Reset reset;
  private @Nullable FeedRows rows;
  private @Nullable Iterator<Map.Entry<ByteBuffer, byte[]>> unread;
  private long position;
  private long readyAt;
  private boolean ready;

  /**
   * @param feeds the feed to follow; another where that has ended
   */
  ChangeSubscription(Supplier<ChangeFeed> feeds, Start start, ChangeSubscriber subscriber) {
    this.feeds = feeds;
    this.start = start;
    this.subscriber = subscriber;
  }

  /** Begins; the subscriber may be told before this returns. To be called without locks. */
  public void start() {
    try {
      ChangeFeed joined;
      do {
        joined = feeds.get();
        feed = joined;
      } while (!joined.add(this));
      if (stopped) {
        joined.remove(this);
      }
    } catch (EvitaException e) {
      subscriber.failed(e);
    }
  }

  /**
   * Gives what there is until the sink is full.
   *
   * @return whether there may be more
   */
  public boolean take(ChangeSink sink) {
    var from = feed;
    return from != null && !stopped && from.give(this, sink);
  }

  /** Nobody wants any more. Idempotent; to be called without locks. */
  public void stop() {
    stopped = true;
    var from = feed;
    if (from != null) {
      from.remove(this);
    }
  }

  ChangeSubscriber subscriber() {
    return subscriber;
  }

  /** The feed knows its rows. */
  void begin(ChangeFeed from) {
    var known = from.position(start.lastId());
    if (known != ChangeFeed.UNKNOWN) {
      position = known;
      readyAt = from.log().last();
    } else if (!start.anew()) {
      reset(from, ChangeSink.Reset.UNKNOWN);
    } else if (start.rows()) {
      reset(from, ChangeSink.Reset.START);
    } else {
      position = from.log().last();
      readyAt = position;
    }
  }

  private void reset(ChangeFeed from, ChangeSink.Reset why) {
    letGo();
    reset = why;
    ready = false;
    readyAt = from.log().last();
    position = readyAt;
    if (start.rows()) {
      var shared = from.rows();
      shared.readers++;
      rows = shared;
      unread = shared.rows.entrySet().iterator();
      position = shared.position;
    }
  }

  /** Reads no rows any more. */
  void letGo() {
    if (rows != null) {
      rows.readers--;
    }
    rows = null;
    unread = null;
  }

  /** The log does not go back as far any more: what was read of the rows is of no use. */
  void letGoIfBehind(ChangeLog log) {
    if (!log.holds(position)) {
      letGo();
    }
  }

  boolean give(ChangeFeed from, ChangeSink sink) {
    if (!from.log().holds(position)) {
      reset(from, ChangeSink.Reset.BEHIND);
    }
    while (!sink.full()) {
      if (!giveOne(from, sink)) {
        return false;
      }
    }
    return true;
  }

  private boolean giveOne(ChangeFeed from, ChangeSink sink) {
    if (reset != null) {
      sink.reset(reset);
      reset = null;
    } else if (unread != null && unread.hasNext()) {
      var row = unread.next();
      sink.row(ChangeFeed.bytes(row.getKey()), row.getValue());
    } else if (unread != null) {
      letGo();
    } else if (!ready && position >= readyAt) {
      ready = true;
      sink.ready(from.text(position));
    } else if (position < from.log().last()) {
      var change = from.log().after(position);
      position++;
      sink.change(change, from.text(position));
    } else {
      return false;
    }
    return true;
  }
}

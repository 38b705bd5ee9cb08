// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core.live;

import dev.evita.api.EvitaException;
import java.nio.ByteBuffer;
import java.util.Iterator;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The position of one subscriber in a feed. It keeps only a position, so that a slow consumer costs
 * no memory; if the feed no longer retains all changes since that position, it starts from the
 * beginning.
 *
 * <p>Thread-safe.
 */
public final class ChangeSubscription {

  /**
   * The start position.
   *
   * @param lastId the last position that the client received; empty or {@link ChangeSink#NOWHERE}
   *     if none
   * @param rows whether it requests a snapshot of all rows before their changes, if it has no
   *     position
   */
  public record Start(String lastId, boolean rows) {

    /** Whether the position is well-formed, of this feed or of a former one, or absent. */
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

  // Guarded by the feed's lock.
  private ChangeSink.@Nullable Reset reset;
  private @Nullable FeedRows rows;
  private @Nullable Iterator<Map.Entry<ByteBuffer, byte[]>> unread;
  private long position;
  private long readyAt;
  private boolean ready;

  /**
   * @param feeds supplies the feed to follow, and a new one if that was closed
   */
  ChangeSubscription(Supplier<ChangeFeed> feeds, Start start, ChangeSubscriber subscriber) {
    this.feeds = feeds;
    this.start = start;
    this.subscriber = subscriber;
  }

  /**
   * Starts the subscription; the subscriber may be called before this returns. To be called without
   * locks.
   */
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
   * Delivers events until the sink is full.
   *
   * @return whether there may be more
   */
  public boolean take(ChangeSink sink) {
    var from = feed;
    return from != null && !stopped && from.deliver(this, sink);
  }

  /** Cancels the subscription. Idempotent; to be called without locks. */
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

  /** Begins, once the feed has read its rows. */
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
    releaseRows();
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

  /** Releases the snapshot. */
  void releaseRows() {
    if (rows != null) {
      rows.readers--;
    }
    rows = null;
    unread = null;
  }

  /**
   * Releases the snapshot if the log no longer reaches back to it: the rows read so far are void.
   */
  void releaseRowsIfBehind(ChangeLog log) {
    if (!log.holds(position)) {
      releaseRows();
    }
  }

  boolean deliver(ChangeFeed from, ChangeSink sink) {
    if (!from.log().holds(position)) {
      reset(from, ChangeSink.Reset.BEHIND);
    }
    while (!sink.full()) {
      if (!deliverOne(from, sink)) {
        return false;
      }
    }
    return true;
  }

  private boolean deliverOne(ChangeFeed from, ChangeSink sink) {
    if (reset != null) {
      sink.reset(reset);
      reset = null;
    } else if (unread != null && unread.hasNext()) {
      var row = unread.next();
      sink.row(ChangeFeed.bytes(row.getKey()), row.getValue());
    } else if (unread != null) {
      releaseRows();
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

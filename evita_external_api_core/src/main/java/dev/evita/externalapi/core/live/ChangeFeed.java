// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core.live;

import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import dev.evita.externalapi.core.work.PlacementHistory;
import dev.evita.externalapi.core.work.Response;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The changes of the rows that one request watches, shared by all subscribers with an equal
 * request.
 *
 * <p>Whenever a table that it reads changes, it reads all rows again and compares them, by key,
 * with the previous ones. So it requires nothing of an engine but selects, and publishes each
 * change of a row once, whatever its cause: a statement, a cascade, a trigger, another program, or
 * another row that a filter refers to.
 *
 * <pre>
 * no subscribers: DORMANT, with rows and log --subscribe--> a Round: reads, compares, publishes
 *        ^      '--too long--> closed                               |
 *        '-----------------last one left, or a read failed----------'
 * </pre>
 *
 * <p>A dormant feed reads nothing. Changes in the meantime are found by the first read of the next
 * round, so that a subscriber that reconnects misses none.
 *
 * <p>Thread-safe. Subscribers and rounds are called without its lock.
 */
final class ChangeFeed {

  /** The result for a position that is not in the log. */
  static final long UNKNOWN = -1;

  private static final Pattern POSITION = Pattern.compile("[0-9a-z]{1,13}-[0-9]{1,19}");

  /** The parts that all feeds of one server share. */
  record Parts(BackgroundWork background, CommitWatch tables) {}

  private final Parts parts;
  private final String id;
  private final Supplier<WatchedRows> compiler;
  private final Runnable onEmpty;
  private final ChangeLog log;
  private final PlacementHistory plan = new PlacementHistory("feed of row changes");
  private final Set<ChangeSubscription> subscribers = new HashSet<>();
  private final Set<ChangeSubscription> pendingSubscribers = new HashSet<>();
  private @Nullable Map<ByteBuffer, byte[]> rows;

  /** The table versions that the rows were read at; empty if they may have changed since. */
  private OptionalLong version = OptionalLong.empty();

  private @Nullable FeedRows shared;
  private @Nullable WatchedRows watched;
  private int epochs;
  private @Nullable Round round;
  private long leftNanos;
  private boolean gone;

  /**
   * @param id the prefix of each position, unique among feeds
   * @param compiler compiles the request with the current schema
   * @param onEmpty called when the last subscriber has left
   */
  ChangeFeed(Parts parts, String id, Supplier<WatchedRows> compiler, Runnable onEmpty) {
    this.parts = parts;
    this.id = id;
    this.compiler = compiler;
    this.onEmpty = onEmpty;
    var options = parts.background().feeds();
    this.log = new ChangeLog(options.feedLogChanges(), options.feedLogBytes());
  }

  /** The period from the first subscription to the departure of the last subscriber. */
  private final class Round implements LiveTask.Task {

    private final LiveTask live;
    private @Nullable WatchedRows listening;
    private @Nullable WatchedRowsReader run;
    private @Nullable RuntimeException refusal;

    Round() {
      live = new LiveTask(parts.background(), parts.tables(), this);
    }

    @Override
    public void begin(Response response) {
      response.work().dispatch(plan, false, () -> read(response));
    }

    private void read(Response response) {
      WatchedRows current;
      try {
        current = watched();
      } catch (EvitaException e) {
        response.work().fail(e);
        return;
      } catch (RuntimeException e) {
        refusal = e; // an exception of the protocol, which the protocol reports
        response
            .work()
            .fail(new EvitaException(ErrorCode.INVALID_OPERATION, String.valueOf(e.getMessage())));
        return;
      }
      if (!current.equals(listening)) {
        listening = current;
        live.watch(current.tables(), current.keys());
      }
      var maxBytes = parts.background().feeds().maxFeedBytes();
      var next = new WatchedRowsReader(response, current.encoder(), maxBytes);
      run = next;
      current.rows().run(current.arguments(), null, next);
    }

    @Override
    public void completed(byte[] nothing, OptionalLong version) {
      ended(this, Objects.requireNonNull(run).rows(), version);
    }

    @Override
    public void failed(EvitaException failure) {
      fail(this, refusal == null ? failure : refusal);
    }
  }

  private WatchedRows watched() {
    int before;
    synchronized (this) {
      if (watched != null) {
        return watched;
      }
      before = epochs;
    }
    var compiled = compiler.get();
    synchronized (this) {
      if (before == epochs) {
        watched = compiled;
      }
    }
    return compiled;
  }

  /** Switches to another catalog epoch. */
  void move() {
    Round current;
    synchronized (this) {
      epochs++;
      watched = null;
      version = OptionalLong.empty();
      current = round;
    }
    if (current != null) {
      current.live.request();
    }
  }

  /**
   * Adds a subscriber; it begins once the current rows are known.
   *
   * @return false if this feed is closed
   */
  boolean add(ChangeSubscription subscription) {
    Round current;
    boolean known;
    synchronized (this) {
      if (gone) {
        return false;
      }
      subscribers.add(subscription);
      current = round;
      if (current == null) {
        current = new Round();
        round = current;
      }
      known = rows != null && current.live.current(version);
      if (known) {
        subscription.begin(this);
      } else {
        pendingSubscribers.add(subscription);
      }
    }
    if (known) {
      subscription.subscriber().started();
    } else {
      current.live.request();
    }
    return true;
  }

  void remove(ChangeSubscription subscription) {
    Round left;
    synchronized (this) {
      if (!subscribers.remove(subscription)) {
        return;
      }
      pendingSubscribers.remove(subscription);
      subscription.releaseRows();
      if (!subscribers.isEmpty()) {
        return;
      }
      left = deactivate();
    }
    end(left);
  }

  private @Nullable Round deactivate() {
    var left = round;
    round = null;
    shared = null;
    version = OptionalLong.empty();
    leftNanos = System.nanoTime();
    gone |= rows == null; // without rows, no subscriber could resume
    return left;
  }

  private void end(@Nullable Round left) {
    if (left != null) {
      left.live.end();
    }
    onEmpty.run();
  }

  @SuppressWarnings("ReferenceEquality") // compares identity
  private void ended(Round of, Map<ByteBuffer, byte[]> next, OptionalLong read) {
    List<ChangeSubscription> started;
    var notified = new ArrayList<ChangeSubscription>();
    synchronized (this) {
      if (round != of) {
        return;
      }
      version = read;
      started = List.copyOf(pendingSubscribers);
      if (compare(next)) {
        for (var each : subscribers) {
          if (!pendingSubscribers.contains(each)) {
            each.releaseRowsIfBehind(log);
            notified.add(each);
          }
        }
      }
      pendingSubscribers.clear();
      started.forEach(each -> each.begin(this));
    }
    started.forEach(each -> each.subscriber().started());
    notified.forEach(each -> each.subscriber().changed());
  }

  /**
   * Compares the rows with the previous ones and logs the changes; returns whether there are any.
   */
  private boolean compare(Map<ByteBuffer, byte[]> next) {
    var before = rows;
    if (before == null) {
      rows = next;
      return false;
    }
    var last = log.last();
    for (var key : before.keySet()) {
      if (!next.containsKey(key)) {
        log.add(Change.delete(bytes(key)));
      }
    }
    for (var row : next.entrySet()) {
      var known = before.get(row.getKey());
      if (known == null) {
        log.add(Change.insert(bytes(row.getKey()), row.getValue()));
      } else if (Arrays.equals(known, row.getValue())) {
        row.setValue(known); // so that both snapshots share equal rows
      } else {
        log.add(Change.update(bytes(row.getKey()), row.getValue()));
      }
    }
    if (log.last() == last) {
      return false;
    }
    rows = next;
    return true;
  }

  @SuppressWarnings("ReferenceEquality") // compares identity
  private void fail(Round of, RuntimeException failure) {
    List<ChangeSubscription> notified;
    synchronized (this) {
      if (round != of) {
        return;
      }
      notified = List.copyOf(subscribers);
      subscribers.forEach(ChangeSubscription::releaseRows);
      subscribers.clear();
      pendingSubscribers.clear();
      deactivate();
    }
    end(of);
    notified.forEach(each -> each.subscriber().failed(failure));
  }

  synchronized boolean deliver(ChangeSubscription subscription, ChangeSink sink) {
    return subscribers.contains(subscription) && subscription.deliver(this, sink);
  }

  /** The log; guarded by this feed's lock. */
  ChangeLog log() {
    return log;
  }

  /**
   * All rows for a new subscriber: the current ones, unless others still read an older snapshot
   * from which the log is complete. Under this feed's lock.
   */
  FeedRows rows() {
    var older = shared;
    if (older != null && older.readers > 0 && log.holds(older.position)) {
      return older;
    }
    var latest = new FeedRows(Objects.requireNonNull(rows), log.last());
    shared = latest;
    return latest;
  }

  /** Formats a position. */
  String text(long position) {
    return id + '-' + position;
  }

  /** Whether the text is a position of any feed. */
  static boolean isPosition(String text) {
    return POSITION.matcher(text).matches();
  }

  /** Parses a position; {@link #UNKNOWN} if the log does not reach back to it. */
  long position(String text) {
    var prefix = id + '-';
    if (!text.startsWith(prefix)) {
      return UNKNOWN;
    }
    try {
      var position = Long.parseLong(text.substring(prefix.length()));
      return position >= 0 && log.holds(position) ? position : UNKNOWN;
    } catch (NumberFormatException e) {
      return UNKNOWN;
    }
  }

  /**
   * The time the last subscriber left, on the clock of {@link System#nanoTime}; 0 while there is
   * one.
   */
  synchronized long leftNanos() {
    return subscribers.isEmpty() ? leftNanos : 0;
  }

  /**
   * Closes the feed if it had no subscribers for this time.
   *
   * @return whether it is closed
   */
  synchronized boolean abandon(long nanos) {
    if (subscribers.isEmpty() && System.nanoTime() - leftNanos >= nanos) {
      gone = true;
    }
    return gone;
  }

  synchronized boolean gone() {
    return gone;
  }

  @SuppressWarnings("ByteBufferBackingArray") // all keys are wrapped whole
  static byte[] bytes(ByteBuffer key) {
    return key.array();
  }
}

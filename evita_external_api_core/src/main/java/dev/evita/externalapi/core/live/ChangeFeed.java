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
 * The changes of the rows that one request watches, for all who ask the same.
 *
 * <p>Whenever a table changes that it reads, it reads all rows again and compares them with those
 * before, by key. So it needs nothing of an engine but selects, and tells each row's change once,
 * whatever made it: a statement, a cascade, a trigger, another program, or another row that a
 * filter asks for.
 *
 * <pre>
 *   nobody follows: DORMANT, with rows and log --somebody comes--> a Round: runs, compares, tells
 *        ^      '--too long--> gone                                    |
 *        '-----------------last one left, or a run failed--------------'
 * </pre>
 *
 * <p>A dormant feed reads nothing. What changes meanwhile is found by the first run of the next
 * round, so that nobody who comes back misses any of it.
 *
 * <p>Thread-safe. Subscribers and rounds are called without its lock.
 */
final class ChangeFeed {

  /** Stands for a position that is not in the log. */
  static final long UNKNOWN = -1;

  private static final Pattern POSITION = Pattern.compile("[0-9a-z]{1,13}-[0-9]{1,19}");

  /** What all feeds of one server have in common. */
  record Parts(BackgroundWork background, TableVersions tables) {}

  private final Parts parts;
  private final String id;
  private final Supplier<WatchedRows> compiler;
  private final Runnable whenLeft;
  private final ChangeLog log;
  private final PlacementHistory plan = new PlacementHistory("feed of row changes");
  private final Set<ChangeSubscription> subscribers = new HashSet<>();
  private final Set<ChangeSubscription> newcomers = new HashSet<>();
  private @Nullable Map<ByteBuffer, byte[]> rows;

  /** Of what the rows were read from; empty where that may be another by now. */
  private OptionalLong version = OptionalLong.empty();

  private @Nullable FeedRows shared;
  private @Nullable WatchedRows watched;
  private int moves;
  private @Nullable Round round;
  private long leftNanos;
  private boolean gone;

  /**
   * @param id begins each position, and is no other feed's
   * @param compiler compiles the request with the schema of the moment
   * @param whenLeft called when nobody follows any more
   */
  ChangeFeed(Parts parts, String id, Supplier<WatchedRows> compiler, Runnable whenLeft) {
    this.parts = parts;
    this.id = id;
    this.compiler = compiler;
    this.whenLeft = whenLeft;
    var options = parts.background().feeds();
    this.log = new ChangeLog(options.feedLogChanges(), options.feedLogBytes());
  }

  /** From the first who follows to the last one's leaving. */
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
        refusal = e; // the protocol's own, which it knows how to tell
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
      before = moves;
    }
    var compiled = compiler.get();
    synchronized (this) {
      if (before == moves) {
        watched = compiled;
      }
    }
    return compiled;
  }

  /** Another epoch has begun. */
  void move() {
    Round current;
    synchronized (this) {
      moves++;
      watched = null;
      version = OptionalLong.empty();
      current = round;
    }
    if (current != null) {
      current.live.request();
    }
  }

  /**
   * Adds a subscriber, which begins once the rows are known as they are now.
   *
   * @return false where this feed is gone
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
        newcomers.add(subscription);
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
      newcomers.remove(subscription);
      subscription.letGo();
      if (!subscribers.isEmpty()) {
        return;
      }
      left = sleep();
    }
    end(left);
  }

  private @Nullable Round sleep() {
    var left = round;
    round = null;
    shared = null;
    version = OptionalLong.empty();
    leftNanos = System.nanoTime();
    gone |= rows == null; // nobody could come back to anything
    return left;
  }

  private void end(@Nullable Round left) {
    if (left != null) {
      left.live.end();
    }
    whenLeft.run();
  }

  @SuppressWarnings("ReferenceEquality") // a round is no other
  private void ended(Round of, Map<ByteBuffer, byte[]> next, OptionalLong read) {
    List<ChangeSubscription> started;
    var told = new ArrayList<ChangeSubscription>();
    synchronized (this) {
      if (round != of) {
        return;
      }
      version = read;
      started = List.copyOf(newcomers);
      if (compare(next)) {
        for (var each : subscribers) {
          if (!newcomers.contains(each)) {
            each.letGoIfBehind(log);
            told.add(each);
          }
        }
      }
      newcomers.clear();
      started.forEach(each -> each.begin(this));
    }
    started.forEach(each -> each.subscriber().started());
    told.forEach(each -> each.subscriber().changed());
  }

  /** Answers whether anything is another than before; then it is in the log. */
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
        row.setValue(known); // so that two states share what is the same
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

  @SuppressWarnings("ReferenceEquality") // a round is no other
  private void fail(Round of, RuntimeException failure) {
    List<ChangeSubscription> told;
    synchronized (this) {
      if (round != of) {
        return;
      }
      told = List.copyOf(subscribers);
      subscribers.forEach(ChangeSubscription::letGo);
      subscribers.clear();
      newcomers.clear();
      sleep();
    }
    end(of);
    told.forEach(each -> each.subscriber().failed(failure));
  }

  synchronized boolean give(ChangeSubscription subscription, ChangeSink sink) {
    return subscribers.contains(subscription) && subscription.give(this, sink);
  }

  /** Under its lock. */
  ChangeLog log() {
    return log;
  }

  /**
   * All rows for one who begins: those of the moment, unless others still read older ones from
   * which the log leads on. Under its lock.
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

  /** The text of a position. */
  String text(long position) {
    return id + '-' + position;
  }

  /** Whether the text is a position, of whichever feed. */
  static boolean isPosition(String text) {
    return POSITION.matcher(text).matches();
  }

  /** The position that a text stands for, if the log goes back as far; else {@link #UNKNOWN}. */
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

  /** When the last one left, on the clock of {@link System#nanoTime}; 0 while one follows. */
  synchronized long leftNanos() {
    return subscribers.isEmpty() ? leftNanos : 0;
  }

  /**
   * Nobody shall come back to it, unless somebody has within this time.
   *
   * @return whether it is gone
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

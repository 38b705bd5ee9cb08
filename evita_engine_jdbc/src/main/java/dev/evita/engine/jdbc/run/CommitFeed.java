// SPDX-License-Identifier: Apache-2.0
package dev.evita.engine.jdbc.run;

import dev.evita.api.Catalog;
import dev.evita.api.CommitListener;
import dev.evita.api.Engine;
import dev.evita.api.KeyValues;
import dev.evita.api.Table;
import dev.evita.api.TableName;
import dev.evita.engine.jdbc.dialect.ChangeCounters;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Publishes commits, in their order: those made through this engine at once, those made outside it
 * within {@link #LOOK}, once there are listeners.
 *
 * <p>While there are listeners, a commit and its announcement are one step under a lock, so that
 * announcements are in commit order. Without listeners there is no such cost. Announced statements
 * therefore never execute in autocommit: a statement that waits for a row inside the lock would
 * wait for a commit that waits for the lock.
 *
 * <pre>
 * own commit:  lock { changed? ; commit ; changed? ; publish }  cascades, triggers
 * timer:     lock { changed? ; publish }                        external commits
 * </pre>
 *
 * <p>The rows that a commit has changed are published if its statements know their keys, no trigger
 * or foreign key can have changed other rows of the same tables, and there was no external commit
 * meanwhile, whose rows would be attributed to it: the database counts by table, not by row.
 */
public final class CommitFeed implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(CommitFeed.class);

  /** How soon changes made outside the engine are detected. */
  static final Duration LOOK = Duration.ofMillis(100);

  private final List<Registered> listeners = new CopyOnWriteArrayList<>();
  private final Object order = new Object();
  private final @Nullable ChangeCounters counters;
  private final Supplier<Catalog> catalog;
  private final Map<TableName, Long> counted = new HashMap<>();
  private volatile @Nullable ScheduledExecutorService clock;
  private volatile boolean closed;
  private boolean failed;

  /** Whether there was no external change for a while. */
  private boolean settled;

  private long total;
  private long sequence;

  /** One registration: a listener may have several, each of which ends separately. */
  private static final class Registered {
    final CommitListener listener;

    Registered(CommitListener listener) {
      this.listener = listener;
    }
  }

  /** The commit. */
  @FunctionalInterface
  interface Action {
    void run() throws SQLException;
  }

  /**
   * Creates a feed without listeners.
   *
   * @param counters null if changes made outside the engine cannot be detected
   */
  public CommitFeed(@Nullable ChangeCounters counters, Supplier<Catalog> catalog) {
    this.counters = counters;
    this.catalog = catalog;
  }

  boolean watched() {
    return !listeners.isEmpty();
  }

  /**
   * Whether each commit itself provides the tables that it changed, including cascades and
   * triggers.
   */
  boolean knowsTables() {
    return counters != null && counters.byTable();
  }

  public Engine.Registration watch(CommitListener listener) {
    var own = new Registered(listener);
    synchronized (order) {
      if (!watched()) {
        moved(); // earlier changes are irrelevant
        start();
      }
      listeners.add(own);
    }
    return () -> listeners.remove(own);
  }

  private void start() {
    if (clock != null || counters == null) {
      return;
    }
    var names = Thread.ofPlatform().daemon().name("evita-commits").factory();
    var started = Executors.newSingleThreadScheduledExecutor(names);
    clock = started;
    var unused =
        started.scheduleWithFixedDelay(
            this::look, LOOK.toMillis(), LOOK.toMillis(), TimeUnit.MILLISECONDS);
    if (closed) {
      started.shutdownNow();
    }
  }

  void commit(WriteSet writes, Action commit) throws SQLException {
    if (writes.isEmpty() || !watched()) {
      commit.run();
      return;
    }
    synchronized (order) {
      var changed = new HashSet<>(writes.tables());
      if (knowsTables()) {
        changed.addAll(moved()); // external changes before this commit
      }
      commit.run();
      var triggers = triggers();
      var alone = counted(total);
      if (knowsTables()) {
        changed.addAll(scan());
      } else if (triggers || writes.unknown()) {
        // A counter of the whole database adds no information: this commit has changed it.
        changed.addAll(baseTables());
      }
      if (!changed.isEmpty()) {
        announce(changed, alone && !triggers ? writes.keys() : Map.of());
      }
    }
  }

  /**
   * Takes the own commit as detected. Returns whether all changes in between were certainly its
   * own.
   */
  private boolean counted(long before) {
    if (counters == null) {
      return false;
    }
    settled &= count() && counters.single(before, total);
    return settled;
  }

  /** Whether a commit may have changed rows that its statements do not name. */
  private boolean triggers() {
    try {
      return counters != null && counters.triggers();
    } catch (SQLException e) {
      LOG.debug("Failed to check for triggers; assuming that there are some", e);
      return true;
    }
  }

  private Set<TableName> baseTables() {
    return catalog.get().tables().stream()
        .filter(table -> table.kind() == Table.Kind.TABLE)
        .map(Table::name)
        .collect(Collectors.toSet());
  }

  private void look() {
    if (!watched()) {
      return;
    }
    synchronized (order) {
      var before = total;
      var moved = moved();
      settled = !failed && total == before;
      if (!moved.isEmpty()) {
        announce(moved, Map.of());
      }
    }
  }

  /**
   * The tables changed externally since the last call. After a change it checks once more: a commit
   * increments the database's counter first, and those of the tables afterwards.
   */
  private Set<TableName> moved() {
    var before = total;
    if (!count()) {
      settled = false;
      return Set.of();
    }
    settled &= total == before;
    return total != before || (knowsTables() && !settled) ? scan() : Set.of();
  }

  /** Reads the database's counter. Returns whether that succeeded. */
  private boolean count() {
    if (counters == null) {
      return false;
    }
    try {
      total = counters.total();
      failed = false;
    } catch (SQLException e) {
      if (!failed) {
        LOG.warn("Failed to check for changes made outside this engine; still trying", e);
      }
      failed = true;
    }
    return !failed;
  }

  /** The tables whose counters differ from the last call. */
  private Set<TableName> scan() {
    var moved = new HashSet<TableName>();
    var known = counters;
    if (known == null) {
      return moved;
    }
    for (var table : baseTables()) {
      if (moved(known, table)) {
        moved.add(table);
      }
    }
    return moved;
  }

  private boolean moved(ChangeCounters known, TableName table) {
    if (!known.byTable()) {
      return true;
    }
    var now = known.of(table);
    var before = counted.put(table, now);
    return now != (before == null ? 0 : before);
  }

  private void announce(Set<TableName> tables, Map<TableName, Set<KeyValues>> keys) {
    sequence++;
    for (var registered : listeners) {
      try {
        registered.listener.committed(sequence, tables, keys);
      } catch (RuntimeException e) {
        LOG.warn("A commit listener failed; other listeners are not affected", e);
      }
    }
  }

  @Override
  public void close() {
    // Not in order: a commit that hangs on its disk must not block the shutdown.
    closed = true;
    var running = clock;
    if (running != null) {
      running.shutdownNow();
    }
  }
}

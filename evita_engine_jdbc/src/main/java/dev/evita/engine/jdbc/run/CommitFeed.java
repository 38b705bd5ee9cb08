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
 * Tells commits, in their order: those made through this engine at once, those made past it within
 * {@link #LOOK}, once somebody listens.
 *
 * <p>Where somebody listens, a commit and its announcement are one step under a lock, so that the
 * order of the announcements is the order of the commits. Nobody pays for it otherwise. Announced
 * statements therefore never run in autocommit: a statement that waits for a row inside of the lock
 * would wait for a commit that waits for the lock.
 *
 * <pre>
 *   own commit:  lock { what moved? ; commit ; what else moved? ; tell }    cascades, triggers
 *   clock:       lock { what moved? ; tell }                                others' commits
 * </pre>
 *
 * <p>Which rows a commit has changed is told where its statements know their keys, nothing else can
 * have changed rows of the same tables (triggers, foreign keys), and nobody else has committed
 * meanwhile, whose rows would be taken for its own: the database counts by table, not by row.
 */
public final class CommitFeed implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(CommitFeed.class);

  /** How soon changes made past the engine are noticed. */
  static final Duration LOOK = Duration.ofMillis(100);

  private final List<Registered> listeners = new CopyOnWriteArrayList<>();
  private final Object order = new Object();
  private final @Nullable ChangeCounters counters;
  private final Supplier<Catalog> catalog;
  private final Map<TableName, Long> counted = new HashMap<>();
  private volatile @Nullable ScheduledExecutorService clock;
  private volatile boolean closed;
  private boolean failed;

  /** Whether nobody else has changed anything for a while. */
  private boolean settled;

  private long total;
  private long sequence;

  /** One registration: a listener can have several, each of which ends alone. */
  private static final class Registered {
    final CommitListener listener;

    Registered(CommitListener listener) {
      this.listener = listener;
    }
  }

  /** What commits. */
  @FunctionalInterface
  interface Action {
    void run() throws SQLException;
  }

  /**
   * Nobody listens yet.
   *
   * @param counters null where changes made past the engine cannot be noticed
   */
  public CommitFeed(@Nullable ChangeCounters counters, Supplier<Catalog> catalog) {
    this.counters = counters;
    this.catalog = catalog;
  }

  boolean watched() {
    return !listeners.isEmpty();
  }

  /** Whether each commit tells by itself which tables it changed, by cascades and triggers too. */
  boolean knowsTables() {
    return counters != null && counters.byTable();
  }

  public Engine.Registration watch(CommitListener listener) {
    var own = new Registered(listener);
    synchronized (order) {
      if (!watched()) {
        moved(); // what came before is of no interest
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

  void commit(WriteSet touched, Action commit) throws SQLException {
    if (touched.isEmpty() || !watched()) {
      commit.run();
      return;
    }
    synchronized (order) {
      var changed = new HashSet<>(touched.tables());
      if (knowsTables()) {
        changed.addAll(moved()); // by others, before
      }
      commit.run();
      var triggers = triggers();
      var alone = counted(total);
      if (knowsTables()) {
        changed.addAll(scan());
      } else if (triggers || touched.unknown()) {
        // A number for all of the database tells nothing new: this commit has moved it.
        changed.addAll(baseTables());
      }
      if (!changed.isEmpty()) {
        announce(changed, alone && !triggers ? touched.keys() : Map.of());
      }
    }
  }

  /** Takes the own commit as noticed. Answers whether all between was surely its doing. */
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
      LOG.debug("Triggers cannot be looked for; takes it that there are some", e);
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
   * The tables that others have changed since the last time. After a change it looks once more: who
   * commits moves the number of the database first, and those of the tables then.
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

  /** Reads the database's number. Answers whether it could. */
  private boolean count() {
    if (counters == null) {
      return false;
    }
    try {
      total = counters.total();
      failed = false;
    } catch (SQLException e) {
      if (!failed) {
        LOG.warn("Changes made past this engine cannot be looked for; goes on trying", e);
      }
      failed = true;
    }
    return !failed;
  }

  /** The tables whose numbers are not what they were the last time. */
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
        LOG.warn("A commit listener failed; the others are still told", e);
      }
    }
  }

  @Override
  public void close() {
    // Not in their order: a commit that hangs on its disk must not hold up the end.
    closed = true;
    var running = clock;
    if (running != null) {
      running.shutdownNow();
    }
  }
}

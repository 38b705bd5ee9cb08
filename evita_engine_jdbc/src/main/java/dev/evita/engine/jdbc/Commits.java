// SPDX-License-Identifier: Apache-2.0
package dev.evita.engine.jdbc;

import dev.evita.api.Catalog;
import dev.evita.api.CommitListener;
import dev.evita.api.Engine;
import dev.evita.api.Table;
import dev.evita.api.TableName;
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
 *   own commit:  lock { commit; what else moved? ; tell }     cascades and triggers move other tables
 *   clock:       lock { what moved? ; tell }                  by other connections and processes
 * </pre>
 */
final class Commits implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(Commits.class);

  /** How soon changes made past the engine are noticed. */
  static final Duration LOOK = Duration.ofMillis(100);

  private final List<Registered> listeners = new CopyOnWriteArrayList<>();
  private final Object order = new Object();
  private final @Nullable ChangeCounters counters;
  private final Supplier<Catalog> catalog;
  private final Map<TableName, Long> counted = new HashMap<>();
  private @Nullable ScheduledExecutorService clock;
  private boolean failed;
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
  Commits(@Nullable ChangeCounters counters, Supplier<Catalog> catalog) {
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

  Engine.Registration watch(CommitListener listener) {
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
    clock = Executors.newSingleThreadScheduledExecutor(names);
    var unused =
        clock.scheduleWithFixedDelay(
            this::look, LOOK.toMillis(), LOOK.toMillis(), TimeUnit.MILLISECONDS);
  }

  void commit(Set<TableName> tables, Action commit) throws SQLException {
    if (tables.isEmpty() || !watched()) {
      commit.run();
      return;
    }
    synchronized (order) {
      commit.run();
      var changed = new HashSet<>(tables);
      var moved = moved();
      // A number for all of the database tells nothing new: this commit has moved it.
      if (knowsTables()) {
        changed.addAll(moved);
      } else if (triggers()) {
        changed.addAll(baseTables());
      }
      announce(changed);
    }
  }

  /** Whether a commit may have changed tables that its statements do not name. */
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
      var moved = moved();
      if (!moved.isEmpty()) {
        announce(moved);
      }
    }
  }

  /** The tables whose numbers are not what they were the last time. */
  private Set<TableName> moved() {
    if (counters == null) {
      return Set.of();
    }
    try {
      var now = counters.total();
      if (now == total) {
        return Set.of();
      }
      total = now;
    } catch (SQLException e) {
      if (!failed) {
        LOG.warn("Changes made past this engine cannot be looked for; goes on trying", e);
      }
      failed = true;
      return Set.of();
    }
    failed = false;
    var moved = new HashSet<TableName>();
    for (var table : baseTables()) {
      if (moved(counters, table)) {
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

  private void announce(Set<TableName> tables) {
    sequence++;
    for (var registered : listeners) {
      tell(registered.listener, tables);
    }
  }

  private void tell(CommitListener listener, Set<TableName> tables) {
    try {
      listener.committed(sequence, tables);
    } catch (RuntimeException e) {
      LOG.warn("A commit listener failed; the others are still told", e);
    }
  }

  @Override
  public void close() {
    synchronized (order) {
      if (clock != null) {
        clock.shutdownNow();
      }
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core.live;

import dev.evita.api.Capability;
import dev.evita.api.CommitListener;
import dev.evita.api.Engine;
import dev.evita.api.KeyValues;
import dev.evita.api.Table;
import dev.evita.api.TableName;
import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tracks when tables last changed, and notifies listeners: one per server, across all catalog
 * epochs.
 *
 * <pre>
 * engine publishes commits: committing thread: versions, then marks ---> one thread: notifies each
 * (WATCH)                                  (no lock, no wait) if         listener once per burst
 *                                            there are listeners
 * engine publishes none:  a timer, while there are listeners ---------> the same thread notifies
 * all
 * </pre>
 *
 * <p>Commits made outside the engine count from when the engine notices them, which is soon after.
 * A view, or a table that the catalog does not contain, counts as changed by every commit.
 *
 * <p>Thread-safe.
 */
public final class CommitWatch implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(CommitWatch.class);

  /** The key of listeners that every commit affects. */
  private static final TableName EVERY = new TableName("*", "*");

  private final Engine engine;
  private final long origin;
  private final ScheduledExecutorService notifier =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().daemon().name("evita-changes").factory());
  private final Map<TableName, Long> versions = new ConcurrentHashMap<>();
  private final Map<TableName, Set<Interest>> listeners = new ConcurrentHashMap<>();
  private final AtomicBoolean due = new AtomicBoolean();
  private final Map<TableName, Rows> changedRows = new ConcurrentHashMap<>();
  private final Engine.@Nullable Registration registration;
  private volatile long latest;

  /**
   * Starts tracking.
   *
   * @param pollInterval how often listeners are notified if the engine does not publish commits
   */
  public CommitWatch(Engine engine, Duration pollInterval) {
    this.engine = engine;
    // Versions grow across restarts of the server, so that clients can keep one.
    this.origin = TimeUnit.MILLISECONDS.toMicros(System.currentTimeMillis());
    this.latest = origin;
    if (engine.capabilities().contains(Capability.WATCH)) {
      registration = engine.watch(new EngineCommits());
    } else {
      registration = null;
      var nanos = pollInterval.toNanos();
      var unused =
          notifier.scheduleWithFixedDelay(
              this::notifyAllListeners, nanos, nanos, TimeUnit.NANOSECONDS);
    }
  }

  /** Whether {@link #version} returns a value. */
  public boolean known() {
    return registration != null;
  }

  /**
   * A number that grows whenever one of these tables may have changed: if it is the same as before,
   * a query over them returns the same as before, also across a restart of the server. Current from
   * the moment a commit through the engine returns to its caller.
   *
   * @return empty if the engine does not publish commits
   */
  public OptionalLong version(Collection<TableName> tables) {
    if (registration == null) {
      return OptionalLong.empty();
    }
    var newest = origin;
    for (var table : tables) {
      if (followsAll(table)) {
        return OptionalLong.of(latest);
      }
      newest = Math.max(newest, versions.getOrDefault(table, origin));
    }
    return OptionalLong.of(newest);
  }

  private boolean followsAll(TableName table) {
    var known = engine.catalog().table(table);
    return known.isEmpty() || known.get().kind() == Table.Kind.VIEW;
  }

  /**
   * Notifies a listener when one of the tables may have changed, until the registration is closed.
   *
   * @param changed called once for all commits since its last call, on one thread that it must not
   *     block; its exceptions are logged
   */
  public Engine.Registration listen(Collection<TableName> tables, Runnable changed) {
    return listen(tables, Map.of(), changed);
  }

  /**
   * The same, except for commits that are known to affect other rows only.
   *
   * @param keys the only relevant row of a table, for those of the tables that have one
   */
  public Engine.Registration listen(
      Collection<TableName> tables, Map<TableName, KeyValues> keys, Runnable changed) {
    var every = tables.stream().anyMatch(this::followsAll);
    var interest =
        new Interest(every ? Set.of(EVERY) : Set.copyOf(tables), Map.copyOf(keys), changed);
    interest.tables.forEach(table ->
        listeners.compute(
            table,
            (key, others) -> {
              var all = others == null ? ConcurrentHashMap.<Interest>newKeySet() : others;
              all.add(interest);
              return all;
            }));
    return () -> unregister(interest);
  }

  private void unregister(Interest interest) {
    interest.tables.forEach(table ->
        listeners.computeIfPresent(
            table,
            (key, others) -> {
              others.remove(interest);
              return others.isEmpty() ? null : others;
            }));
  }

  /** The number of open registrations; for tests and metrics. */
  public int listening() {
    return all().size();
  }

  private Set<Interest> all() {
    var all = new HashSet<Interest>();
    listeners.values().forEach(all::addAll);
    return all;
  }

  /** By look-ups: {@code isEmpty} of a concurrent map is not exact while others modify it. */
  private boolean hasListeners(Set<TableName> tables) {
    if (listeners.containsKey(EVERY)) {
      return true;
    }
    for (var table : tables) {
      if (listeners.containsKey(table)) {
        return true;
      }
    }
    return false;
  }

  /** Called on the committing thread, one commit at a time. */
  private final class EngineCommits implements CommitListener {
    @Override
    public void committed(long sequence, Set<TableName> tables) {
      committed(sequence, tables, Map.of());
    }

    @Override
    public void committed(
        long sequence, Set<TableName> tables, Map<TableName, Set<KeyValues>> keys) {
      var version = origin + sequence;
      tables.forEach(table -> versions.put(table, version));
      latest = version;
      if (!hasListeners(tables)) {
        return; // a later listener reads the committed state anyway
      }
      tables.forEach(table -> changedRows.merge(table, new Rows(keys.get(table)), Rows::and));
      if (due.compareAndSet(false, true)) {
        notifier.execute(CommitWatch.this::notifyChanged);
      }
    }
  }

  private void notifyChanged() {
    due.set(false);
    var affected = new HashSet<>(listeners.getOrDefault(EVERY, Set.of()));
    for (var table : List.copyOf(changedRows.keySet())) {
      // Removed before its listeners are notified: a later commit marks them again.
      var rows = changedRows.remove(table);
      for (var interest : listeners.getOrDefault(table, Set.of())) {
        if (rows == null || rows.affects(interest.keys.get(table))) {
          affected.add(interest);
        }
      }
    }
    affected.forEach(Interest::notifyListener);
  }

  private void notifyAllListeners() {
    all().forEach(Interest::notifyListener);
  }

  /** Stops notifying listeners. */
  @Override
  public void close() {
    if (registration != null) {
      registration.close();
    }
    notifier.shutdownNow();
  }

  /**
   * The changed rows of a table.
   *
   * @param keys null if any row may have changed
   */
  private record Rows(@Nullable Set<KeyValues> keys) {

    private static final int MOST_KEYS = 1_000;

    private Rows and(Rows others) {
      if (keys == null || others.keys == null || keys.size() + others.keys.size() > MOST_KEYS) {
        return new Rows(null);
      }
      var both = new HashSet<>(keys);
      both.addAll(others.keys);
      return new Rows(both);
    }

    private boolean affects(@Nullable KeyValues only) {
      return keys == null || only == null || keys.contains(only);
    }
  }

  /** A registered listener. Compared by identity. */
  private static final class Interest {
    private final Set<TableName> tables;
    private final Map<TableName, KeyValues> keys;
    private final Runnable changed;

    private Interest(Set<TableName> tables, Map<TableName, KeyValues> keys, Runnable changed) {
      this.tables = tables;
      this.keys = keys;
      this.changed = changed;
    }

    private void notifyListener() {
      try {
        changed.run();
      } catch (RuntimeException e) {
        LOG.warn("A listener to changes of {} failed; other listeners are not affected", tables, e);
      }
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.evita.engine.jdbc.h2;

import dev.evita.api.EvitaException;
import dev.evita.engine.jdbc.dialect.JdbcErrors;
import dev.evita.engine.jdbc.health.CommitLog;
import dev.evita.engine.jdbc.health.StorageWatch;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.h2.mvstore.MVStore;
import org.h2.mvstore.MVStoreException;
import org.jspecify.annotations.Nullable;

/**
 * Group commit for an H2 file in this process: all waiting commits share one write and, if commits
 * are forced to the device, one force.
 *
 * <pre>
 * commit in memory --> waiting --> [ write ; force ] --> acknowledged
 *                         ^            |
 *                         '-- commits in the meantime share the next write
 * </pre>
 *
 * <p>The thread that finds no write in progress executes it for all that wait, after it has let
 * others commit; the others return at once. H2's own writer, which by default writes up to 500 ms
 * after a commit, is switched off; for commits of other programs in this process outside the
 * engine, and for the compaction of the file, a timer does the same.
 *
 * <p>Space of the file that the newest version does not need is reused at once, so that the file
 * does not grow under a steady write load. For {@code POWER}, the last forced version stays
 * registered as in use: the device may write in any order, and until the next force that version is
 * the one that survives a loss of power.
 */
public final class H2GroupCommit implements CommitLog {

  /** H2's default, for commits outside the engine. */
  private static final Duration CLOCK = Duration.ofMillis(500);

  private static final Duration LOOK_AT_MEMORY = Duration.ofMillis(100);

  private static final Duration MAX_CLOSE = Duration.ofSeconds(2);

  private static final int MAX_YIELDS = 4;

  /** Percent of the chunks' bytes that the newest version needs; below it, chunks are compacted. */
  private static final int MIN_FILL_RATE = 50;

  /** Live bytes that one compaction moves: as many as 20,000 inserts of small rows write. */
  private static final int MAX_COMPACTED_BYTES = 1 << 20;

  private final MVStore store;
  private final H2AtomicWrite atomic;
  private final H2FileHeader head;
  private final boolean forces;
  private final Consumer<EvitaException> failed;
  private final ConcurrentLinkedQueue<CompletableFuture<Void>> waiting =
      new ConcurrentLinkedQueue<>();
  private final AtomicBoolean writing = new AtomicBoolean();
  private final ScheduledExecutorService clock;
  private final StorageWatch.Writer writer;
  private MVStore.@Nullable TxCounter forced;

  /**
   * Takes over the writes of a store.
   *
   * @param forces whether each commit is forced to the device before it is acknowledged
   * @param keepsRetention whether the URL sets H2's retention time, which then applies
   * @param writes tracks the writes
   * @param failed receives the first write failure, before any other party
   */
  public H2GroupCommit(
      MVStore store,
      boolean forces,
      boolean keepsRetention,
      StorageWatch writes,
      Consumer<EvitaException> failed) {
    this.store = store;
    this.atomic = new H2AtomicWrite(store);
    this.head = new H2FileHeader(store);
    this.forces = forces;
    this.writer = writes.writer();
    this.failed = failed;
    store.setAutoCommitDelay(-1);
    if (!keepsRetention) {
      store.setRetentionTime(0);
    }
    clock =
        Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("evita-h2-clock").factory());
    every(CLOCK, this::tick);
    every(LOOK_AT_MEMORY, this::saveMemory);
  }

  private void every(Duration interval, Runnable task) {
    var unused =
        clock.scheduleWithFixedDelay(
            task, interval.toMillis(), interval.toMillis(), TimeUnit.MILLISECONDS);
  }

  @Override
  public CompletableFuture<Void> flush() {
    var mine = new CompletableFuture<Void>();
    waiting.add(mine);
    writeForAll();
    return mine;
  }

  private void writeForAll() {
    while (!waiting.isEmpty() && writing.compareAndSet(false, true)) {
      var batch = new ArrayList<CompletableFuture<Void>>();
      EvitaException failure;
      try {
        gather();
        take(batch);
        failure = batch.isEmpty() ? null : write();
      } finally {
        writing.set(false);
      }
      acknowledge(batch, failure);
    }
  }

  /**
   * Lets other threads commit first, as long as more do. On busy cores, few would otherwise commit
   * during a write: measured on one core with 16 connections, batches grow from 1.4 to 14 commits.
   * If no other thread is runnable, this returns within a microsecond.
   */
  @SuppressWarnings("ThreadPriorityCheck") // only a hint to the scheduler
  private void gather() {
    var seen = 0;
    for (int i = 0; i < MAX_YIELDS; i++) {
      Thread.yield();
      var now = waiting.size();
      if (now == seen) {
        return;
      }
      seen = now;
    }
  }

  private void take(List<CompletableFuture<Void>> batch) {
    for (var next = waiting.poll(); next != null; next = waiting.poll()) {
      batch.add(next);
    }
  }

  private static void acknowledge(
      List<CompletableFuture<Void>> batch, @Nullable EvitaException failure) {
    for (var each : batch) {
      if (failure == null) {
        each.complete(null);
      } else {
        each.completeExceptionally(failure);
      }
    }
  }

  /** Returns null, or the reason why it is unknown what was written. */
  private @Nullable EvitaException write() {
    writer.begin();
    try {
      atomic.commit();
      head.rewriteIfStale();
      if (forces) {
        force();
      } else if (store.getAutoCommitDelay() > 0) {
        // WRITE_DELAY was set: then H2 writes on threads of its own, which this waits for.
        store.executeFilestoreOperation(() -> {});
      }
      requireNoPanic();
      return null;
    } catch (RuntimeException | Error e) {
      var fault = JdbcErrors.storageFailed(e);
      failed.accept(fault);
      return JdbcErrors.commitUnknown(e);
    } finally {
      writer.end();
    }
  }

  private void requireNoPanic() {
    var panic = store.getPanicException();
    if (panic != null || store.isClosed()) {
      throw new IllegalStateException("H2's store has closed itself", panic);
    }
  }

  /**
   * The version is registered while no write is in progress, so that the force covers all of it.
   */
  private void force() {
    var before = forced;
    store.executeFilestoreOperation(() -> forced = store.registerVersionUsage());
    store.getFileStore().sync();
    if (before != null) {
      store.deregisterVersionUsage(before);
    }
  }

  /** Writes the changes of long transactions, to free memory. */
  private void saveMemory() {
    if (isOpen() && atomic.shouldCommit()) {
      var unused = flush();
    }
  }

  private boolean isOpen() {
    return !store.isClosed() && store.getPanicException() == null;
  }

  /** Writes commits made outside the engine, and compacts the file. */
  private void tick() {
    if (!isOpen()) {
      return;
    }
    if (store.hasUnsavedChanges()) {
      var unused = flush();
    }
    compact();
  }

  /**
   * Moves live data of sparse chunks to a new one. H2's own writer would do so, but is switched
   * off. Each commit writes a chunk, whose last live page may be a small part of it: after a
   * million inserts by 16 connections the file had 700 MB without this, and has 60 MB with it.
   */
  private void compact() {
    try {
      var unused = store.compact(MIN_FILL_RATE, MAX_COMPACTED_BYTES);
    } catch (MVStoreException e) {
      if (store.getPanicException() != null) { // else it was closed meanwhile
        failed.accept(JdbcErrors.storageFailed(e));
      }
    }
  }

  /**
   * Writes the remaining commits. Waits for the timer rather than interrupting it, since an
   * interrupt during a write would close H2's file; not forever, as a disk may hang.
   */
  @Override
  public void close() {
    clock.shutdown();
    try {
      var unused = clock.awaitTermination(MAX_CLOSE.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    writeForAll();
  }
}

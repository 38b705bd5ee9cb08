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
 * Writes the commits of an H2 file in this process: all that wait share one write and, where
 * commits are forced to the device, one force.
 *
 * <pre>
 *   commit in memory --> waiting --> [ write ; force ] --> acknowledged
 *                           ^            |
 *                           '-- those that commit meanwhile share the next write
 * </pre>
 *
 * <p>The thread that finds no write under way does it, for all that wait, after it has let others
 * commit; the others return at once. H2's own writer, which by default writes up to 500 ms after a
 * commit, is switched off; for what other programs commit in this process past the engine, and for
 * the compaction of the file, a clock does the same.
 *
 * <p>Space of the file that the newest version does not need is used again at once, so that a
 * steady write load does not let the file grow. For {@code POWER}, the last version that was forced
 * stays registered as in use: the device may write in any order, and until the next force that
 * version is the one that a loss of power leaves.
 */
public final class H2GroupCommit implements CommitLog {

  /** As H2's default, for commits past the engine. */
  private static final Duration CLOCK = Duration.ofMillis(500);

  private static final Duration LOOK_AT_MEMORY = Duration.ofMillis(100);

  private static final Duration MAX_CLOSE = Duration.ofSeconds(2);

  private static final int MAX_YIELDS = 4;

  /** Percent of the chunks' bytes that the newest version needs; below it, chunks are compacted. */
  private static final int MIN_FILL_RATE = 50;

  /** Live bytes that one compaction moves: what 20,000 inserts of small rows make. */
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
   * Takes over the writing of a store.
   *
   * @param forces whether each commit is forced to the device before it is acknowledged
   * @param keepsRetention whether the URL sets H2's retention time, which then holds
   * @param writes are watched
   * @param failed is told of the first write that fails, before anybody else
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
   * Lets others commit first, as long as more do. Where all cores are busy, hardly anybody would
   * otherwise commit during a write: measured on one core with 16 connections, batches grow from
   * 1.4 to 14 commits. Where nobody else can run, this returns within a microsecond.
   */
  @SuppressWarnings("ThreadPriorityCheck") // nothing depends on what the scheduler does
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

  /** Answers null, or why it is unknown what of the store has been written. */
  private @Nullable EvitaException write() {
    writer.begin();
    try {
      atomic.commit();
      head.mend();
      if (forces) {
        force();
      } else if (store.getAutoCommitDelay() > 0) {
        // Somebody has set WRITE_DELAY: then H2 writes on threads of its own, for which this waits.
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

  /** The version is registered while no write is under way, so that the force covers all of it. */
  private void force() {
    var before = forced;
    store.executeFilestoreOperation(() -> forced = store.registerVersionUsage());
    store.getFileStore().sync();
    if (before != null) {
      store.deregisterVersionUsage(before);
    }
  }

  /** Writes what long transactions have changed, which need not stay in memory. */
  private void saveMemory() {
    if (isOpen() && atomic.shouldCommit()) {
      var unused = flush();
    }
  }

  private boolean isOpen() {
    return !store.isClosed() && store.getPanicException() == null;
  }

  /** Writes what others have committed past the engine, and compacts the file. */
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
   * Moves what is live in sparse chunks to a new one. H2's own writer would do so, but is switched
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
   * Writes what is left. Waits for the clock rather than interrupting it, since an interrupt amid a
   * write would close H2's file; not for ever, as a disk may hang.
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

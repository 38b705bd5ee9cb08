// SPDX-License-Identifier: Apache-2.0
package dev.evita.engine.jdbc.h2;

import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import org.h2.mvstore.FileStore;
import org.h2.mvstore.MVMap;
import org.h2.mvstore.MVStore;
import org.h2.mvstore.Page;
import org.h2.mvstore.RootReference;
import org.jspecify.annotations.Nullable;

/**
 * Writes a version of an H2 file that captures all tables, indexes and undo logs at one instant.
 *
 * <p>H2 collects the roots of its trees one after another, while other threads continue to change
 * them ({@code MVStore.collectChangedMapRoots}, 2.5.252). A version may then contain a transaction
 * in some trees and not in others, and a file opened after a crash contains half a transaction, or
 * an index that disagrees with its table. Under load that was 2 to 4 of 100 versions.
 *
 * <pre>
 * lock all roots  -->  collect them  -->  unlock  -->  serialize and write
 * </pre>
 *
 * <p>While all roots are locked, no thread changes a tree; that takes microseconds. Readers need no
 * lock. A writer may hold one root and wait for another, in no fixed order. So this class never
 * waits for a root while it holds another: it releases all of them and starts again.
 *
 * <p>H2 also writes a version by itself, from the thread of a statement, once a limit of unsaved
 * changes is exceeded, by default one megabyte. Here the limit is an eighth of the heap, and {@link
 * #shouldCommit()} makes that unlikely.
 *
 * <p>Not thread-safe: for the writing thread.
 */
final class H2AtomicWrite {

  /** Unsaved changes after which a version should be written. */
  private static final int BUFFER_BYTES = 4 << 20;

  private static final int MAX_UNSAVED_BYTES =
      (int) Math.min(256 << 20, Runtime.getRuntime().maxMemory() / 8);

  private static final int SPINS = 3;

  /** As counted by H2: in later attempts it waits, holding its locks. */
  private static final int FIRST_ATTEMPT = 1;

  private final MVStore store;
  private final @Nullable Members members;
  private final List<MVMap<?, ?>> locked = new ArrayList<>();
  private final ThreadPoolExecutor serialization = new Serialization();

  H2AtomicWrite(MVStore store) {
    this.store = store;
    this.members = Members.find();
  }

  /** See {@link MVStore#commit()}. */
  @SuppressWarnings("ThreadPriorityCheck") // lets the holder of a root continue; only a hint
  void commit() {
    if (members == null) {
      store.commit();
      return;
    }
    while (!commit(members)) {
      Thread.yield();
    }
  }

  /** Whether so many changes are unsaved that H2 may soon write a version by itself. */
  boolean shouldCommit() {
    return store.getUnsavedMemory() > BUFFER_BYTES - MAX_UNSAVED_BYTES;
  }

  private boolean commit(Members h2) {
    var lock = h2.storeLock(store);
    lock.lock();
    try {
      h2.serializeBy(serialization, store);
      if (!lockRoots(h2)) {
        return false;
      }
      store.commit();
      h2.allowUnsaved(MAX_UNSAVED_BYTES, store);
      return true;
    } finally {
      unlockRoots();
      lock.unlock();
    }
  }

  private boolean lockRoots(Members h2) {
    for (var map : h2.maps(store)) {
      if (!lockRoot(map, h2)) {
        return false;
      }
      locked.add(map);
    }
    return true;
  }

  private static boolean lockRoot(MVMap<?, ?> map, Members h2) {
    for (int i = 0; i < SPINS; i++) {
      if (h2.tryLock(map)) {
        return true;
      }
    }
    return false;
  }

  private void unlockRoots() {
    for (var map : locked) {
      Objects.requireNonNull(members).unlock(map);
    }
    locked.clear();
  }

  /**
   * Receives H2's next step, once it has collected the roots: lets the writers continue, and
   * executes the step in the calling thread, like H2 without an executor. Threads that write a
   * version without this class find no locks here; the store's lock serializes them.
   */
  private final class Serialization extends ThreadPoolExecutor {

    Serialization() {
      super(0, 1, 0, TimeUnit.SECONDS, new SynchronousQueue<>());
    }

    @Override
    public Future<?> submit(Runnable task) {
      unlockRoots();
      task.run();
      return CompletableFuture.completedFuture(null);
    }
  }

  /** Members of H2. Only {@code serializationExecutor} and {@code unsavedMemory} are written. */
  private record Members(
      Method tryLock, Method unlock, Field maps, Field lock, Field executor, Field unsaved) {

    static @Nullable Members find() {
      var tryLock = H2Internals.method(MVMap.class, "tryLock", RootReference.class, int.class);
      var unlock = H2Internals.method(MVMap.class, "unlockRoot", Page.class);
      var maps = H2Internals.field(MVStore.class, "maps");
      var lock = H2Internals.field(MVStore.class, "storeLock");
      var executor = H2Internals.field(FileStore.class, "serializationExecutor");
      var unsaved = H2Internals.field(MVStore.class, "unsavedMemory");
      return tryLock == null
              || unlock == null
              || maps == null
              || lock == null
              || executor == null
              || unsaved == null
          ? null
          : new Members(tryLock, unlock, maps, lock, executor, unsaved);
    }

    Lock storeLock(MVStore store) {
      return (Lock) Objects.requireNonNull(H2Internals.get(lock, store));
    }

    @SuppressWarnings("unchecked") // a Map<Integer, MVMap<?, ?>>
    Iterable<MVMap<?, ?>> maps(MVStore store) {
      return ((Map<Integer, MVMap<?, ?>>) Objects.requireNonNull(H2Internals.get(maps, store)))
          .values();
    }

    boolean tryLock(MVMap<?, ?> map) {
      return H2Internals.call(tryLock, map, map.getRoot(), FIRST_ATTEMPT) != null;
    }

    void unlock(MVMap<?, ?> map) {
      H2Internals.call(unlock, map, (Object) null);
    }

    /** No effect if H2 has an executor of its own, as after {@code SET WRITE_DELAY}. */
    void serializeBy(ThreadPoolExecutor serialization, MVStore store) {
      if (H2Internals.get(executor, store.getFileStore()) == null) {
        H2Internals.set(executor, store.getFileStore(), serialization);
      }
    }

    void allowUnsaved(int bytes, MVStore store) {
      H2Internals.set(unsaved, store, -bytes);
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.evita.engine.jdbc;

import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import java.sql.SQLException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/**
 * Connections of an embedded database, bound to threads.
 *
 * <p>Each platform thread has a slot with the connection that it used last, so that its prepared
 * statements are warm in that core's caches and taking it needs no synchronization. A paused run
 * keeps its connection; the thread then takes another one from the idle queue, or a new one. What
 * does not fit into the slot, or comes back on a virtual thread, goes to the idle queue. Slots of
 * dead threads are emptied before a further connection is opened, so there are never many more
 * connections than runs at one time.
 */
final class ThreadLeases implements Leases {

  /** A thread's connection. Its lease is touched by others only once the thread is dead. */
  private static final class Slot {
    final Thread thread = Thread.currentThread();
    volatile @Nullable Lease lease;
  }

  private final Opener opener;
  private final Set<Slot> slots = ConcurrentHashMap.newKeySet();
  private final Set<Lease> all = ConcurrentHashMap.newKeySet();
  private final ConcurrentLinkedQueue<Lease> idle = new ConcurrentLinkedQueue<>();

  @SuppressWarnings("ThreadLocalUsage") // each engine has its own connections
  private final ThreadLocal<Slot> current = new ThreadLocal<>();

  private volatile boolean closed;

  ThreadLeases(Opener opener) {
    this.opener = opener;
  }

  @Override
  public Lease take() throws SQLException {
    if (closed) {
      throw new EvitaException(ErrorCode.SHUTTING_DOWN, "The engine is closed");
    }
    var slot = current.get();
    if (slot != null) {
      var lease = slot.lease;
      if (lease != null) {
        slot.lease = null;
        return lease;
      }
    }
    var lease = idle.poll();
    return lease != null ? lease : open();
  }

  private Lease open() throws SQLException {
    reclaim();
    var reclaimed = idle.poll();
    if (reclaimed != null) {
      return reclaimed;
    }
    var lease = opener.open();
    all.add(lease);
    if (closed) {
      lease.close();
    }
    return lease;
  }

  /** One thread at a time: two would hand the same lease out twice. */
  private synchronized void reclaim() {
    slots.removeIf(this::emptied);
  }

  private boolean emptied(Slot slot) {
    if (slot.thread.isAlive()) {
      return false;
    }
    var lease = slot.lease;
    if (lease != null) {
      slot.lease = null;
      idle.add(lease);
    }
    return true;
  }

  /** There is always another. */
  @Override
  public int waiting() {
    return 0;
  }

  @Override
  public void give(Lease lease) {
    if (closed || !lease.usable()) {
      all.remove(lease);
      lease.close();
      return;
    }
    var slot = slot();
    if (slot != null && slot.lease == null) {
      slot.lease = lease;
    } else {
      idle.add(lease);
    }
  }

  private @Nullable Slot slot() {
    var slot = current.get();
    if (slot == null && !Thread.currentThread().isVirtual()) {
      slot = new Slot();
      current.set(slot);
      slots.add(slot);
    }
    return slot;
  }

  @Override
  public void close() {
    closed = true;
    all.forEach(Lease::close);
    all.clear();
    idle.clear();
    slots.clear();
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.evita.engine.jdbc.connection;

import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import java.sql.SQLException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Connections of an embedded database. Another one can always be opened, so takers never wait.
 *
 * <p>A thread gets the connection that it used last, whose prepared statements are in its core's
 * caches: returned connections go to the slot of the returning thread's id. If the slot is
 * occupied, by a thread whose id has the same low bits or after a paused execution, the connection
 * goes to the idle queue. Threads leave no state behind: slots and threads do not refer to each
 * other. So there are never more connections than concurrent executions.
 */
public final class EmbeddedLeases implements Leases {

  /** A power of two, several times the threads that usually run statements. */
  private static final int SLOTS = 64;

  private final Opener opener;
  private final AtomicReferenceArray<@Nullable Lease> slots = new AtomicReferenceArray<>(SLOTS);
  private final ConcurrentLinkedQueue<Lease> idle = new ConcurrentLinkedQueue<>();
  private final Set<Lease> all = ConcurrentHashMap.newKeySet();
  private volatile boolean closed;

  public EmbeddedLeases(Opener opener) {
    this.opener = opener;
  }

  private static int slot() {
    return (int) Thread.currentThread().threadId() & (SLOTS - 1);
  }

  @Override
  public Lease take(@Nullable Waiter waiter) throws SQLException {
    if (closed) {
      throw new EvitaException(ErrorCode.SHUTTING_DOWN, "The engine is closed");
    }
    var warm = slots.getAndSet(slot(), null);
    if (warm != null) {
      return warm;
    }
    var lease = idle.poll();
    return lease != null ? lease : other();
  }

  /** A connection that another thread has returned to its slot, or a new one. */
  private Lease other() throws SQLException {
    for (int i = 0; i < SLOTS; i++) {
      var lease = slots.get(i) == null ? null : slots.getAndSet(i, null);
      if (lease != null) {
        return lease;
      }
    }
    var lease = opener.open();
    all.add(lease);
    if (closed) {
      lease.close();
    }
    return lease;
  }

  @Override
  public boolean isReady() {
    if (slots.get(slot()) != null || !idle.isEmpty()) {
      return true;
    }
    for (int i = 0; i < SLOTS; i++) {
      if (slots.get(i) != null) {
        return true;
      }
    }
    return false;
  }

  @Override
  public int waiting() {
    return 0;
  }

  @Override
  public void give(Lease lease) {
    if (closed || !lease.usable()) {
      all.remove(lease);
      lease.close();
    } else if (!slots.compareAndSet(slot(), null, lease)) {
      idle.add(lease);
    }
  }

  @Override
  public void close() {
    closed = true;
    all.forEach(Lease::close);
    all.clear();
    idle.clear();
    for (int i = 0; i < SLOTS; i++) {
      slots.set(i, null);
    }
  }
}

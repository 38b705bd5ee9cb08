// SPDX-License-Identifier: Apache-2.0
package dev.evita.engine.jdbc.connection;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Tracks waits for a pool's connections, so that they can be counted and ended: pools have no API
 * for either. Thread-safe.
 */
public final class LeaseQueue {

  /** An ordinary connect, or an ordinary statement, takes less. */
  private static final long MOMENT_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

  /**
   * One wait. It is ended by an interrupt, to which pools respond with an exception; the interrupt
   * is sent and cleared under the lock, so that it never affects later work of the thread.
   */
  private static final class Wait implements Runnable {

    private final long since = System.nanoTime();
    private @Nullable Thread thread = Thread.currentThread();
    private boolean ended;

    @Override
    public synchronized void run() {
      if (thread != null) {
        ended = true;
        thread.interrupt();
      }
    }

    synchronized boolean ended() {
      return ended;
    }

    synchronized void over() {
      thread = null;
      var unused = Thread.interrupted();
    }
  }

  /** Takes a connection, possibly after a wait. */
  @FunctionalInterface
  public interface Pool {
    Connection take() throws SQLException;
  }

  private final Set<Wait> waits = ConcurrentHashMap.newKeySet();

  /**
   * Takes a connection, possibly after a wait.
   *
   * @param waiter receives an action that ends the wait
   * @throws SQLException of the pool; 08006 if the wait was ended
   */
  public Connection await(Pool pool, Leases.@Nullable Waiter waiter) throws SQLException {
    var wait = new Wait();
    waits.add(wait);
    try {
      if (waiter != null) {
        waiter.waits(wait);
      }
      return pool.take();
    } catch (SQLException e) {
      // The pool reports an interrupt, which only this class sends.
      throw wait.ended() ? new SQLException("the database does not respond", "08006", e) : e;
    } finally {
      if (waiter != null) {
        waiter.waits(null);
      }
      waits.remove(wait);
      wait.over();
    }
  }

  /** Ends all waits. */
  public void end() {
    waits.forEach(Wait::run);
  }

  /** The number of waits that exceed a moment. */
  public int waiting() {
    var count = 0;
    var now = System.nanoTime();
    for (var wait : waits) {
      count += now - wait.since > MOMENT_NANOS ? 1 : 0;
    }
    return count;
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.evita.engine.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/** Who waits for a pool's connections, which pools tell each in its own way. Thread-safe. */
final class LeaseQueue {

  /** An ordinary connection is made, and an ordinary statement done, in less. */
  private static final long MOMENT_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

  /** Compared by identity. */
  private static final class Wait {
    private final long since = System.nanoTime();
  }

  /** Takes a connection, if need be after a while. */
  @FunctionalInterface
  interface Pool {
    Connection take() throws SQLException;
  }

  private final Set<Wait> waits = ConcurrentHashMap.newKeySet();

  Connection await(Pool pool) throws SQLException {
    var wait = new Wait();
    waits.add(wait);
    try {
      return pool.take();
    } finally {
      waits.remove(wait);
    }
  }

  /** How many have waited for longer than a moment. */
  int waiting() {
    var count = 0;
    var now = System.nanoTime();
    for (var wait : waits) {
      count += now - wait.since > MOMENT_NANOS ? 1 : 0;
    }
    return count;
  }
}

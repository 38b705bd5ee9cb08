// SPDX-License-Identifier: Apache-2.0
package dev.evita.engine.jdbc;

import dev.evita.api.EvitaException;
import dev.evita.api.Health;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the engine can serve, by what its storage and the latest probe say. A fault of the storage
 * is final. Thread-safe; read before each run.
 */
final class DatabaseHealth implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(DatabaseHealth.class);

  private final Dialect dialect;
  private final AtomicReference<Health> storage = new AtomicReference<>(Health.UP);
  private volatile @Nullable Probe probe;

  DatabaseHealth(Dialect dialect) {
    this.dialect = dialect;
  }

  /** From now on the database is asked whether it answers. */
  void watch(Probe started) {
    probe = started;
  }

  Health now() {
    var stored = storage.get();
    var asked = probe;
    return asked != null && stored instanceof Health.Up ? asked.health() : stored;
  }

  /** The storage has failed. The first time this is logged. */
  void storageFailed(EvitaException fault) {
    var then = dialect.afterStorageFault(fault);
    if (!(then instanceof Health.Up) && storage.compareAndSet(Health.UP, then)) {
      LOG.error(
          "The database's storage failed; writes are refused until the database is opened again",
          fault);
    }
  }

  @Override
  public void close() {
    var asked = probe;
    if (asked != null) {
      asked.close();
    }
  }
}

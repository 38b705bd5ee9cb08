// SPDX-License-Identifier: Apache-2.0
package dev.evita.engine.jdbc.health;

import dev.evita.api.EvitaException;
import dev.evita.api.Health;
import dev.evita.engine.jdbc.dialect.Dialect;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The engine's health, from its storage and the latest probe. A failure of the storage is final.
 * Thread-safe; read before each execution.
 */
public final class DatabaseHealth implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(DatabaseHealth.class);

  private final Dialect dialect;
  private final StorageWatch writes;
  private final AtomicReference<Health> storage = new AtomicReference<>(Health.UP);
  private volatile @Nullable Probe probe;

  /**
   * Creates the health of a database that has just been opened.
   *
   * @param writes the writes to the files of a database in this process
   */
  public DatabaseHealth(Dialect dialect, StorageWatch writes) {
    this.dialect = dialect;
    this.writes = writes;
  }

  /** Sets the probe of the database. */
  public void watch(Probe started) {
    probe = started;
  }

  public Health now() {
    var stored = Objects.requireNonNull(storage.get());
    if (!(stored instanceof Health.Up)) {
      return stored;
    }
    var current = probe;
    if (current != null) {
      return current.health();
    }
    return writes.health();
  }

  /** Records a failure of the storage; the first one is logged. */
  public void storageFailed(EvitaException fault) {
    var then = dialect.errors().afterStorageFault(fault);
    if (!(then instanceof Health.Up) && storage.compareAndSet(Health.UP, then)) {
      LOG.error(
          "The database's storage failed; writes are rejected until the database is opened again",
          fault);
    }
  }

  @Override
  public void close() {
    var current = probe;
    if (current != null) {
      current.close();
    }
  }
}

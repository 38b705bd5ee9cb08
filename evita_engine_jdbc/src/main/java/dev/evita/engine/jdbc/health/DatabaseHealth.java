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
 * What the engine can serve, by what its storage and the latest probe say. A fault of the storage
 * is final. Thread-safe; read before each run.
 */
public final class DatabaseHealth implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(DatabaseHealth.class);

  private final Dialect dialect;
  private final StorageWatch writes;
  private final AtomicReference<Health> storage = new AtomicReference<>(Health.UP);
  private volatile @Nullable Probe probe;

  /**
   * The health of a database that has just been opened.
   *
   * @param writes those to the files of a database in this process
   */
  public DatabaseHealth(Dialect dialect, StorageWatch writes) {
    this.dialect = dialect;
    this.writes = writes;
  }

  /** From now on the database is asked whether it answers. */
  public void watch(Probe started) {
    probe = started;
  }

  public Health now() {
    var stored = Objects.requireNonNull(storage.get());
    if (!(stored instanceof Health.Up)) {
      return stored;
    }
    var asked = probe;
    if (asked != null) {
      return asked.health();
    }
    return writes.health();
  }

  /** The storage has failed. The first time this is logged. */
  public void storageFailed(EvitaException fault) {
    var then = dialect.errors().afterStorageFault(fault);
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

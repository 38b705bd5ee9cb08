// SPDX-License-Identifier: Apache-2.0
package dev.evita.engine.jdbc.health;

import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import dev.evita.api.Health;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Watches the writes to the files of a database in this process. While one of them has made no
 * progress for over {@link #LONGEST}, as on a hanging disk, the storage is stalled. Thread-safe.
 */
public final class StorageWatch {

  private static final Logger LOG = LoggerFactory.getLogger(StorageWatch.class);

  private static final Duration LONGEST = Duration.ofSeconds(1);

  private static final Health STALLED =
      new Health.Stalled(
          new EvitaException(
              ErrorCode.DATABASE_UNREACHABLE,
              "The disk has not completed a write of the database for over a second"));

  private volatile Writer[] writers = {};
  private volatile boolean stalled;

  // Guarded by this.
  private long stalledSinceNanos;

  /** A connection, or another writer of the database's files. Used by one thread at a time. */
  public static final class Writer implements AutoCloseable {

    private final StorageWatch watch;

    /** The time of the latest progress of the write in progress; 0 while there is none. */
    private volatile long progressNanos;

    private Writer(StorageWatch watch) {
      this.watch = watch;
    }

    /** Marks the begin of a write, or of its next step. */
    public void begin() {
      progressNanos = System.nanoTime() | 1;
    }

    /** Marks that the write in progress, if any, computes or waits for a lock. */
    public void progress() {
      if (progressNanos != 0) {
        begin();
      }
    }

    /** Marks the return of the write. */
    public void end() {
      progressNanos = 0;
    }

    @Override
    public void close() {
      watch.remove(this);
    }
  }

  /** Returns a new writer, which the caller must close. */
  public synchronized Writer writer() {
    var added = new Writer(this);
    var more = Arrays.copyOf(writers, writers.length + 1);
    more[writers.length] = added;
    writers = more;
    return added;
  }

  @SuppressWarnings("ReferenceEquality") // compares identity
  private synchronized void remove(Writer closed) {
    writers = Arrays.stream(writers).filter(each -> each != closed).toArray(Writer[]::new);
  }

  /** Returns UP or STALLED; logs each change when it is first detected. */
  Health health() {
    var since = oldestProgress();
    var now = since != 0 && System.nanoTime() - since > LONGEST.toNanos();
    if (now != stalled) {
      change(now, since);
    }
    return now ? STALLED : Health.UP;
  }

  private long oldestProgress() {
    var oldest = 0L;
    for (var writer : writers) {
      var since = writer.progressNanos;
      if (since != 0 && (oldest == 0 || since - oldest < 0)) {
        oldest = since;
      }
    }
    return oldest;
  }

  private synchronized void change(boolean now, long since) {
    if (now == stalled) {
      return;
    }
    stalled = now;
    if (now) {
      stalledSinceNanos = since;
      LOG.warn(
          "The disk has not completed a write of the database for over {} ms; not ready until it does",
          LONGEST.toMillis());
    } else {
      var millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - stalledSinceNanos);
      LOG.warn("The disk completes writes of the database again after {} ms", millis);
    }
  }
}

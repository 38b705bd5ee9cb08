// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.sql.store;

import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Checks for changed handlers at intervals, on one thread. Lives as long as the server. */
public final class HandlerReloader implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(HandlerReloader.class);

  private static final Duration LONGEST_CHECK = Duration.ofSeconds(5);

  private final ScheduledExecutorService thread =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().daemon().name("evita-handlers").factory());
  private volatile Runnable check;

  /** Starts; the check is replaced with each catalog epoch. */
  public HandlerReloader(Duration interval, Runnable check) {
    this.check = check;
    var nanos = interval.toNanos();
    var unused = thread.scheduleWithFixedDelay(this::reload, nanos, nanos, TimeUnit.NANOSECONDS);
  }

  private void reload() {
    try {
      check.run();
    } catch (Throwable e) { // else it would never run again
      LOG.warn("Failed to check the handlers for changes", e);
    }
  }

  /** Replaces the check, from its next run on. */
  public void replace(Runnable other) {
    check = other;
  }

  /** Waits for a check, as an interrupt would close the files of a database in this process. */
  @Override
  public void close() {
    thread.shutdown();
    try {
      if (!thread.awaitTermination(LONGEST_CHECK.toMillis(), TimeUnit.MILLISECONDS)) {
        LOG.warn("The check of the handlers for changes does not end");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}

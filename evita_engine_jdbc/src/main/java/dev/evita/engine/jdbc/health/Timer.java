// SPDX-License-Identifier: Apache-2.0
package dev.evita.engine.jdbc.health;

import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Runs tasks, which must not block, after a delay. It has a thread only while tasks are pending.
 */
public final class Timer implements AutoCloseable {

  private static final long IDLE_SECONDS = 5;

  private final ScheduledThreadPoolExecutor executor;

  public Timer() {
    executor =
        new ScheduledThreadPoolExecutor(
            1, Thread.ofPlatform().daemon().name("evita-jdbc-timer").factory());
    executor.setKeepAliveTime(IDLE_SECONDS, TimeUnit.SECONDS);
    executor.allowCoreThreadTimeOut(true);
    executor.setRemoveOnCancelPolicy(true);
  }

  /** Runs a task once. No effect after {@link #close}. */
  public void after(Duration delay, Runnable task) {
    try {
      var unused = executor.schedule(task, delay.toNanos(), TimeUnit.NANOSECONDS);
    } catch (RejectedExecutionException e) {
      // The engine was closed, and with it the connection that the task is about.
    }
  }

  /** Tasks that are due already still run. */
  @Override
  public void close() {
    executor.shutdown();
  }
}

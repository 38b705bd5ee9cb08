// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core.push;

import dev.evita.externalapi.core.limits.Limits;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** All connections of one server that stay open. One thread looks after them. Thread-safe. */
public final class PushChannels implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(PushChannels.class);

  private static final long LONGEST_TICK = TimeUnit.SECONDS.toNanos(1);

  private final Set<PushChannel> open = ConcurrentHashMap.newKeySet();
  private final long heartbeatNanos;
  private final long slowNanos;
  private final ScheduledThreadPoolExecutor clock =
      new ScheduledThreadPoolExecutor(
          1, Thread.ofPlatform().daemon().name("evita-heartbeat").factory());
  private volatile boolean draining;

  public PushChannels(Limits limits) {
    heartbeatNanos = limits.heartbeat().toNanos();
    slowNanos = limits.slowClientTimeout().toNanos();
    var tick = Math.min(Math.min(heartbeatNanos, slowNanos) / 4 + 1, LONGEST_TICK);
    clock.setRemoveOnCancelPolicy(true); // deadlines of calls are forgotten with their calls
    var unused = clock.scheduleWithFixedDelay(this::tick, tick, tick, TimeUnit.NANOSECONDS);
  }

  private void tick() {
    var now = now();
    for (var outlet : open) {
      try {
        outlet.tick(now);
      } catch (RuntimeException e) {
        // The clock must go on for the others.
        LOG.error("A connection could not be looked after", e);
      }
    }
  }

  public void opened(PushChannel outlet) {
    open.add(outlet);
    if (outlet.closed()) {
      open.remove(outlet);
    } else if (draining) {
      outlet.drain();
    }
  }

  void closed(PushChannel outlet) {
    open.remove(outlet);
  }

  /** Runs this on the thread that looks after them; never, once the server has closed. */
  public void after(Duration delay, Runnable task) {
    try {
      var unused = clock.schedule(task, delay.toNanos(), TimeUnit.NANOSECONDS);
    } catch (RejectedExecutionException e) {
      LOG.debug("Task rejected: the server is closed", e);
    }
  }

  public ScheduledExecutorService clock() {
    return clock;
  }

  public int count() {
    return open.size();
  }

  /** The server stops. */
  public void drain() {
    draining = true;
    open.forEach(PushChannel::drain);
  }

  public void abort() {
    open.forEach(PushChannel::abort);
  }

  long now() {
    return System.nanoTime();
  }

  long heartbeatNanos() {
    return heartbeatNanos;
  }

  long slowNanos() {
    return slowNanos;
  }

  @Override
  public void close() {
    clock.shutdownNow();
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core.carpool;

import dev.evita.api.Demand;
import dev.evita.api.EvitaException;
import dev.evita.api.Execution;
import dev.evita.api.Row;
import dev.evita.api.RowSink;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether the executions of one operation share statements: by {@link CarpoolMode#AUTO}, it
 * measures both ways from time to time, one directly after the other, and keeps the better one.
 *
 * <pre>
 * at rest --INTERVAL, under load--> the present way, measured --> the other way, measured
 *    ^                                                                  |
 *    '--- the better way; twice the interval if it is the same ---------'
 * </pre>
 *
 * <p>The other way is better if it completes at least a tenth more executions in the same time, or
 * as many with a 99th percentile of the latency that is at least a fifth shorter; and if neither
 * figure is worse by more than a twentieth. Without concurrent executions nothing is measured.
 */
final class CarpoolTrial {

  private static final long FIRST_INTERVAL = TimeUnit.SECONDS.toNanos(5);
  private static final long LONGEST_INTERVAL = TimeUnit.MINUTES.toNanos(10);
  private static final long WINDOW = TimeUnit.MILLISECONDS.toNanos(200);

  /** The least number of completed executions in each window by which they are compared. */
  private static final int FEWEST = 100;

  private static final int LEAST_CONCURRENT = 4;

  /** With as many in the queue, statements of one member each would be far too many. */
  private static final int CERTAINLY_BETTER = 64;

  private static final int SAMPLES = 4_096;

  /** The executions that begin and end in one window. */
  private static final class Window {
    private final long end;
    private final AtomicInteger count = new AtomicInteger();
    private final AtomicLongArray latencies = new AtomicLongArray(SAMPLES);

    Window(long now) {
      this.end = now + WINDOW;
    }

    void add(long now, long latency) {
      if (now - end < 0) {
        latencies.set(count.getAndIncrement() & (SAMPLES - 1), latency);
      }
    }

    long slowest() {
      var known = new long[Math.min(count.get(), SAMPLES)];
      for (int i = 0; i < known.length; i++) {
        known[i] = latencies.get(i);
      }
      Arrays.sort(known);
      return known[known.length * 99 / 100];
    }
  }

  private final boolean always;
  private final LongSupplier nanoTime;
  private final AtomicInteger concurrent = new AtomicInteger();
  private volatile boolean shares;
  private volatile @Nullable Window window;
  private volatile long nextTrial;

  // Guarded by this.
  private @Nullable Window first;
  private long interval = FIRST_INTERVAL;

  /**
   * @param shares the way to begin with, for {@link CarpoolMode#AUTO}
   * @param nanoTime the clock
   */
  CarpoolTrial(CarpoolMode mode, boolean shares, LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
    this.always = mode == CarpoolMode.ON;
    this.shares = always || shares;
    this.nextTrial = nanoTime.getAsLong() + interval;
  }

  /** Whether executions share statements in any case. */
  boolean always() {
    return always;
  }

  /** Whether the next execution shares a statement. */
  boolean shares() {
    return shares;
  }

  /**
   * Returns the sink, or one that measures the execution.
   *
   * @param queued the number of executions that wait for a batch
   */
  RowSink observe(RowSink sink, int queued) {
    if (always) {
      return sink;
    }
    var now = nanoTime.getAsLong();
    var measured = window;
    if (measured == null ? now - nextTrial >= 0 : now - measured.end >= 0) {
      advance(now, queued);
      measured = window;
    }
    return measured == null && shares ? sink : new Timed(sink, now, measured);
  }

  private synchronized void advance(long now, int queued) {
    var measured = window;
    if (measured == null) {
      if (now - nextTrial < 0) {
        return;
      }
      nextTrial = now + interval;
      var load = shares ? queued : concurrent.get();
      if (load >= LEAST_CONCURRENT && !(shares && queued >= CERTAINLY_BETTER)) {
        window = new Window(now);
      }
    } else if (now - measured.end >= 0) {
      var before = first;
      if (before == null) {
        first = measured;
        shares = !shares;
        window = new Window(now);
      } else {
        if (!isBetter(measured, before)) {
          shares = !shares;
          interval = Math.min(2 * interval, LONGEST_INTERVAL);
        } else {
          interval = FIRST_INTERVAL;
        }
        first = null;
        window = null;
        nextTrial = now + interval;
      }
    }
  }

  private static boolean isBetter(Window other, Window present) {
    var more = other.count.get();
    var fewer = present.count.get();
    if (more < FEWEST || fewer < FEWEST) {
      return false;
    }
    var throughput = (double) more / fewer;
    var latency = (double) other.slowest() / present.slowest();
    return throughput >= 0.95
        && latency <= 1.05
        && (throughput >= 1.1 || (throughput >= 1 && latency <= 0.8));
  }

  /** Measures one execution. */
  private final class Timed implements ContinuingSink {
    private final RowSink sink;
    private final long since;
    private final @Nullable Window measured;

    Timed(RowSink sink, long since, @Nullable Window measured) {
      this.sink = sink;
      this.since = since;
      this.measured = measured;
      concurrent.incrementAndGet();
    }

    private void ended() {
      concurrent.decrementAndGet();
      if (measured != null) {
        var now = nanoTime.getAsLong();
        measured.add(now, now - since);
      }
    }

    @Override
    public void started(Execution execution) {
      sink.started(execution);
    }

    @Override
    public boolean continues() {
      return sink instanceof ContinuingSink continuing && continuing.continues();
    }

    @Override
    public int maxHeldRows() {
      return sink.maxHeldRows();
    }

    @Override
    public Demand row(Row row) {
      return sink.row(row);
    }

    @Override
    public void completed(long affected) {
      ended();
      sink.completed(affected);
    }

    @Override
    public void failed(EvitaException failure) {
      ended();
      sink.failed(failure);
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.evita.api.testkit;

import dev.evita.api.Demand;
import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import dev.evita.api.Execution;
import dev.evita.api.Row;
import dev.evita.api.RowShape;
import dev.evita.api.RowSink;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Collects the rows that an engine pushes, and records each violation of {@link RowSink}'s
 * protocol.
 *
 * <p>Suitable for engines that work on the calling thread and for asynchronous ones: {@link #await}
 * returns after the last call. Values are those of {@link Row#objectAt}; a nested slot is a list of
 * rows, or, if the relationship is single, one row or null.
 */
public final class CollectingSink implements RowSink {

  private final LongFunction<Demand> demand;
  private final @Nullable Consumer<Row> reader;
  private final List<List<@Nullable Object>> rows = Collections.synchronizedList(new ArrayList<>());
  private final List<String> breaches = Collections.synchronizedList(new ArrayList<>());
  private final CountDownLatch started = new CountDownLatch(1);
  private final CountDownLatch ended = new CountDownLatch(1);
  private final Semaphore pauses = new Semaphore(0);
  private final AtomicBoolean busy = new AtomicBoolean();
  private volatile @Nullable Execution execution;
  private volatile @Nullable EvitaException failure;
  private volatile @Nullable Thread lastThread;
  private volatile Demand lastDemand = Demand.MORE;
  private final AtomicLong count = new AtomicLong();
  private volatile long affected = -1;
  private volatile int maxHeldRows = Integer.MAX_VALUE;

  /** Accepts all rows. */
  public CollectingSink() {
    this(count -> Demand.MORE, null);
  }

  private CollectingSink(LongFunction<Demand> demand, @Nullable Consumer<Row> reader) {
    this.demand = demand;
    this.reader = reader;
  }

  /** Returns for each row the demand for its number, counted from 1. */
  public static CollectingSink demanding(LongFunction<Demand> demand) {
    return new CollectingSink(demand, null);
  }

  /** Accepts all rows, but limits the number of rows that the engine may buffer. */
  public static CollectingSink holdingAtMost(int rows) {
    var sink = new CollectingSink();
    sink.maxHeldRows = rows;
    return sink;
  }

  /** Passes each row to a reader instead of collecting it. */
  public static CollectingSink reading(Consumer<Row> reader) {
    return new CollectingSink(count -> Demand.MORE, reader);
  }

  @Override
  public void started(Execution newExecution) {
    enter("started");
    if (execution != null) {
      breaches.add("started twice");
    }
    if (count.get() > 0) {
      breaches.add("started after a row");
    }
    execution = newExecution;
    started.countDown();
    leave();
  }

  @Override
  public Demand row(Row row) {
    enter("row");
    if (lastDemand != Demand.MORE) {
      breaches.add("a row after " + lastDemand);
    }
    var current = execution;
    if (current == null) {
      breaches.add("a row before started");
    } else {
      read(current.shape(), row);
    }
    var given = count.incrementAndGet();
    var answer = demand.apply(given);
    lastDemand = answer;
    leave();
    if (answer == Demand.PAUSE) {
      pauses.release();
    }
    return answer;
  }

  private void read(RowShape shape, Row row) {
    try {
      if (reader == null) {
        rows.add(copy(shape, row));
      } else {
        reader.accept(row);
      }
    } catch (RuntimeException e) {
      if (e instanceof EvitaException evita && evita.code() == ErrorCode.STORED_VALUE_INVALID) {
        // Exceptions of accessors pass through the sink; the engine ends the execution with them.
        leave();
        throw evita;
      }
      // A sink throws no other exceptions; await() reports them.
      breaches.add("reading row " + count + " threw " + e);
    }
  }

  @Override
  public int maxHeldRows() {
    return maxHeldRows;
  }

  @Override
  public void completed(long newAffected) {
    enter("completed");
    if (execution == null) {
      breaches.add("completed before started");
    }
    if (lastDemand == Demand.PAUSE) {
      breaches.add("completed while paused");
    }
    affected = newAffected;
    end();
  }

  @Override
  public void failed(EvitaException newFailure) {
    enter("failed");
    failure = newFailure;
    end();
  }

  private void end() {
    leave();
    ended.countDown();
  }

  private void enter(String call) {
    lastThread = Thread.currentThread();
    if (ended.getCount() == 0) {
      breaches.add(call + " after the end");
    }
    if (!busy.compareAndSet(false, true)) {
      breaches.add(call + " during another call");
    }
  }

  private void leave() {
    busy.set(false);
  }

  /** Resumes after a pause, on this thread for a synchronous engine. */
  public void resume() {
    lastDemand = Demand.MORE;
    execution().resume();
  }

  /**
   * Waits for the last call.
   *
   * @throws AssertionError if it does not come in time, or the protocol was violated
   */
  public CollectingSink await(Duration longest) {
    await(ended, longest, "the run did not end");
    requireProtocol();
    return this;
  }

  /** Waits for {@link #started}. */
  public CollectingSink awaitStarted(Duration longest) {
    await(started, longest, "the run did not start");
    return this;
  }

  /** Waits until a row was answered with {@link Demand#PAUSE}; each pause counts once. */
  public CollectingSink awaitPause(Duration longest) {
    try {
      if (!pauses.tryAcquire(longest.toMillis(), TimeUnit.MILLISECONDS)) {
        throw new AssertionError("no pause within " + longest + " after " + count + " rows");
      }
    } catch (InterruptedException e) {
      throw interrupted(e);
    }
    return this;
  }

  private void await(CountDownLatch latch, Duration longest, String otherwise) {
    try {
      if (!latch.await(longest.toMillis(), TimeUnit.MILLISECONDS)) {
        throw new AssertionError(
            otherwise + " within " + longest + "; " + count + " rows came, breaches: " + breaches);
      }
    } catch (InterruptedException e) {
      throw interrupted(e);
    }
  }

  private static AssertionError interrupted(InterruptedException e) {
    Thread.currentThread().interrupt();
    return new AssertionError("interrupted", e);
  }

  private void requireProtocol() {
    if (!breaches.isEmpty()) {
      throw new AssertionError("the engine broke the sink's protocol: " + breaches);
    }
  }

  /** Whether the last call has come. */
  public boolean hasEnded() {
    return ended.getCount() == 0;
  }

  /** The received rows, values by slot. */
  public List<List<@Nullable Object>> rows() {
    synchronized (rows) {
      return List.copyOf(rows);
    }
  }

  /** The received rows, values by slot name; nested rows are maps likewise. */
  public List<Map<String, @Nullable Object>> maps() {
    var shape = execution().shape();
    return rows().stream().map(row -> map(shape, row)).toList();
  }

  /** The number of received rows. */
  public long count() {
    return count.get();
  }

  /** The argument of {@code completed}; -1 before or without it. */
  public long affected() {
    return affected;
  }

  /** The argument of {@code failed}; null before or without it. */
  public @Nullable EvitaException failure() {
    return failure;
  }

  /** The thread of the last call. */
  public @Nullable Thread lastThread() {
    return lastThread;
  }

  /** The execution. */
  public Execution execution() {
    var current = execution;
    if (current == null) {
      throw new AssertionError("the run has not started; failure: " + failure);
    }
    return current;
  }

  private static List<@Nullable Object> copy(RowShape shape, Row row) {
    var values = new ArrayList<@Nullable Object>();
    for (int slot = 0; slot < shape.slots().size(); slot++) {
      values.add(
          switch (shape.slots().get(slot)) {
            case RowShape.ValueSlot value -> row.objectAt(slot);
            case RowShape.NestedSlot nested -> nested(nested, row, slot);
          });
    }
    return Collections.unmodifiableList(values);
  }

  private static @Nullable Object nested(RowShape.NestedSlot slot, Row row, int index) {
    var cursor = row.nested(index);
    var related = new ArrayList<List<@Nullable Object>>();
    while (cursor.next()) {
      related.add(copy(slot.shape(), cursor));
    }
    if (!slot.single()) {
      return List.copyOf(related);
    }
    if (related.size() > 1) {
      throw new IllegalStateException(related.size() + " rows in the single slot " + slot.name());
    }
    return related.isEmpty() ? null : related.getFirst();
  }

  private static Map<String, @Nullable Object> map(RowShape shape, List<@Nullable Object> row) {
    var map = new LinkedHashMap<String, @Nullable Object>();
    for (int slot = 0; slot < row.size(); slot++) {
      switch (shape.slots().get(slot)) {
        case RowShape.ValueSlot value -> map.put(value.name(), row.get(slot));
        case RowShape.NestedSlot nested -> map.put(nested.name(), mapped(nested, row.get(slot)));
      }
    }
    return Collections.unmodifiableMap(map);
  }

  private static @Nullable Object mapped(RowShape.NestedSlot slot, @Nullable Object value) {
    if (value == null) {
      return null;
    }
    if (slot.single()) {
      return map(slot.shape(), asRow(value));
    }
    return ((List<?>) value).stream().map(row -> map(slot.shape(), asRow(row))).toList();
  }

  @SuppressWarnings("unchecked") // made by copy()
  private static List<@Nullable Object> asRow(Object row) {
    return (List<@Nullable Object>) row;
  }
}

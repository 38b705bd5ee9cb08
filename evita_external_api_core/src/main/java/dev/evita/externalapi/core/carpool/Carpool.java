// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core.carpool;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.evita.api.Capability;
import dev.evita.api.Catalog;
import dev.evita.api.Engine;
import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import dev.evita.api.Operation;
import dev.evita.api.Prepared;
import dev.evita.api.Select;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The carpool of a server: lets concurrent executions of one prepared operation share statements.
 * Lives as long as the server. Thread-safe.
 */
public final class Carpool {

  /** The threads on which batches are executed. */
  public interface Threads {

    /** Whether the calling thread may wait for the database. */
    boolean mayBlock();

    /** Runs a task, which may block, on another thread. */
    void execute(Runnable task);
  }

  private final CarpoolMode mode;
  private final int maxWaiting;
  private final Threads threads;
  private final CarpoolCounters counters = new CarpoolCounters();
  private final AtomicInteger waiting = new AtomicInteger();

  /**
   * @param maxWaiting the maximum number of executions that wait for a batch
   */
  public Carpool(CarpoolMode mode, int maxWaiting, Threads threads) {
    this.mode = mode;
    this.maxWaiting = maxWaiting;
    this.threads = threads;
  }

  /** The operations of one catalog epoch that are executed in batches. Thread-safe. */
  public final class Epoch {
    private final Engine engine;
    private final Catalog catalog;
    private final boolean inProcess;
    private final Cache<Object, BatchQueue> queues;

    private Epoch(Engine engine, Catalog catalog, int size) {
      this.engine = engine;
      this.catalog = catalog;
      this.inProcess = engine.capabilities().contains(Capability.IN_PROCESS);
      this.queues = Caffeine.newBuilder().maximumSize(size).build();
    }

    /**
     * Returns the operation with batches where it allows them, else the operation itself. Does not
     * call the engine.
     */
    public Prepared share(Prepared prepared) {
      var batched = mode == CarpoolMode.OFF ? null : batched(prepared.operation());
      return batched == null ? prepared : share(prepared, batched, mode, !inProcess);
    }

    /**
     * Returns a set-based query with batches, for the arguments of one member.
     *
     * @param own the mode of this query; null for that of the server
     */
    public Prepared share(SetBasedQuery query, @Nullable CarpoolMode own) {
      var effective = own == null ? mode : own;
      var waits = query.writes() && engine.writesOneAtATime();
      return effective == CarpoolMode.OFF
          ? query.single()
          : share(query.single(), query, effective, !inProcess || waits);
    }

    private Prepared share(
        Prepared single, BatchedStatement batched, CarpoolMode effective, boolean begins) {
      var queue =
          queues.get(
              batched.identity(),
              added ->
                  new BatchQueue(
                      Carpool.this,
                      batched,
                      new CarpoolTrial(effective, begins, System::nanoTime)));
      return new SharedPrepared(single, batched, queue);
    }

    private @Nullable BatchedStatement batched(Operation operation) {
      return operation instanceof Select select ? SelectByKey.of(select, engine, catalog) : null;
    }
  }

  /**
   * Begins an epoch.
   *
   * @param size the maximum number of operations that are kept
   */
  public Epoch epoch(Engine engine, Catalog catalog, int size) {
    return new Epoch(engine, catalog, size);
  }

  public CarpoolCounters.Snapshot snapshot() {
    return counters.snapshot(waiting.get());
  }

  CarpoolCounters counters() {
    return counters;
  }

  /** The mode of the server. */
  public CarpoolMode mode() {
    return mode;
  }

  /** Counts an execution that waits. Returns false if too many do. */
  public boolean admit() {
    if (waiting.incrementAndGet() > maxWaiting) {
      waiting.decrementAndGet();
      counters.rejected();
      return false;
    }
    return true;
  }

  /** An execution no longer waits. */
  public void leave() {
    waiting.decrementAndGet();
  }

  static EvitaException invalid(String reason) {
    return new EvitaException(ErrorCode.INVALID_OPERATION, "The query has " + reason);
  }

  /** The failure of an execution that is not admitted. */
  public EvitaException overloaded() {
    return new EvitaException(
        ErrorCode.OVERLOADED,
        "The server is busy: "
            + maxWaiting
            + " requests wait for the database, the maximum of worker-queue; retry later");
  }

  boolean mayBlock() {
    return threads.mayBlock();
  }

  /** Runs a task, which may block, on another thread. */
  public void execute(Runnable task) {
    threads.execute(task);
  }
}

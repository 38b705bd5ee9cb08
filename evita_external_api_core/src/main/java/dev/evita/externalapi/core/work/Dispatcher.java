// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core.work;

import dev.evita.api.Engine;
import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import dev.evita.api.Health;
import dev.evita.externalapi.core.carpool.Carpool;
import dev.evita.externalapi.core.limits.Limits;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.xnio.XnioIoThread;
import org.xnio.XnioWorker;

/**
 * Decides where work runs, and ends work that exceeds its deadline.
 *
 * <pre>
 * database down -----> 503, at once
 * bounded plan ------> this (I/O) thread, watched through its slot
 * else, admitted ----> worker pool ---> a worker thread --.
 * else, full --------> 503                              |  engine completes later, or slow
 * consumer:
 *                      resumers <----- resume(next) ------'  holds no thread; watched through the set
 * </pre>
 *
 * <p>A hand-off between threads is the most expensive step of the request path, so a bounded plan
 * has none, and watching it costs two writes of a field before and one after. All other work is in
 * {@code watched} until its response was sent.
 *
 * <p>If an I/O thread does not return from a bounded plan, as with a hanging disk, all plans run on
 * workers until it does. If a worker does not return although its work has ended, another thread
 * takes its place, up to twice the number of workers.
 */
public final class Dispatcher implements AutoCloseable, Carpool.Threads {

  private static final Logger LOG = LoggerFactory.getLogger(Dispatcher.class);

  /** I/O-thread time after which a plan is treated as unbounded and moved to the worker pool. */
  private static final long IO_THREAD_BUDGET_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  /** I/O-thread time of one plan after which all plans are moved to the worker pool. */
  private static final long IO_THREAD_STALL_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

  /** I/O-thread time of one plan after which the server is not ready. */
  private static final long STALLED_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** How long a worker may take to return after its work has ended. */
  private static final long STUCK_NANOS = TimeUnit.SECONDS.toNanos(1);

  private static final Duration TICK = Duration.ofMillis(50);

  /**
   * The number of ticks, half a second, between checks whether waiting clients are still connected.
   */
  private static final int TICKS_PER_PROBE = 10;

  /** Enough for a row; a longer response grows it. */
  private static final int SHORT_BUFFER_BYTES = 1 << 10;

  /** How long a slow consumer may wait while other requests wait for the database. */
  private static final long MOST_PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(1);

  /**
   * A task that waits for a worker: either a worker runs it, or the watchdog removes it and
   * responds in its place. Never both, as work belongs to one thread at a time.
   */
  static final class QueuedTask implements Runnable {

    private final Work work;
    private final Runnable task;
    private final AtomicBoolean taken = new AtomicBoolean();

    private QueuedTask(Work work, Runnable task) {
      this.work = work;
      this.task = task;
    }

    /** Returns true to the first caller, which owns the work from then on. */
    boolean take() {
      return !taken.get() && taken.compareAndSet(false, true);
    }

    @Override
    public void run() {
      if (take()) {
        work.dispatcher().runOnWorker(work, task);
      }
    }

    /** Fails the work if it has not begun. */
    void refuse(EvitaException failure) {
      if (take()) {
        work.fail(failure);
      }
    }
  }

  private final Limits limits;
  private final LongSupplier nanoTime;
  private final Engine engine;
  private final FaultLog faults;
  private final ThreadPoolExecutor workers;
  private final ThreadPoolExecutor resumers;
  private final FairQueue<QueuedTask> waiting = new FairQueue<>();
  private final Runnable runNextQueued = this::runNextQueued;
  private final ScheduledExecutorService watchdog;
  private final int threads;
  private final int maxAdmitted;
  private int ticks;
  private final AtomicInteger admitted = new AtomicInteger();
  private final AtomicInteger running = new AtomicInteger();
  private final Set<Work> watched = ConcurrentHashMap.newKeySet();
  private final Set<Work> unending = ConcurrentHashMap.newKeySet();
  private final PausedWork paused;
  private final CopyOnWriteArrayList<ThreadSlot> ioSlots = new CopyOnWriteArrayList<>();
  private final Set<ThreadSlot> workerSlots = ConcurrentHashMap.newKeySet();

  @SuppressWarnings("ThreadLocalUsage") // only for this server's I/O threads, which end with it
  private final ThreadLocal<ThreadSlot> ioSlot = new ThreadLocal<>();

  private volatile @Nullable XnioWorker io;
  private volatile boolean ioStalled;
  private volatile boolean notReady;

  /**
   * @param workers worker threads; 0 for eight per core
   * @param queued the maximum amount of work that waits for a worker
   * @param engine provides its health, and the number of requests that wait for its resources
   */
  public Dispatcher(Limits limits, int workers, int queued, LongSupplier nanoTime, Engine engine) {
    this.limits = limits;
    this.nanoTime = nanoTime;
    this.engine = engine;
    this.faults = new FaultLog(nanoTime);
    this.paused = new PausedWork(limits.maxPaused());
    this.threads = workers > 0 ? workers : 8 * Runtime.getRuntime().availableProcessors();
    this.maxAdmitted = threads + queued;
    this.workers = pool(threads, "evita-worker-");
    this.resumers = pool(threads, "evita-resumer-");
    this.watchdog =
        Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("evita-watchdog").factory());
    var unused =
        watchdog.scheduleWithFixedDelay(
            this::watch, TICK.toMillis(), TICK.toMillis(), TimeUnit.MILLISECONDS);
  }

  /** The queue is unbounded: admitted work must always be able to submit its next task. */
  private ThreadPoolExecutor pool(int size, String name) {
    var number = new AtomicInteger();
    var pool =
        new ThreadPoolExecutor(
            size,
            size,
            30,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            task -> worker(task, name + number.getAndIncrement()));
    pool.allowCoreThreadTimeOut(true);
    return pool;
  }

  private ServerThread worker(Runnable task, String name) {
    var slot = new ThreadSlot();
    Runnable inSlot =
        () -> {
          workerSlots.add(slot);
          try {
            task.run();
          } finally {
            workerSlots.remove(slot);
          }
        };
    return new ServerThread(inSlot, name, slot);
  }

  @Override
  public boolean mayBlock() {
    return !(Thread.currentThread() instanceof XnioIoThread);
  }

  /** Runs a batch: like resumed work, it may hold what others wait for. */
  @Override
  public void execute(Runnable task) {
    resumers.execute(() -> {
      var mine = slot();
      if (mine != null) {
        mine.batching(true);
      }
      try {
        task.run();
      } finally {
        if (mine != null) {
          mine.batching(false);
        }
      }
    });
  }

  /** Sets the threads on which bounded plans run. */
  public void serves(XnioWorker ioThreads) {
    io = ioThreads;
  }

  /** The slot of the calling thread; null for a thread outside the server. */
  @SuppressWarnings("ReferenceEquality") // compares identity
  private @Nullable ThreadSlot slot() {
    var thread = Thread.currentThread();
    if (thread instanceof ServerThread own) {
      return own.slot();
    }
    if (!(thread instanceof XnioIoThread own) || own.getWorker() != io) {
      return null;
    }
    var known = ioSlot.get();
    if (known == null) {
      known = new ThreadSlot();
      ioSlot.set(known);
      ioSlots.add(known);
    }
    return known;
  }

  /** Returns a response buffer; the calling thread's spare one if it has one. */
  byte[] takeBuffer() {
    var mine = slot();
    var spare = mine == null ? null : mine.takeSpare();
    if (spare != null) {
      return spare;
    }
    return new byte
        [mine != null && mine.batching() ? SHORT_BUFFER_BYTES : ResponseBody.BUFFER_BYTES];
  }

  /** Returns a buffer, which must not be used any more. */
  void giveBuffer(byte[] buffer) {
    var mine = buffer.length == ResponseBody.BUFFER_BYTES ? slot() : null;
    if (mine != null) {
      mine.keepSpare(buffer);
    }
  }

  /** The log of failures. */
  public FaultLog faults() {
    return faults;
  }

  public Limits limits() {
    return limits;
  }

  /** The clock of deadlines. */
  public long now() {
    return nanoTime.getAsLong();
  }

  /** The deadline of a request whose first byte arrived at this time. */
  public long deadline(long begunNanos) {
    return begunNanos + limits.requestTimeout().toNanos();
  }

  /** The reason why bounded plans do not return; null if they do. */
  public @Nullable EvitaException stall() {
    return notReady
        ? new EvitaException(
            ErrorCode.DATABASE_UNREACHABLE,
            "A read has not returned for over a second; check the disk")
        : null;
  }

  void dispatch(Work work, PlacementHistory plan, boolean bounded, Runnable task) {
    if (engine.health() instanceof Health.Down(var reason)) {
      work.fail(reason);
      return;
    }
    var now = bounded ? nanoTime.getAsLong() : 0;
    if (bounded && !ioStalled && !plan.demoted(now)) {
      here(work, plan, task, now);
    } else {
      admit(work, task);
    }
  }

  private void here(Work work, PlacementHistory plan, Runnable task, long started) {
    var mine = slot();
    if (mine == null) {
      watch(work);
      run(work, task);
    } else {
      mine.take(work, started);
      run(work, task);
      mine.leave();
    }
    var now = nanoTime.getAsLong();
    if (plan.ran(now, now - started > IO_THREAD_BUDGET_NANOS)) {
      LOG.info("Plan held an I/O thread too long; moved to worker threads for a while: {}", plan);
    }
    if (!work.ended()) {
      work.owner().keepInput();
      watch(work);
    }
  }

  private void runOnWorker(Work work, Runnable task) {
    var mine = slot();
    if (mine != null) {
      mine.take(work, nanoTime.getAsLong());
    }
    run(work, task);
    if (mine != null) {
      mine.leave();
    }
  }

  private void admit(Work work, Runnable task) {
    if (work.admitted()) {
      begin(work, task); // restarted work
      return;
    }
    if (admitted.incrementAndGet() > maxAdmitted) {
      admitted.decrementAndGet();
      work.fail(
          new EvitaException(
              ErrorCode.OVERLOADED,
              "The server is busy: "
                  + maxAdmitted
                  + " requests are running or queued, the maximum of worker-threads and worker-queue;"
                  + " retry later"));
      return;
    }
    work.admit();
    work.owner().keepInput();
    watch(work);
    begin(work, task);
  }

  private void begin(Work work, Runnable task) {
    waiting.add(work.client(), queuedTask(work, task));
    execute(workers, work, runNextQueued);
  }

  /**
   * Runs the next task of admitted work. It may hold what work that occupies the workers waits for,
   * so it has a thread pool of its own.
   */
  void resume(Work work, Runnable task) {
    execute(resumers, work, queuedTask(work, task));
  }

  /**
   * The same after a pause, during which no thread waits.
   *
   * @return cancels it, unless it has begun
   */
  public ScheduledFuture<?> resumeLater(Work work, long nanos, Runnable task) {
    return watchdog.schedule(() -> resume(work, task), nanos, TimeUnit.NANOSECONDS);
  }

  private static QueuedTask queuedTask(Work work, Runnable task) {
    var queued = new QueuedTask(work, task);
    work.waits(queued);
    return queued;
  }

  private static void execute(ThreadPoolExecutor pool, Work work, Runnable task) {
    try {
      pool.execute(task);
    } catch (RejectedExecutionException e) {
      work.expire(ErrorCode.SHUTTING_DOWN);
    }
  }

  /** Runs on a worker. */
  private void runNextQueued() {
    var queued = waiting.poll();
    if (queued != null) {
      queued.run();
    }
  }

  private static void run(Work work, Runnable task) {
    var body = work.owner().body();
    if (body != null) {
      body.enter();
    }
    try {
      task.run();
    } catch (Throwable failure) {
      if (!work.ended()) {
        work.fail(failure);
      }
    }
    body = work.owner().body();
    if (body != null) {
      body.leave();
    }
  }

  /** Watches the deadline of work until it ends. */
  public void watch(Work work) {
    if (work.openEnded()) {
      return;
    }
    watched.add(work);
    if (work.ended()) {
      watched.remove(work);
    }
  }

  /** Counts work that begins; {@link #ended} will follow. */
  void begun() {
    running.incrementAndGet();
  }

  void ended(Work work) {
    work.resumed();
    unending.remove(work);
    released(work);
    running.decrementAndGet();
  }

  /**
   * Marks work as open-ended: it has no deadline any more, and other work may be admitted instead.
   */
  void released(Work work) {
    watched.remove(work);
    if (work.unadmit()) {
      admitted.decrementAndGet();
    }
  }

  /** Marks work that waits for its client, and holds resources of the engine meanwhile. */
  void paused(Work work) {
    var eldest = paused.add(work, nanoTime.getAsLong());
    if (eldest != null) {
      eldest.expire(ErrorCode.CLIENT_TOO_SLOW);
    }
    if (work.ended()) {
      paused.remove(work);
    }
  }

  void resumed(Work work) {
    paused.remove(work);
  }

  /**
   * Aborts the longest-waiting slow consumers while other requests wait for resources that they
   * hold. Ending an execution may take a round trip, which the watchdog does not wait for.
   */
  private void makeRoom(long now) {
    for (int wanted = engine.waiting(); wanted > 0; wanted--) {
      var eldest = paused.takeEldest(now - MOST_PATIENCE_NANOS);
      if (eldest == null) {
        return;
      }
      execute(resumers, eldest, () -> eldest.expire(ErrorCode.CLIENT_TOO_SLOW));
    }
  }

  /** Registers open-ended work, which is ended at shutdown. */
  void unending(Work work) {
    released(work);
    unending.add(work);
    if (work.ended()) {
      unending.remove(work);
    }
  }

  /** Ends open-ended work. */
  public void endUnending() {
    unending.forEach(work -> work.expire(ErrorCode.SHUTTING_DOWN));
  }

  /** The amount of work in progress. */
  public int running() {
    return running.get();
  }

  private void watch() {
    try {
      var now = nanoTime.getAsLong();
      watchIoThreads(now);
      watchWorkers(now);
      refuseWaiting();
      makeRoom(now);
      ticks = (ticks + 1) % TICKS_PER_PROBE;
      for (var work : watched) {
        expire(work, now);
        if (ticks == 0) {
          work.owner().probe();
        }
      }
      faults.tick();
    } catch (RuntimeException e) {
      // The watchdog must survive the failure of one check.
      LOG.error("The watchdog failed", e);
    }
  }

  private void watchIoThreads(long now) {
    var longest = 0L;
    for (var each : ioSlots) {
      var work = each.work();
      if (work != null) {
        longest = Math.max(longest, now - each.since());
        expire(work, now);
      }
    }
    var stalled = longest > IO_THREAD_STALL_NANOS;
    if (stalled != ioStalled) {
      ioStalled = stalled;
      LOG.debug("An I/O thread {} from a plan", stalled ? "has not returned" : "has returned");
    }
    notReady = longest > STALLED_NANOS;
  }

  /** Adds as many workers as are stuck in work that has ended without them. */
  private void watchWorkers(long now) {
    var stuck = 0;
    for (var each : workerSlots) {
      var work = each.work();
      var over = work != null && work.ended() && now - each.since() > STUCK_NANOS;
      stuck += over ? 1 : 0;
    }
    resize(workers, threads + Math.min(stuck, threads));
  }

  private static void resize(ThreadPoolExecutor pool, int size) {
    if (size > pool.getMaximumPoolSize()) {
      pool.setMaximumPoolSize(size);
      pool.setCorePoolSize(size);
    } else if (size < pool.getMaximumPoolSize()) {
      pool.setCorePoolSize(size);
      pool.setMaximumPoolSize(size);
    }
  }

  /** Fails queued work that could only wait for the database. */
  private void refuseWaiting() {
    while (engine.health() instanceof Health.Down(var reason)) {
      var next = waiting.poll();
      if (next == null) {
        return;
      }
      next.refuse(reason);
    }
  }

  private static void expire(@Nullable Work work, long now) {
    if (work != null && now - work.deadlineNanos() > 0) {
      work.expire(ErrorCode.DEADLINE_EXCEEDED);
    }
  }

  /** Cancels all work in progress. */
  public void cancelAll() {
    watched.forEach(work -> work.expire(ErrorCode.SHUTTING_DOWN));
  }

  @Override
  public void close() {
    watchdog.shutdownNow();
    faults.logCounts();
    workers.shutdown();
    resumers.shutdown();
  }
}

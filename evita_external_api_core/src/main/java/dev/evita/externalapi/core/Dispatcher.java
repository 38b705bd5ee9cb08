// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core;

import dev.evita.api.Engine;
import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import dev.evita.api.Health;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
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
 * Decides where the work of an exchange runs, and ends what takes too long.
 *
 * <pre>
 *   database down -----> 503, at once
 *   bounded plan ------> this (I/O) thread, watched through its seat
 *   else, admitted ----> worker pool ---> a worker thread --.
 *   else, full --------> 503                                |  engine answers later, or client reads slowly:
 *                        resumers <----- resume(next) ------'  no thread is held; watched through the set
 * </pre>
 *
 * <p>A hand-off between threads is the most expensive step of the request path, so a bounded plan
 * pays none, and the watch costs it two fields written before and one after. Everything else is in
 * {@code watched} until its answer has left.
 *
 * <p>Where an I/O thread does not come back from a bounded plan, as from a disk that hangs, all
 * plans run on workers until it does. Where a worker does not come back although its exchange is
 * over, another takes its place, up to twice the number of workers.
 */
final class Dispatcher implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(Dispatcher.class);

  /** I/O-thread time after which a plan is treated as unbounded and moved to the worker pool. */
  private static final long IO_THREAD_BUDGET_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  /** I/O-thread time of one plan after which all plans are moved to the worker pool. */
  private static final long IO_THREAD_STALL_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

  /** I/O-thread time of one plan after which the server is not ready. */
  private static final long STALLED_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** How long a worker may take to return after its exchange has ended. */
  private static final long STUCK_NANOS = TimeUnit.SECONDS.toNanos(1);

  private static final Duration TICK = Duration.ofMillis(50);

  /** Each so many ticks, half a second, it is asked whether the clients that wait are there. */
  private static final int TICKS_PER_PROBE = 10;

  /** How long a client may wait while others wait for the database. */
  private static final long MOST_PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(1);

  /**
   * A piece of work that waits for a worker: done by the worker, or taken away by the watchdog, who
   * then answers in its place. Never both, as an exchange is one thread's at a time.
   */
  static final class Turn implements Runnable {

    private final Exchange exchange;
    private final Runnable work;
    private final AtomicBoolean taken = new AtomicBoolean();

    private Turn(Exchange exchange, Runnable work) {
      this.exchange = exchange;
      this.work = work;
    }

    /** Answers true to the first who asks, whose the exchange is from then on. */
    boolean take() {
      return !taken.get() && taken.compareAndSet(false, true);
    }

    @Override
    public void run() {
      if (take()) {
        exchange.dispatcher().runOnWorker(exchange, work);
      }
    }

    /** Answers in place of the work, if that has not begun. */
    void refuse(EvitaException failure) {
      if (take()) {
        exchange.fail(failure);
      }
    }
  }

  private final Limits limits;
  private final LongSupplier nanoTime;
  private final Engine engine;
  private final FaultLog faults;
  private final ThreadPoolExecutor workers;
  private final ThreadPoolExecutor resumers;
  private final WaitingTurns<Turn> waiting = new WaitingTurns<>();
  private final Runnable takeTurn = this::takeTurn;
  private final ScheduledExecutorService watchdog;
  private final int threads;
  private final int maxAdmitted;
  private int ticks;
  private final AtomicInteger admitted = new AtomicInteger();
  private final AtomicInteger running = new AtomicInteger();
  private final Set<Exchange> watched = ConcurrentHashMap.newKeySet();
  private final Set<Exchange> unending = ConcurrentHashMap.newKeySet();
  private final PausedExchanges paused;
  private final CopyOnWriteArrayList<Seat> ioSeats = new CopyOnWriteArrayList<>();
  private final Set<Seat> workerSeats = ConcurrentHashMap.newKeySet();

  @SuppressWarnings("ThreadLocalUsage") // of this server's I/O threads alone, which end with it
  private final ThreadLocal<Seat> ioSeat = new ThreadLocal<>();

  private volatile @Nullable XnioWorker io;
  private volatile boolean ioStalled;
  private volatile boolean notReady;

  /**
   * @param engine is asked for its health, and how many wait for what others hold in it
   */
  Dispatcher(ServerOptions options, LongSupplier nanoTime, Engine engine) {
    this.limits = options.limits();
    this.nanoTime = nanoTime;
    this.engine = engine;
    this.faults = new FaultLog(nanoTime);
    this.paused = new PausedExchanges(limits.maxPaused());
    this.threads =
        options.workerThreads() > 0
            ? options.workerThreads()
            : 8 * Runtime.getRuntime().availableProcessors();
    this.maxAdmitted = threads + options.workerQueue();
    this.workers = pool(threads, "evita-worker-");
    this.resumers = pool(threads, "evita-resumer-");
    this.watchdog =
        Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("evita-watchdog").factory());
    var unused =
        watchdog.scheduleWithFixedDelay(
            this::watch, TICK.toMillis(), TICK.toMillis(), TimeUnit.MILLISECONDS);
  }

  /** Its queue has no bound: what was admitted must be able to come back for its next piece. */
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
    var seat = new Seat();
    Runnable seated =
        () -> {
          workerSeats.add(seat);
          try {
            task.run();
          } finally {
            workerSeats.remove(seat);
          }
        };
    return new ServerThread(seated, name, seat);
  }

  /** The threads on which bounded plans run, from now on. */
  void serves(XnioWorker ioThreads) {
    io = ioThreads;
  }

  /** The calling thread's; null for a thread that is not the server's. */
  @SuppressWarnings("ReferenceEquality") // a worker is itself alone
  private @Nullable Seat seat() {
    var thread = Thread.currentThread();
    if (thread instanceof ServerThread own) {
      return own.seat();
    }
    if (!(thread instanceof XnioIoThread own) || own.getWorker() != io) {
      return null;
    }
    var known = ioSeat.get();
    if (known == null) {
      known = new Seat();
      ioSeat.set(known);
      ioSeats.add(known);
    }
    return known;
  }

  /** A buffer for an answer; the calling thread's spare one where it has one. */
  byte[] takeBuffer() {
    var mine = seat();
    var spare = mine == null ? null : mine.takeSpare();
    return spare == null ? new byte[ResponseBody.BUFFER_BYTES] : spare;
  }

  /** Takes a buffer back; it must not be used any more. */
  void giveBuffer(byte[] buffer) {
    var mine = buffer.length == ResponseBody.BUFFER_BYTES ? seat() : null;
    if (mine != null) {
      mine.keepSpare(buffer);
    }
  }

  /** Where failures are logged. */
  FaultLog faults() {
    return faults;
  }

  Limits limits() {
    return limits;
  }

  /** The clock of deadlines. */
  long now() {
    return nanoTime.getAsLong();
  }

  /** When a request must be done whose first byte came then. */
  long deadline(long begunNanos) {
    return begunNanos + limits.requestTimeout().toNanos();
  }

  /** Why bounded plans do not return, or null where they do. */
  @Nullable EvitaException stall() {
    return notReady
        ? new EvitaException(
            ErrorCode.DATABASE_UNREACHABLE,
            "A read has not returned for over a second; the disk may hang")
        : null;
  }

  void dispatch(Exchange exchange, Plan plan, boolean bounded, Runnable work) {
    if (engine.health() instanceof Health.Down(var reason)) {
      exchange.fail(reason);
      return;
    }
    var now = bounded ? nanoTime.getAsLong() : 0;
    if (bounded && !ioStalled && !plan.demoted(now)) {
      here(exchange, plan, work, now);
    } else {
      admit(exchange, work);
    }
  }

  private void here(Exchange exchange, Plan plan, Runnable work, long started) {
    var mine = seat();
    if (mine == null) {
      watch(exchange);
      run(exchange, work);
    } else {
      mine.take(exchange, started);
      run(exchange, work);
      mine.leave();
    }
    var now = nanoTime.getAsLong();
    if (plan.ran(now, now - started > IO_THREAD_BUDGET_NANOS)) {
      LOG.info("Moved to worker threads for a while, as it held an I/O thread too long: {}", plan);
    }
    if (!exchange.ended()) {
      exchange.keepBody();
      watch(exchange);
    }
  }

  private void runOnWorker(Exchange exchange, Runnable work) {
    var mine = seat();
    if (mine != null) {
      mine.take(exchange, nanoTime.getAsLong());
    }
    run(exchange, work);
    if (mine != null) {
      mine.leave();
    }
  }

  private void admit(Exchange exchange, Runnable work) {
    if (exchange.admitted()) {
      begin(exchange, work); // once more
      return;
    }
    if (admitted.incrementAndGet() > maxAdmitted) {
      admitted.decrementAndGet();
      exchange.fail(
          new EvitaException(
              ErrorCode.OVERLOADED,
              "The server is busy and its queue of " + maxAdmitted + " requests full; try again"));
      return;
    }
    exchange.admit();
    exchange.keepBody();
    watch(exchange);
    begin(exchange, work);
  }

  private void begin(Exchange exchange, Runnable work) {
    waiting.add(exchange.client(), turn(exchange, work));
    execute(workers, exchange, takeTurn);
  }

  /**
   * Runs the next piece of an exchange that was let in before. It may hold what those who begin
   * wait for, each with a worker: so it has threads of its own.
   */
  void resume(Exchange exchange, Runnable work) {
    execute(resumers, exchange, turn(exchange, work));
  }

  private static Turn turn(Exchange exchange, Runnable work) {
    var turn = new Turn(exchange, work);
    exchange.waits(turn);
    return turn;
  }

  private static void execute(ThreadPoolExecutor pool, Exchange exchange, Runnable task) {
    try {
      pool.execute(task);
    } catch (RejectedExecutionException e) {
      exchange.expire(ErrorCode.SHUTTING_DOWN);
    }
  }

  /** On a worker. */
  private void takeTurn() {
    var turn = waiting.poll();
    if (turn != null) {
      turn.run();
    }
  }

  private static void run(Exchange exchange, Runnable work) {
    var body = exchange.responseBody();
    if (body != null) {
      body.enter();
    }
    try {
      work.run();
    } catch (Throwable failure) {
      if (!exchange.ended()) {
        exchange.fail(failure);
      }
    }
    body = exchange.responseBody();
    if (body != null) {
      body.leave();
    }
  }

  /** Watches the deadline of an exchange until it ends. */
  void watch(Exchange exchange) {
    if (exchange.openEnded()) {
      return;
    }
    watched.add(exchange);
    if (exchange.ended()) {
      watched.remove(exchange);
    }
  }

  /** An exchange begins: {@link #ended} will follow. */
  void begun() {
    running.incrementAndGet();
  }

  void ended(Exchange exchange) {
    exchange.goesOn();
    unending.remove(exchange);
    released(exchange);
    running.decrementAndGet();
  }

  /** It stays open from now on: no deadline holds for it, and others may be let in instead. */
  void released(Exchange exchange) {
    watched.remove(exchange);
    if (exchange.unadmit()) {
      admitted.decrementAndGet();
    }
  }

  /** It waits for its client, and the engine with it. */
  void paused(Exchange exchange) {
    var eldest = paused.add(exchange, nanoTime.getAsLong());
    if (eldest != null) {
      eldest.expire(ErrorCode.CLIENT_TOO_SLOW);
    }
    if (exchange.ended()) {
      paused.remove(exchange);
    }
  }

  void goesOn(Exchange exchange) {
    paused.remove(exchange);
  }

  /**
   * Others wait for what some keep whose clients do not read: these make room. To end a run may
   * take a round trip, for which the clock does not wait.
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

  /** It has no end of its own: it is told when the server stops. */
  void unending(Exchange exchange) {
    released(exchange);
    unending.add(exchange);
    if (exchange.ended()) {
      unending.remove(exchange);
    }
  }

  /** Ends what would not end by itself. */
  void endUnending() {
    unending.forEach(exchange -> exchange.expire(ErrorCode.SHUTTING_DOWN));
  }

  /** How many exchanges have begun and not ended. */
  int running() {
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
      for (var exchange : watched) {
        expire(exchange, now);
        if (ticks == 0) {
          exchange.probe();
        }
      }
      faults.tick();
    } catch (RuntimeException e) {
      // A watchdog that dies of one exchange guards none of the others.
      LOG.error("The watchdog failed", e);
    }
  }

  private void watchIoThreads(long now) {
    var longest = 0L;
    for (var each : ioSeats) {
      var exchange = each.exchange();
      if (exchange != null) {
        longest = Math.max(longest, now - each.since());
        expire(exchange, now);
      }
    }
    var stalled = longest > IO_THREAD_STALL_NANOS;
    if (stalled != ioStalled) {
      ioStalled = stalled;
      LOG.debug("An I/O thread {} from a plan", stalled ? "does not return" : "has returned");
    }
    notReady = longest > STALLED_NANOS;
  }

  /** As many more workers as are stuck with exchanges that have ended without them. */
  private void watchWorkers(long now) {
    var stuck = 0;
    for (var each : workerSeats) {
      var exchange = each.exchange();
      var over = exchange != null && exchange.ended() && now - each.since() > STUCK_NANOS;
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

  /** Nobody waits for a worker that could only wait for the database. */
  private void refuseWaiting() {
    while (engine.health() instanceof Health.Down(var reason)) {
      var next = waiting.poll();
      if (next == null) {
        return;
      }
      next.refuse(reason);
    }
  }

  private static void expire(@Nullable Exchange exchange, long now) {
    if (exchange != null && now - exchange.deadlineNanos() > 0) {
      exchange.expire(ErrorCode.DEADLINE_EXCEEDED);
    }
  }

  /** The failure of an exchange that is ended early. */
  static EvitaException failure(ErrorCode reason) {
    return new EvitaException(
        reason,
        switch (reason) {
          case COMMIT_UNKNOWN ->
              "It is unknown whether the write was kept, as the commit took longer than allowed"
                  + " (request-timeout); send the request again with the same Idempotency-Key, or"
                  + " read what is stored";
          case DEADLINE_EXCEEDED -> "The request took longer than allowed (request-timeout)";
          case SHUTTING_DOWN -> "The server is stopping; try again elsewhere or later";
          default -> "The request was cancelled";
        });
  }

  /** Cancels what still runs. */
  void cancelAll() {
    watched.forEach(exchange -> exchange.expire(ErrorCode.SHUTTING_DOWN));
  }

  @Override
  public void close() {
    watchdog.shutdownNow();
    faults.logCounts();
    workers.shutdown();
    resumers.shutdown();
  }
}

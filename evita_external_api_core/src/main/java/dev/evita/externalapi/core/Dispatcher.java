// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core;

import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
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
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides where the work of an exchange runs, and ends what takes too long.
 *
 * <pre>
 *   bounded plan ---------------------> this (I/O) thread, watched through its seat
 *   else, admitted --> worker pool ---> a worker thread --.
 *   else, full -----> 503                                 |  engine answers later, or client reads slowly:
 *                      resumers <----- resume(next) --------'  no thread is held; watched through the set
 * </pre>
 *
 * <p>A hand-off between threads is the dearest thing on the way of a request, so a bounded plan
 * pays none, and the watch costs it one field written before and after. Everything else is in
 * {@code watched} until its answer has left.
 */
final class Dispatcher implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(Dispatcher.class);

  /** What a plan may take of an I/O thread's time before it is held to be unbounded. */
  private static final long SPARE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  private static final Duration TICK = Duration.ofMillis(50);

  /** Each so many ticks, half a second, it is asked whether the clients that wait are there. */
  private static final int TICKS_PER_PROBE = 10;

  /** How long a client may wait while others wait for the database. */
  private static final long MOST_PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** What runs on an I/O thread at the moment; written by that thread, read by the watchdog. */
  private static final class Seat {
    volatile @Nullable Exchange exchange;
  }

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
        Dispatcher.run(exchange, work);
      }
    }
  }

  private final Limits limits;
  private final LongSupplier nanoTime;
  private final IntSupplier engineWaits;
  private final ThreadPoolExecutor workers;
  private final ThreadPoolExecutor resumers;
  private final WaitingTurns waiting = new WaitingTurns();
  private final Runnable takeTurn = this::takeTurn;
  private final ScheduledExecutorService watchdog;
  private final int maxAdmitted;
  private int ticks;
  private final AtomicInteger admitted = new AtomicInteger();
  private final AtomicInteger running = new AtomicInteger();
  private final Set<Exchange> watched = ConcurrentHashMap.newKeySet();
  private final Set<Exchange> unending = ConcurrentHashMap.newKeySet();
  private final PausedExchanges paused;
  private final CopyOnWriteArrayList<Seat> seats = new CopyOnWriteArrayList<>();
  private final ThreadLocal<Seat> seat = ThreadLocal.withInitial(this::newSeat);

  /**
   * @param engineWaits how many wait for what others hold in the engine
   */
  Dispatcher(ServerOptions options, LongSupplier nanoTime, IntSupplier engineWaits) {
    this.limits = options.limits();
    this.nanoTime = nanoTime;
    this.engineWaits = engineWaits;
    this.paused = new PausedExchanges(limits.maxPaused());
    var threads =
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
  private static ThreadPoolExecutor pool(int threads, String name) {
    var names = Thread.ofPlatform().daemon().name(name, 0).factory();
    var pool =
        new ThreadPoolExecutor(
            threads, threads, 30, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), names);
    pool.allowCoreThreadTimeOut(true);
    return pool;
  }

  private Seat newSeat() {
    var created = new Seat();
    seats.add(created);
    return created;
  }

  Limits limits() {
    return limits;
  }

  /** When a request that begins now must be done. */
  long deadline() {
    return nanoTime.getAsLong() + limits.requestTimeout().toNanos();
  }

  void dispatch(Exchange exchange, Plan plan, boolean bounded, Runnable work) {
    var now = bounded ? nanoTime.getAsLong() : 0;
    if (bounded && !plan.demoted(now)) {
      here(exchange, plan, work, now);
    } else {
      admit(exchange, work);
    }
  }

  private void here(Exchange exchange, Plan plan, Runnable work, long started) {
    var mine = seat.get();
    mine.exchange = exchange;
    run(exchange, work);
    mine.exchange = null;
    var now = nanoTime.getAsLong();
    if (plan.ran(now, now - started > SPARE_NANOS)) {
      LOG.info("Runs on worker threads for a while, as it held an I/O thread too long: {}", plan);
    }
    if (!exchange.ended()) {
      exchange.keepBody();
      watch(exchange);
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
      exchange.fail(failure);
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
    for (int wanted = engineWaits.getAsInt(); wanted > 0; wanted--) {
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
      for (var each : seats) {
        expire(each.exchange, now);
      }
      makeRoom(now);
      ticks = (ticks + 1) % TICKS_PER_PROBE;
      for (var exchange : watched) {
        expire(exchange, now);
        if (ticks == 0) {
          exchange.probe();
        }
      }
    } catch (RuntimeException e) {
      // A watchdog that dies of one exchange guards none of the others.
      LOG.error("The watchdog failed", e);
    }
  }

  private static void expire(@Nullable Exchange exchange, long now) {
    if (exchange != null && now - exchange.deadlineNanos() > 0) {
      exchange.expire(ErrorCode.DEADLINE_EXCEEDED);
    }
  }

  /** What the caller is told when an exchange ends early. */
  static EvitaException failure(ErrorCode reason) {
    return new EvitaException(
        reason,
        switch (reason) {
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
    workers.shutdown();
    resumers.shutdown();
  }
}

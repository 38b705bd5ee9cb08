// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core.live;

import dev.evita.api.EvitaException;
import dev.evita.externalapi.core.push.PushChannels;
import dev.evita.externalapi.core.work.CallWork;
import dev.evita.externalapi.core.work.Dispatcher;
import dev.evita.externalapi.core.work.FaultLog;
import dev.evita.externalapi.core.work.Response;
import dev.evita.externalapi.core.work.Work;
import java.time.Duration;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Runs work that no request waits for, in the same way as that of requests: dispatched, limited,
 * watched by the watchdog, and awaited at shutdown. Lives as long as the server. Thread-safe.
 */
public final class BackgroundWork {

  private static final Duration RETRY = Duration.ofMillis(50);

  /** Receives the result; exactly one call, on the thread that ends the work. */
  public interface ResultListener {

    /** The result is complete. The receiver owns the bytes. */
    void completed(byte[] bytes);

    /**
     * The work was rejected ({@code OVERLOADED}), found a changed schema ({@code CATALOG_CHANGED}),
     * was cancelled, timed out, or exceeded a size limit.
     */
    void failed(EvitaException failure);
  }

  private final Dispatcher dispatcher;
  private final BiConsumer<Work, Runnable> afterRefresh;
  private final PushChannels pushChannels;
  private final FeedOptions feeds;
  private final BooleanSupplier ready;
  private final RunLimiter runLimiter;

  /**
   * @param afterRefresh runs a task for work, once the catalog was read again
   */
  public BackgroundWork(
      Dispatcher dispatcher,
      BiConsumer<Work, Runnable> afterRefresh,
      PushChannels pushChannels,
      FeedOptions feeds,
      BooleanSupplier ready) {
    this.dispatcher = dispatcher;
    this.afterRefresh = afterRefresh;
    this.pushChannels = pushChannels;
    this.feeds = feeds;
    this.ready = ready;
    this.runLimiter = new RunLimiter(feeds.maxLiveRuns());
  }

  /** Opens work whose result is collected in memory, up to {@code max-message-bytes}. */
  public Response open(ResultListener listener) {
    return new MemoryChannel(dispatcher, dispatcher.limits().maxMessageBytes(), listener)
        .response();
  }

  /**
   * Opens work for a call whose caller sends the response and must ensure that the work ends.
   *
   * @param client equal for all calls of one client, which queue for scarce workers together; null
   *     for a client of its own
   * @param begunNanos the start of its request, on the clock of {@link System#nanoTime}
   */
  public CallWork open(CallWork.Caller caller, @Nullable Object client, long begunNanos) {
    return new CallWork(dispatcher, afterRefresh, caller, client, dispatcher.deadline(begunNanos));
  }

  /** The limiter of recurring executions; one for all protocols. */
  RunLimiter runLimiter() {
    return runLimiter;
  }

  /** Runs a task, which must not block, after a short delay: a retry of rejected work. */
  public void later(Runnable again) {
    after(RETRY, again);
  }

  /** Runs a task, which must not block, after a delay, unless the server was closed by then. */
  public void after(Duration delay, Runnable task) {
    pushChannels.after(delay, task);
  }

  /** The dispatcher of all work. */
  public Dispatcher dispatcher() {
    return dispatcher;
  }

  /** The log of failures. */
  public FaultLog faults() {
    return dispatcher.faults();
  }

  /** Runs timed tasks, which must not block. It is shut down with the server. */
  public ScheduledExecutorService clock() {
    return pushChannels.clock();
  }

  FeedOptions feeds() {
    return feeds;
  }

  /**
   * Whether the server accepts requests and the engine is up, as reported by the readiness probe.
   */
  public boolean ready() {
    return ready.getAsBoolean();
  }

  /** The number of open WebSockets and event streams. */
  public int connections() {
    return pushChannels.count();
  }
}

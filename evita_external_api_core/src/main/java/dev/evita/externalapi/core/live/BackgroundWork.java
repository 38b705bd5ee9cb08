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
 * Lets work run as that of requests does (dispatched, limited, watched, waited for at the server's
 * stop) though no request waits for it. Lives as long as the server. Thread-safe.
 */
public final class BackgroundWork {

  private static final Duration RETRY = Duration.ofMillis(50);

  /** What became of it; exactly one call, on the thread that ends the work. */
  public interface Answer {

    /** All of it was written. The bytes are the receiver's. */
    void completed(byte[] bytes);

    /**
     * It was not let in ({@code OVERLOADED}), met another schema ({@code CATALOG_CHANGED}), was
     * cancelled, took too long or was larger than allowed.
     */
    void failed(EvitaException failure);
  }

  private final Dispatcher dispatcher;
  private final BiConsumer<Work, Runnable> afterRefresh;
  private final PushChannels outlets;
  private final FeedOptions feeds;
  private final BooleanSupplier ready;
  private final RunLimiter turns;

  /**
   * @param afterRefresh runs a task for work, once the schema was read again
   */
  public BackgroundWork(
      Dispatcher dispatcher,
      BiConsumer<Work, Runnable> afterRefresh,
      PushChannels outlets,
      FeedOptions feeds,
      BooleanSupplier ready) {
    this.dispatcher = dispatcher;
    this.afterRefresh = afterRefresh;
    this.outlets = outlets;
    this.feeds = feeds;
    this.ready = ready;
    this.turns = new RunLimiter(feeds.maxLiveRuns());
  }

  /** Work whose answer is collected in memory, up to {@code max-message-bytes}. */
  public Response open(Answer answer) {
    return new MemoryChannel(dispatcher, dispatcher.limits().maxMessageBytes(), answer).response();
  }

  /**
   * Work for a call that is answered by its caller, who must see to it that it ends.
   *
   * @param client equal for all calls of one client, which wait for one another where workers are
   *     scarce; null for one of its own
   * @param begunNanos when its request began, on the clock of {@link System#nanoTime}
   */
  public CallWork open(CallWork.Caller caller, @Nullable Object client, long begunNanos) {
    return new CallWork(dispatcher, afterRefresh, caller, client, dispatcher.deadline(begunNanos));
  }

  /** Whose turn it is among what runs again and again; one for all protocols. */
  RunLimiter turns() {
    return turns;
  }

  /** Runs this, which must not block, in a moment: to try again what found no place. */
  public void later(Runnable again) {
    after(RETRY, again);
  }

  /** Runs this, which must not block, after a while, unless the server has closed by then. */
  public void after(Duration delay, Runnable task) {
    outlets.after(delay, task);
  }

  /** Where failures are logged. */
  public FaultLog faults() {
    return dispatcher.faults();
  }

  /** Runs what must not block, in time. It ends with the server. */
  public ScheduledExecutorService clock() {
    return outlets.clock();
  }

  FeedOptions feeds() {
    return feeds;
  }

  /** Whether the server takes requests and the engine answers, as the readiness probe tells. */
  public boolean ready() {
    return ready.getAsBoolean();
  }

  /** How many WebSockets and event streams are open. */
  public int connections() {
    return outlets.count();
  }
}

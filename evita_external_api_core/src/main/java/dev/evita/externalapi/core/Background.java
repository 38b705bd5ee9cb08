// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core;

import dev.evita.api.EvitaException;
import java.time.Duration;

/**
 * Lets work run as that of requests does (dispatched, limited, watched, waited for at the server's
 * stop) though no request waits for it. Lives as long as the server. Thread-safe.
 */
public final class Background {

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
  private final Outlets outlets;
  private final FeedOptions feeds;
  private final Turns turns;

  Background(Dispatcher dispatcher, Outlets outlets, FeedOptions feeds) {
    this.dispatcher = dispatcher;
    this.outlets = outlets;
    this.feeds = feeds;
    this.turns = new Turns(feeds.maxLiveRuns());
  }

  /** An exchange whose answer is collected in memory, up to {@code max-message-bytes}. */
  public Exchange open(Answer answer) {
    var exchange = new DetachedExchange(dispatcher, dispatcher.limits().maxMessageBytes(), answer);
    dispatcher.begun();
    return exchange;
  }

  /** Whose turn it is among what runs again and again; one for all protocols. */
  public Turns turns() {
    return turns;
  }

  /** Runs this, which must not block, in a moment: to try again what found no place. */
  public void later(Runnable again) {
    after(RETRY, again);
  }

  /** Runs this, which must not block, after a while, unless the server has closed by then. */
  void after(Duration delay, Runnable task) {
    outlets.after(delay, task);
  }

  FeedOptions feeds() {
    return feeds;
  }

  /** How many WebSockets and event streams are open. */
  public int connections() {
    return outlets.count();
  }
}

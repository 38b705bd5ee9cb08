// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core;

import dev.evita.api.EvitaException;

/**
 * Lets work run as that of requests does (dispatched, limited, watched, waited for at the server's
 * stop) though no request waits for it. Lives as long as the server. Thread-safe.
 */
public final class Background {

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

  Background(Dispatcher dispatcher, Outlets outlets) {
    this.dispatcher = dispatcher;
    this.outlets = outlets;
  }

  /** An exchange whose answer is collected in memory, up to {@code max-message-bytes}. */
  public Exchange open(Answer answer) {
    var exchange = new DetachedExchange(dispatcher, dispatcher.limits().maxMessageBytes(), answer);
    dispatcher.begun();
    return exchange;
  }

  /** How many WebSockets and event streams are open. */
  public int connections() {
    return outlets.count();
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core.exchange;

import java.util.List;

/** A protocol's answer to one catalog epoch: immutable and thread-safe. */
public interface Api {

  /** Which requests are this API's. */
  List<Route> routes();

  /**
   * Handles a request whose route matched and whose body is complete.
   *
   * <p>Runs on an I/O thread (or the caller's, in process): translates, then hands the work to
   * {@code Work.dispatch}. Must not block. What it throws is answered by {@link Exchange#fail}.
   */
  void handle(Exchange exchange);

  /**
   * Answers a request of this API that was not let in, took too long, or whose handling threw, in
   * the API's own form. Nothing of an answer has left. Must not block; called on any thread.
   */
  default void refuse(Exchange exchange, Throwable failure) {
    Problems.answer(exchange.response(), failure);
  }

  /**
   * Takes over from the same provider's API of the epoch before: what lives longer than an epoch,
   * such as connections that stay open. Called before this one serves, on a thread that may block.
   */
  default void succeed(Api predecessor) {}
}

// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.graphql.subscriptions;

/** A subscription, as its subscriber sees it. Thread-safe. */
interface Subscription {

  /**
   * Starts it; the subscriber may be notified before this returns. Has no effect after {@link
   * #stop}.
   */
  void start();

  /** Called when the client's socket has accepted the last result. */
  void taken();

  /** Stops it: no more results are needed. Idempotent. */
  void stop();
}

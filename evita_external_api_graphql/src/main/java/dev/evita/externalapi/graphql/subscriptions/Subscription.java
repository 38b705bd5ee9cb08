// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.graphql.subscriptions;

/** A subscription, as its subscriber sees it. Thread-safe. */
interface Subscription {

  /** Begins; the subscriber may be told before this returns. Of no effect after {@link #stop}. */
  void start();

  /** The client's socket has taken the last result. */
  void taken();

  /** Nobody wants any more results. Idempotent. */
  void stop();
}

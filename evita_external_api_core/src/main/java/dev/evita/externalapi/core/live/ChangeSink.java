// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core.live;

/**
 * Takes what a subscriber is told: {@code (reset row*)? change* ready change*}, and again from a
 * {@code reset} at any time. Called under the feed's lock: it writes into memory, and calls nobody.
 */
public interface ChangeSink {

  /** Why nothing counts any more that was told before. */
  enum Reset {
    /** Nothing was told before. */
    START,
    /** Where the client had come to is not known here, or not any more. */
    UNKNOWN,
    /** More has changed than is kept for clients that read slowly. */
    BEHIND
  }

  /** What stands for no position: a client that comes back with it begins anew. */
  String NOWHERE = "0";

  /**
   * All rows follow, unless the subscriber wants none: then it is told that it has missed changes.
   */
  void reset(Reset reason);

  /** One of all rows. */
  void row(byte[] key, byte[] row);

  /**
   * A change.
   *
   * @param position where to go on after it; ASCII without blanks
   */
  void change(Change change, String position);

  /** All is told that had happened when the subscriber came, or was reset. */
  void ready(String position);

  /** Whether it has enough for now; asked before each call. */
  boolean full();
}

// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core.live;

/**
 * Receives the events of a subscription: {@code (reset row*)? change* ready change*}, restarting
 * from a {@code reset} at any time. Called under the feed's lock: implementations write to memory
 * and make no other calls.
 */
public interface ChangeSink {

  /** The reason why all earlier events are void. */
  enum Reset {
    /** There were no earlier events. */
    START,
    /** The client's position is unknown, or no longer retained. */
    UNKNOWN,
    /** More has changed than is retained for slow consumers. */
    BEHIND
  }

  /** The position of a client without one: it starts from the beginning. */
  String NOWHERE = "0";

  /** All rows follow, unless the subscriber requested none: then it has missed changes. */
  void reset(Reset reason);

  /** A row of the snapshot. */
  void row(byte[] key, byte[] row);

  /**
   * A change.
   *
   * @param position the position from which to resume after it; ASCII without blanks
   */
  void change(Change change, String position);

  /** All changes up to the subscription, or up to the reset, were delivered. */
  void ready(String position);

  /** Whether it accepts no more events for now; checked before each call. */
  boolean full();
}

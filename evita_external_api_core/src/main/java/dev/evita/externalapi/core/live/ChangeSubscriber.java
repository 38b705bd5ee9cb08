// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core.live;

/**
 * A subscriber to row changes. Called on any thread, also on two at once; must not block.
 *
 * <p>The first call is {@link #started} or {@link #failed}. Calls that come before {@link #started}
 * can be ignored.
 */
public interface ChangeSubscriber {

  /** The rows are being watched: {@link ChangeSubscription#take} delivers events from now on. */
  void started();

  /** There may be more events to take. */
  void changed();

  /**
   * The subscription failed or could not begin.
   *
   * @param failure an {@link dev.evita.api.EvitaException}, or the exception that the protocol
   *     threw when it compiled the request
   */
  void failed(RuntimeException failure);
}

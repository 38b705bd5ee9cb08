// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core.live;

/**
 * Who follows the changes of rows. Called on any thread, also on two at once; no blocking.
 *
 * <p>One call of {@link #started} or {@link #failed} comes first. What is told before the former
 * can be forgotten.
 */
public interface ChangeSubscriber {

  /** The rows can be watched: from now on {@link ChangeSubscription#take} has something to give. */
  void started();

  /** There may be more to take. */
  void changed();

  /**
   * It cannot go on, or could not begin.
   *
   * @param failure an {@link dev.evita.api.EvitaException}, or what the protocol itself has thrown
   *     when it compiled the request
   */
  void failed(RuntimeException failure);
}

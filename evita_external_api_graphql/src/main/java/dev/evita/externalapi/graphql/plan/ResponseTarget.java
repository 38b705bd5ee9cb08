// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.graphql.plan;

import dev.evita.api.EvitaException;
import dev.evita.externalapi.core.work.ResponseBody;

/**
 * The target of an execution's response: a body of its own, or a part of one.
 *
 * <p>Each method is called once at most, by the execution's thread. An execution that is aborted
 * aborts the body and does not call {@link #end}.
 */
public interface ResponseTarget {

  /** Returns the body, at the position where the response's object begins. */
  ResponseBody open();

  /**
   * Responds with errors alone and with the corresponding status, as for a request that was never
   * executed.
   *
   * @return false, without effect, if this is a part of another response, or has been partly sent:
   *     the failure must then be reported beside the data
   */
  default boolean refuse(ResponseBody body, EvitaException problem) {
    return false;
  }

  /** Announces that the response will have errors. Called before {@link #end}, if at all. */
  default void failed(ResponseBody body) {}

  /**
   * Completes the response's object.
   *
   * @param rows the number of rows counted by the execution, including those counted before
   */
  void end(ResponseBody body, int rows);
}

// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.graphql.plan;

import dev.evita.api.EvitaException;
import dev.evita.externalapi.core.work.ResponseBody;

/**
 * Where a run writes its answer: a body of its own, or a part of one.
 *
 * <p>Each method is called once at most, by the thread that the run is on. A run that has to break
 * off aborts the body and does not call {@link #end}.
 */
public interface ResponseTarget {

  /** The body to write to, at the place where the answer's object begins. */
  ResponseBody open();

  /**
   * Answers with errors alone and with the status that says why, as for what never began.
   *
   * @return false, and nothing was done, if this is a part of another answer, or some of it has
   *     left: so the failure is to be reported beside the data
   */
  default boolean refuse(ResponseBody body, EvitaException problem) {
    return false;
  }

  /** The answer will have errors. Called before {@link #end}, if at all. */
  default void failed(ResponseBody body) {}

  /**
   * The answer's object is complete.
   *
   * @param rows how many the run has counted, with those that it began with
   */
  void end(ResponseBody body, int rows);
}

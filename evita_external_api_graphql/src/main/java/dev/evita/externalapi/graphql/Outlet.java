// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.graphql;

import dev.evita.externalapi.core.ResponseBody;

/**
 * Where a run writes its answer: a body of its own, or a part of one.
 *
 * <p>Each method is called once at most, by the thread that the run is on. A run that has to break
 * off aborts the body and does not call {@link #end}.
 */
interface Outlet {

  /** The body to write to, at the place where the answer's object begins. */
  ResponseBody open();

  /** The answer will have errors. Called before {@link #end}, if at all. */
  default void failed(ResponseBody body) {}

  /**
   * The answer's object is complete.
   *
   * @param rows how many the run has counted, with those that it began with
   */
  void end(ResponseBody body, int rows);
}

// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.graphql.plan;

import dev.evita.externalapi.core.work.PlacementHistory;
import dev.evita.externalapi.core.work.Response;

/** The plan of a query or mutation, which has one response. */
public sealed interface SinglePlan extends BoundPlan permits QueryPlan, MutationPlan {

  /** Its execution history in the dispatcher. */
  PlacementHistory plan();

  /** Whether it is guaranteed to complete shortly on the calling thread. */
  boolean bounded();

  /** Its cost, as {@link dev.evita.externalapi.core.limits.Cost} estimates it. */
  double cost();

  /** The number of fields at its root. */
  int rootFields();

  /** The number of aliases in it. */
  int aliases();

  /**
   * Returns the execution that responds to it. A plan is executed once.
   *
   * @param rows the number of rows counted before, towards the same limit
   */
  Runnable run(Response response, ResponseTarget responseTarget, int rows);
}

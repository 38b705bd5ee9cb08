// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.graphql.plan;

import dev.evita.externalapi.core.work.PlacementHistory;
import dev.evita.externalapi.core.work.Response;

/** The plan of a query or mutation, which has one answer. */
public sealed interface SinglePlan extends BoundPlan permits QueryPlan, MutationPlan {

  /** What the dispatcher remembers of it. */
  PlacementHistory plan();

  /** Whether it surely ends soon on the calling thread. */
  boolean bounded();

  /** Its cost, as {@link dev.evita.externalapi.core.limits.Cost} estimates it. */
  double cost();

  /** How many fields stand at its root. */
  int rootFields();

  /** How many aliases are in it. */
  int aliases();

  /**
   * Returns the run that answers it. A plan is run once.
   *
   * @param rows how many were counted before, towards the same limit
   */
  Runnable run(Response response, ResponseTarget outlet, int rows);
}

// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.graphql;

import dev.evita.externalapi.core.Plan;
import java.util.List;

/**
 * An operation compiled for one outcome of its {@code @skip} and {@code @include}.
 *
 * @param steps in the order of the answer
 * @param end the fixed JSON after the last step, without the answer's own closing brace
 * @param plan what the dispatcher remembers of it
 * @param rootFields how many fields stand at the root
 * @param aliases how many aliases are in it
 * @param subscription whether it is one
 */
record Variant(
    List<Step> steps, byte[] end, Plan plan, int rootFields, int aliases, boolean subscription) {
  Variant {
    steps = List.copyOf(steps);
  }

  /** Whether it is a mutation, which {@link MutationRun} runs. */
  boolean mutates() {
    return !steps.isEmpty() && steps.getFirst().work() instanceof Step.Work.Change;
  }
}

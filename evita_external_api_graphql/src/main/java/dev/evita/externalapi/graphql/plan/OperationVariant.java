// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.graphql.plan;

import dev.evita.api.EvitaException;
import dev.evita.externalapi.core.work.PlacementHistory;
import dev.evita.externalapi.core.work.Statements;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** An operation compiled for one outcome of its {@code @skip} and {@code @include}. */
public sealed interface OperationVariant {

  /**
   * A query.
   *
   * @param steps in the order of the answer
   * @param end the fixed JSON after the last step, without the answer's own closing brace
   * @param plan what the dispatcher remembers of it
   * @param rootFields how many fields stand at the root
   * @param aliases how many aliases are in it
   */
  record Query(
      List<QueryStep<QuerySource>> steps,
      byte[] end,
      PlacementHistory plan,
      int rootFields,
      int aliases,
      long maxCost)
      implements OperationVariant {
    public Query {
      steps = List.copyOf(steps);
    }

    /**
     * Binds each step.
     *
     * @param variables as the request gives them
     * @return null where the engine must be asked to prepare one and {@code mayPrepare} is false
     * @throws dev.evita.externalapi.graphql.request.RequestError {@code TOO_COSTLY}, and as {@link
     *     Source#bind} fails
     */
    public @Nullable QueryPlan bind(
        Object[] values, Map<String, @Nullable Object> variables, boolean mayPrepare) {
      var bound = new BoundStep[steps.size()];
      var cost = 0.0;
      for (int i = 0; i < bound.length; i++) {
        var step = BoundStep.of(steps.get(i), values, mayPrepare);
        if (step == null) {
          return null;
        }
        bound[i] = step;
        cost += step.cost();
        step.step().position().requireCheap(cost, maxCost);
      }
      return new QueryPlan(this, bound, variables, cost);
    }
  }

  /** A subscription that is a live query. */
  record LiveQuery(Query query) implements OperationVariant {}

  /**
   * A mutation.
   *
   * @param steps its root fields, in the order of the answer
   * @param end the fixed JSON after the last step, without the answer's own closing brace
   * @param plan what the dispatcher remembers of it
   * @param rootFields how many fields stand at the root
   * @param aliases how many aliases are in it
   * @param statements to run it with
   */
  record Mutation(
      List<QueryStep<MutationSource>> steps,
      byte[] end,
      PlacementHistory plan,
      int rootFields,
      int aliases,
      long maxCost,
      Statements statements)
      implements OperationVariant {
    public Mutation {
      steps = List.copyOf(steps);
    }

    /**
     * Binds each root field.
     *
     * @throws dev.evita.externalapi.graphql.request.RequestError {@code TOO_COSTLY}, and as {@link
     *     MutationSource#bind} fails
     */
    public MutationPlan bind(Object[] values) {
      return new MutationPlan(this, values);
    }
  }

  /** A subscription that is a stream. */
  record Stream(StreamSource source, FieldPosition position) implements OperationVariant {

    /**
     * Binds the stream.
     *
     * @throws dev.evita.externalapi.graphql.request.RequestError {@code TOO_COSTLY}, and as {@link
     *     StreamSource#bind} fails
     */
    public StreamPlan bind(Object[] values) {
      try {
        var stream = source.bind(values);
        position.requireCheap(stream.cost(), source.api().maxCost());
        return stream;
      } catch (EvitaException e) {
        throw position.refusal(e);
      }
    }
  }
}

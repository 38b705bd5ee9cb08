// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.graphql.plan;

import dev.evita.api.EvitaException;
import dev.evita.externalapi.core.limits.Quota;
import dev.evita.externalapi.core.transaction.IdempotentWrite;
import dev.evita.externalapi.core.transaction.TransactionExecution;
import dev.evita.externalapi.core.work.PlacementHistory;
import dev.evita.externalapi.core.work.Response;
import java.util.ArrayList;
import java.util.List;

/** The plan of a mutation. For one run, as its works are used once. */
public final class MutationPlan implements SinglePlan {

  private final OperationVariant.Mutation variant;
  private final Object[] values;
  private final List<MutationWork> works;

  MutationPlan(OperationVariant.Mutation variant, Object[] values) {
    this.variant = variant;
    this.values = values;
    this.works = bind();
  }

  /** Binds the works of all steps, also anew for a transaction that is repeated. */
  List<MutationWork> bind() {
    var bound = new ArrayList<MutationWork>(variant.steps().size());
    var cost = 0.0;
    for (var step : variant.steps()) {
      var work = bind(step);
      bound.add(work);
      cost += work.cost();
      step.position().requireCheap(cost, variant.maxCost());
    }
    return bound;
  }

  private MutationWork bind(QueryStep<MutationSource> step) {
    try {
      return step.source().bind(values);
    } catch (EvitaException e) {
      throw step.position().refusal(e);
    }
  }

  OperationVariant.Mutation variant() {
    return variant;
  }

  /** The works of the steps, in their order. */
  List<MutationWork> works() {
    return works;
  }

  @Override
  public PlacementHistory plan() {
    return variant.plan();
  }

  /** Returns false, as a mutation may wait for locks. */
  @Override
  public boolean bounded() {
    return false;
  }

  @Override
  public double cost() {
    var cost = 0.0;
    for (var work : works) {
      cost += work.cost();
    }
    return cost;
  }

  @Override
  public int rootFields() {
    return variant.rootFields();
  }

  @Override
  public int aliases() {
    return variant.aliases();
  }

  @Override
  public Runnable run(Response response, ResponseTarget outlet, int rows) {
    var held = Quota.held(response.work().limits(), rows);
    var run = new MutationExecution(response, outlet, this, held);
    return new TransactionExecution(response.work(), variant.statements(), held, run);
  }

  /** Returns the run that answers it with an idempotency key. */
  public Runnable run(Response response, ResponseTarget outlet, IdempotentWrite.Key key) {
    var held = Quota.held(response.work().limits(), 0);
    var run = new MutationExecution(response, outlet, this, held);
    return () -> key.run(response.work(), variant.statements(), held, run);
  }
}

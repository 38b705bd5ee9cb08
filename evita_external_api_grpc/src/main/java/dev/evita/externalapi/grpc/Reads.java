// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.grpc;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import dev.evita.api.Prepared;
import dev.evita.api.RowSink;
import dev.evita.api.Select;
import dev.evita.externalapi.core.Cost;
import dev.evita.externalapi.core.Limits;
import dev.evita.externalapi.core.Plan;
import dev.evita.externalapi.core.Statements;
import java.util.Locale;

/** The plans of what is read, by their shapes, for one epoch. Thread-safe. */
final class Reads {

  private static final int PLANS = 2_048;

  /** What is compiled of a shape. */
  private record Compiled(Prepared prepared, Cost cost, Plan plan) {}

  private final Statements statements;
  private final Limits limits;
  private final Cache<Select, Compiled> plans = Caffeine.newBuilder().maximumSize(PLANS).build();
  private final Plan compiling = new Plan("gRPC requests of a shape seen for the first time");

  Reads(Statements statements, Limits limits) {
    this.statements = statements;
    this.limits = limits;
  }

  /**
   * Runs a request: here if it is bounded and compiled already, else on a worker.
   *
   * @param single whether it surely reads one row at most
   * @param sink takes the rows, and ends the reply
   */
  void run(ReadRequest request, boolean single, Reply reply, RowSink sink) {
    var known = plans.getIfPresent(request.select());
    if (known == null) {
      reply.exchange().dispatch(compiling, false, () -> compile(request, single, reply, sink));
      return;
    }
    requireAffordable(request, known.cost);
    var bounded = known.prepared.bounded(request.arguments());
    reply
        .exchange()
        .dispatch(known.plan, bounded, () -> known.prepared.run(request.arguments(), null, sink));
  }

  private void compile(ReadRequest request, boolean single, Reply reply, RowSink sink) {
    Prepared prepared;
    try {
      prepared = prepare(request, single);
    } catch (RuntimeException e) {
      reply.fail(e);
      return;
    }
    prepared.run(request.arguments(), null, sink);
  }

  private Prepared prepare(ReadRequest request, boolean single) {
    var select = request.select();
    var prepared = statements.prepare(select);
    var cost = Cost.of(select, single, limits.estimatedRows());
    plans.put(select, new Compiled(prepared, cost, new Plan("gRPC read of " + select.from())));
    requireAffordable(request, cost);
    return prepared;
  }

  private void requireAffordable(ReadRequest request, Cost cost) {
    var paging = request.paging();
    var estimate = cost.with(request.arguments());
    if (paging != null && estimate > limits.maxCost()) {
      throw new EvitaException(
          ErrorCode.TOO_COSTLY,
          String.format(
              Locale.ROOT,
              "page_size is %d: the estimated cost of such a page is %.0f, above %d, the limit of"
                  + " max-cost",
              paging.size(),
              estimate,
              limits.maxCost()));
    }
    cost.requireAtMost(limits.maxCost(), request.arguments());
  }
}

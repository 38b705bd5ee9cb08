// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.graphql;

import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import dev.evita.externalapi.core.Cost;
import dev.evita.externalapi.core.Exchange;
import dev.evita.externalapi.core.IdempotentWrite;
import dev.evita.externalapi.core.PlanCache;
import dev.evita.externalapi.core.Statements;
import java.util.ArrayList;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Turns a request into what can be run: at once where its document was compiled before, else after
 * compiling it. Thread-safe; for one catalog epoch.
 */
final class Planner {

  private final Statements statements;
  private final DocumentStore store;
  private final Documents documents;
  private final PlanCache<CompiledDocument> plans;
  private final long maxCost;

  Planner(GraphQlSchema api, GraphQlOptions options, DocumentStore store) {
    this.statements = api.statements();
    this.store = store;
    this.documents = new Documents(api, options.introspection());
    this.plans = new PlanCache<>(options.planCacheChars());
    this.maxCost = api.maxCost();
  }

  /**
   * What to run, if nothing has to be compiled for it, and it is no mutation, which waits for
   * locks. Does not block.
   *
   * @param text the document, as {@link #text} tells it
   * @param query whether only a query may be run, as by {@code GET}
   * @return null where something has to be compiled
   * @throws RuntimeException a {@link RequestError} or {@link EvitaException}: nothing is to be run
   */
  @Nullable Planned ready(String text, GraphQlRequest request, boolean query) {
    var document = plans.ifPresent(text);
    var operation = document == null ? null : document.known(request.operationName());
    if (operation == null || operation.mutates()) {
      return null;
    }
    requireQuery(query && operation.mutates());
    store.compiled(request, text);
    var values = operation.values(request.variables());
    var variant = operation.known(values);
    return variant == null ? null : bind(request, variant, values, false);
  }

  /**
   * What to run, compiled now where it is not there yet. May block on the engine.
   *
   * @param query whether only a query may be run, as by {@code GET}
   * @throws RuntimeException a {@link RequestError} or {@link EvitaException}: nothing is to be run
   */
  Planned compiled(String text, GraphQlRequest request, boolean query) {
    try {
      requireQuery(query && documents.mutates(text, request.operationName()));
      var document = plans.get(text, documents::compile);
      store.compiled(request, text);
      var operation = document.operation(request.operationName());
      var values = operation.values(request.variables());
      var variant = operation.variant(values);
      var planned = bind(request, variant, values, true);
      return Objects.requireNonNull(planned, "all may be prepared");
    } catch (StackOverflowError e) {
      // Fragments that spread fragments, thousands of them: graphql-java follows by recursion.
      throw RequestError.of(ErrorCode.TOO_DEEP, "The document is nested too deeply to be read");
    }
  }

  private static void requireQuery(boolean forbidden) {
    if (forbidden) {
      throw RequestError.of(ErrorCode.METHOD_NOT_ALLOWED, "A mutation needs a POST");
    }
  }

  /** The document that the request brings or names; throws as {@link DocumentStore#text}. */
  String text(GraphQlRequest request) {
    return store.text(request);
  }

  /**
   * What answers it.
   *
   * @param rows how many were counted before, towards the same limit
   */
  Runnable run(Exchange exchange, Outlet outlet, Planned planned, int rows) {
    return planned.variant().mutates()
        ? new MutationRun(exchange, outlet, statements, planned, rows, null)
        : new Run(exchange, outlet, planned, rows);
  }

  /** What answers a mutation with an idempotency key. */
  Runnable run(Exchange exchange, Outlet outlet, Planned planned, IdempotentWrite.Key key) {
    return new MutationRun(exchange, outlet, statements, planned, 0, key);
  }

  /**
   * Binds each step.
   *
   * @return null where the engine must be asked to prepare one and {@code mayPrepare} is false
   */
  private @Nullable Planned bind(
      GraphQlRequest request, Variant variant, Object[] values, boolean mayPrepare) {
    var steps = variant.steps();
    var bound = new Source.Bound[steps.size()];
    var works = new ArrayList<MutationWork>();
    var cost = 0.0;
    StreamPlan stream = null;
    for (int i = 0; i < bound.length; i++) {
      var step = steps.get(i);
      var source = step.work().query();
      if (source != null) {
        var one = bind(step, source, values, mayPrepare);
        if (one == null) {
          return null;
        }
        bound[i] = one;
        cost += one.cost();
      } else if (step.work() instanceof Step.Work.Change(var change)) {
        var work = bind(step, change, values);
        works.add(work);
        cost += work.cost();
      } else if (step.work() instanceof Step.Work.Stream(var rows)) {
        stream = bind(step, rows, values);
        cost += stream.cost();
      }
      requireCheap(cost, step);
    }
    return new Planned(variant, bound, works, request.variables(), cost, stream);
  }

  private static Source.@Nullable Bound bind(
      Step step, Source source, Object[] values, boolean mayPrepare) {
    try {
      return source.bind(values, mayPrepare);
    } catch (EvitaException e) {
      throw RequestError.at(e, step.at(), step.path());
    }
  }

  private static StreamPlan bind(Step step, StreamSource source, Object[] values) {
    try {
      return source.bind(values);
    } catch (EvitaException e) {
      throw RequestError.at(e, step.at(), step.path());
    }
  }

  private static MutationWork bind(Step step, MutationSource source, Object[] values) {
    try {
      return source.bind(values);
    } catch (EvitaException e) {
      throw RequestError.at(e, step.at(), step.path());
    }
  }

  private void requireCheap(double cost, Step step) {
    if (cost > maxCost) {
      throw RequestError.at(Cost.tooCostly(cost, maxCost), step.at(), step.path());
    }
  }
}

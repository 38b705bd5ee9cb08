// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.graphql.documents;

import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import dev.evita.externalapi.core.work.PlanCache;
import dev.evita.externalapi.graphql.plan.BoundPlan;
import dev.evita.externalapi.graphql.plan.LiveQueryPlan;
import dev.evita.externalapi.graphql.plan.OperationVariant;
import dev.evita.externalapi.graphql.request.GraphQlRequest;
import dev.evita.externalapi.graphql.request.RequestError;
import dev.evita.externalapi.graphql.schema.GraphQlSchema;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Turns a request into what can be run: at once where its document was compiled before, else after
 * compiling it. Thread-safe; for one catalog epoch.
 */
public final class Planner {

  private final DocumentStore store;
  private final Documents documents;
  private final PlanCache<CompiledDocument> plans;

  public Planner(
      GraphQlSchema api, boolean introspection, long planCacheChars, DocumentStore store) {
    this.store = store;
    this.documents = new Documents(api, introspection);
    this.plans = new PlanCache<>(planCacheChars);
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
  public @Nullable BoundPlan ready(String text, GraphQlRequest request, boolean query) {
    var document = plans.ifPresent(text);
    var operation = document == null ? null : document.known(request.operationName());
    if (operation == null || operation.mutates()) {
      return null;
    }
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
  public BoundPlan compiled(String text, GraphQlRequest request, boolean query) {
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
  public String text(GraphQlRequest request) {
    return store.text(request);
  }

  /**
   * Binds a variant.
   *
   * @return null where the engine must be asked to prepare a step and {@code mayPrepare} is false
   */
  private static @Nullable BoundPlan bind(
      GraphQlRequest request, OperationVariant variant, Object[] values, boolean mayPrepare) {
    return switch (variant) {
      case OperationVariant.Query query -> query.bind(values, request.variables(), mayPrepare);
      case OperationVariant.LiveQuery(var query) -> {
        var plan = query.bind(values, request.variables(), mayPrepare);
        yield plan == null ? null : new LiveQueryPlan(plan);
      }
      case OperationVariant.Mutation mutation -> mayPrepare ? mutation.bind(values) : null;
      case OperationVariant.Stream stream -> stream.bind(values);
    };
  }
}

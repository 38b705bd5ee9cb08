// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.graphql.plan;

import dev.evita.api.EvitaException;
import dev.evita.externalapi.core.limits.Cost;
import dev.evita.externalapi.graphql.request.GraphQlError;
import dev.evita.externalapi.graphql.request.RequestError;
import graphql.language.SourceLocation;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The position of a field, for its errors.
 *
 * @param path in the response
 * @param at in the document
 */
public record FieldPosition(List<String> path, @Nullable SourceLocation at) {
  public FieldPosition {
    path = List.copyOf(path);
  }

  /** Returns the rejection of a whole request for an error of this field. */
  RequestError refusal(EvitaException fault) {
    return RequestError.at(fault, at, path);
  }

  /**
   * Rejects a request whose fields up to this one exceed the cost limit together.
   *
   * @throws RequestError {@code TOO_COSTLY}
   */
  void requireCheap(double cost, long maxCost) {
    if (cost > maxCost) {
      throw refusal(Cost.tooCostly(cost, maxCost));
    }
  }

  /**
   * Returns the error of a field that failed during execution.
   *
   * @param below the path from the field to the value that failed
   */
  GraphQlError error(EvitaException failure, List<Object> below) {
    var whole = new ArrayList<Object>(path);
    whole.addAll(below);
    return GraphQlError.of(failure, at == null ? List.of() : List.of(at), whole);
  }
}

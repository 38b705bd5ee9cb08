// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.graphql.request;

import dev.evita.api.EvitaException;
import graphql.language.SourceLocation;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A request that is rejected with errors alone, before any field is executed. */
public final class RequestError extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final transient List<GraphQlError> errors;

  public RequestError(List<GraphQlError> errors) {
    super("errors: " + errors, null, false, false);
    this.errors = List.copyOf(errors);
  }

  public static RequestError of(EvitaException.Code code, String message) {
    return new RequestError(List.of(new GraphQlError(code, message, List.of(), List.of())));
  }

  /** Returns the error of a field. */
  public static RequestError at(
      EvitaException failure, @Nullable SourceLocation location, List<String> path) {
    var locations = location == null ? List.<SourceLocation>of() : List.of(location);
    return new RequestError(List.of(GraphQlError.of(failure, locations, List.copyOf(path))));
  }

  public List<GraphQlError> errors() {
    return errors;
  }
}

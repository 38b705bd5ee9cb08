// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.graphql;

import dev.evita.api.ErrorCode;
import java.util.List;

/** A request that is answered with errors alone, before any field is run. */
final class RequestError extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final transient List<GraphQlError> errors;

  RequestError(List<GraphQlError> errors) {
    super("errors: " + errors, null, false, false);
    this.errors = List.copyOf(errors);
  }

  static RequestError of(ErrorCode code, String message) {
    return new RequestError(List.of(new GraphQlError(code, message, List.of(), List.of())));
  }

  List<GraphQlError> errors() {
    return errors;
  }
}

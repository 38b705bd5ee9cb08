// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.graphql;

import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import dev.evita.externalapi.core.JsonWriter;
import dev.evita.externalapi.core.Problems;
import graphql.language.SourceLocation;
import java.util.List;

/**
 * An entry of {@code errors}: the one place where an {@link ErrorCode} becomes GraphQL.
 *
 * @param path field names and list indexes; empty where no field is to blame
 */
record GraphQlError(
    ErrorCode code, String message, List<SourceLocation> locations, List<Object> path) {

  GraphQlError {
    locations = List.copyOf(locations);
    path = List.copyOf(path);
  }

  /** What may be told of a failure; the rest is logged under an id that the message names. */
  static GraphQlError of(Throwable failure, List<SourceLocation> locations, List<Object> path) {
    EvitaException problem = Problems.report(failure);
    return new GraphQlError(problem.code(), problem.publicMessage(), locations, path);
  }

  /** Writes {@code "errors":[...]}. */
  static void write(JsonWriter json, List<GraphQlError> errors) {
    json.raw("\"errors\":[");
    for (int i = 0; i < errors.size(); i++) {
      if (i > 0) {
        json.raw(',');
      }
      errors.get(i).write(json);
    }
    json.raw(']');
  }

  private void write(JsonWriter json) {
    json.raw("{\"message\":");
    json.string(message);
    if (!locations.isEmpty()) {
      json.raw(",\"locations\":[");
      for (int i = 0; i < locations.size(); i++) {
        json.raw(i > 0 ? ",{\"line\":" : "{\"line\":").number(locations.get(i).getLine());
        json.raw(",\"column\":").number(locations.get(i).getColumn());
        json.raw('}');
      }
      json.raw(']');
    }
    if (!path.isEmpty()) {
      json.raw(",\"path\":");
      json.tree(path);
    }
    json.raw(",\"extensions\":{\"code\":\"" + code.name() + "\",\"category\":\"");
    json.raw(code.category().name() + "\"}}");
  }
}

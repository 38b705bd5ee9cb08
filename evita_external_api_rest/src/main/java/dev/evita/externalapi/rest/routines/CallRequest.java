// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.rest.routines;

import dev.evita.api.Column;
import dev.evita.externalapi.core.error.HttpErrorCode;
import dev.evita.externalapi.core.limits.DepthLimit;
import dev.evita.externalapi.rest.model.RestFailure;
import dev.evita.externalapi.rest.model.RestRoutine;
import dev.evita.externalapi.rest.model.RestValues;
import dev.evita.externalapi.rest.request.ReadQuery;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The request of a call: the arguments by their parameters' names, as texts of a URL or values of
 * JSON, and the clauses for the rows that it returns.
 *
 * <p>In a URL with arguments, a name is an argument if a routine of this name has such a parameter,
 * or if none of them returns such a column; a misspelled name is thus reported as an argument.
 */
final class CallRequest {

  private static final Set<String> CLAUSES =
      Set.of("select", "order", "limit", "offset", "and", "or", "not.and", "not.or");

  private final List<RestRoutine> named;
  private final Map<String, @Nullable Object> arguments = new LinkedHashMap<>();
  private final boolean texts;
  private final ReadQuery rows;

  /**
   * Parses a URL, and a body of JSON if it holds the arguments.
   *
   * @param named the routines of the name that is called
   * @param body null if the arguments are in the URL
   * @throws RestFailure PGRST100, PGRST102
   */
  CallRequest(List<RestRoutine> named, String query, @Nullable Object body, DepthLimit nesting) {
    this.named = named;
    this.texts = body == null;
    this.rows = new ReadQuery("", query, nesting, this::argument);
    if (body instanceof Map<?, ?> map) {
      map.forEach((name, value) -> arguments.put(String.valueOf(name), value));
    } else if (body != null) {
      throw new RestFailure(
          400,
          HttpErrorCode.MALFORMED_REQUEST,
          "PGRST102",
          "The body of a call is an object of its arguments",
          null,
          null);
    }
  }

  private boolean argument(String name, String value) {
    if (!texts || CLAUSES.contains(name) || asksForRows(name)) {
      return false;
    }
    if (arguments.put(name, value) != null) {
      throw RestFailure.malformed(
          "The argument '" + RestFailure.shortened(name) + "' occurs twice");
    }
    return true;
  }

  private boolean asksForRows(String name) {
    if (named.stream().anyMatch(each -> each.parameters().containsKey(name))) {
      return false;
    }
    var arrow = name.indexOf("->");
    var column = arrow < 0 ? name : name.substring(0, arrow);
    return named.stream().anyMatch(each -> each.result().containsKey(column));
  }

  /** The names of the given parameters. */
  Set<String> names() {
    return arguments.keySet();
  }

  /**
   * Returns the argument.
   *
   * @throws dev.evita.api.EvitaException {@code INVALID_VALUE}
   */
  @Nullable Object value(String name, Column parameter) {
    var value = arguments.get(name);
    return texts
        ? RestValues.parse(parameter.type(), String.valueOf(value))
        : RestValues.coerce(parameter.type(), value, "'" + name + "'");
  }

  /** The clauses for the rows that it returns. */
  ReadQuery rows() {
    return rows;
  }
}

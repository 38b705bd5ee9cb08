// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.rest.routines;

import dev.evita.api.Column;
import dev.evita.api.ErrorCode;
import dev.evita.externalapi.core.limits.NestingLimit;
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
 * What a request says of a call: the arguments by their parameters' names, as texts of a URL or
 * values of JSON, and what is asked of the rows that it answers.
 *
 * <p>In a URL with arguments, what a routine of this name has as a parameter is one, and so is what
 * none of them answers as a column: so that a mistaken name is told of as an argument.
 */
final class CallRequest {

  private static final Set<String> CLAUSES =
      Set.of("select", "order", "limit", "offset", "and", "or", "not.and", "not.or");

  private final List<RestRoutine> named;
  private final Map<String, @Nullable Object> arguments = new LinkedHashMap<>();
  private final boolean texts;
  private final ReadQuery rows;

  /**
   * Reads a URL, and a body of JSON where it has the arguments.
   *
   * @param named the routines of the name that is called
   * @param body null where the arguments stand in the URL
   * @throws RestFailure PGRST100, PGRST102
   */
  CallRequest(List<RestRoutine> named, String query, @Nullable Object body, NestingLimit nesting) {
    this.named = named;
    this.texts = body == null;
    this.rows = new ReadQuery("", query, nesting, this::argument);
    if (body instanceof Map<?, ?> map) {
      map.forEach((name, value) -> arguments.put(String.valueOf(name), value));
    } else if (body != null) {
      throw new RestFailure(
          400,
          ErrorCode.MALFORMED_REQUEST,
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
          "The argument '" + RestFailure.shortened(name) + "' is given twice");
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

  /** The names of the parameters that are given. */
  Set<String> names() {
    return arguments.keySet();
  }

  /**
   * The argument.
   *
   * @throws dev.evita.api.EvitaException {@code INVALID_VALUE}
   */
  @Nullable Object value(String name, Column parameter) {
    var value = arguments.get(name);
    return texts
        ? RestValues.parse(parameter.type(), String.valueOf(value))
        : RestValues.coerce(parameter.type(), value, "'" + name + "'");
  }

  /** What is asked of the rows that it answers. */
  ReadQuery rows() {
    return rows;
  }
}

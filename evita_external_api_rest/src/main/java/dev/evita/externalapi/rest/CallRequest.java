// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.rest;

import dev.evita.api.Column;
import dev.evita.api.ErrorCode;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a request says of a call: the arguments by their parameters' names, as texts of a URL or
 * values of JSON, and what is shown of the result.
 */
final class CallRequest {

  private static final Set<String> NOT_THERE = Set.of("order", "and", "or", "not.and", "not.or");

  private final Map<String, @Nullable Object> arguments = new LinkedHashMap<>();
  private final boolean texts;
  private String select = "";
  private long limit = Long.MAX_VALUE;
  private long offset;

  /**
   * Reads a URL, and a body of JSON where it has the arguments.
   *
   * @param body null where the arguments stand in the URL
   * @throws RestFailure PGRST100, PGRST102
   */
  CallRequest(String query, @Nullable Object body) {
    this.texts = body == null;
    QueryText.read(query, this::add);
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

  private void add(String name, String value) {
    switch (name) {
      case "select" -> select = value;
      case "limit" -> limit = ReadRequest.number(name, value);
      case "offset" -> offset = ReadRequest.number(name, value);
      default -> {
        if (NOT_THERE.contains(name) || !texts) {
          throw RestFailure.unsupported(
              "'" + RestFailure.shortened(name) + "' cannot be said of what a routine answers",
              "select, limit and offset can; let the routine do the rest, or make it a view");
        }
        if (arguments.put(name, value) != null) {
          throw RestFailure.malformed(
              "The argument '" + RestFailure.shortened(name) + "' is given twice");
        }
      }
    }
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

  String select() {
    return select;
  }

  long limit() {
    return limit;
  }

  long offset() {
    return offset;
  }
}

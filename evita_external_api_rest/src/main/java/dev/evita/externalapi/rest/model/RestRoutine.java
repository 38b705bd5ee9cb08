// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.rest.model;

import dev.evita.api.Catalog;
import dev.evita.api.Column;
import dev.evita.api.ErrorCode;
import dev.evita.api.Routine;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * A routine by the names of its API. Immutable.
 *
 * @param parameters by API names, in call order
 * @param result by API names; empty where it returns nothing
 */
public record RestRoutine(
    String name, Routine routine, Map<String, Column> parameters, Map<String, Column> result) {

  static RestRoutine of(Catalog catalog, String name, Routine routine) {
    var parameters = new LinkedHashMap<String, Column>();
    routine
        .parameters()
        .forEach(each -> parameters.put(catalog.apiName(routine, each.name()), each));
    var result = new LinkedHashMap<String, Column>();
    routine.result().forEach(each -> result.put(catalog.apiName(routine, each.name()), each));
    return new RestRoutine(name, routine, parameters, result);
  }

  /** Whether it can be called with exactly these arguments. */
  public boolean takes(Set<String> arguments) {
    if (!parameters.keySet().containsAll(arguments)) {
      return false;
    }
    return parameters.entrySet().stream()
        .allMatch(each ->
            each.getValue().defaultExpression() != null || arguments.contains(each.getKey()));
  }

  /** Returns the result's column of this name, as of a table. */
  public Column requireColumn(String apiName) {
    var column = result.get(apiName);
    if (column == null) {
      throw new RestFailure(
          400,
          ErrorCode.UNKNOWN_COLUMN,
          "42703",
          "column " + name + "." + RestFailure.shortened(apiName) + " does not exist",
          null,
          "The routine returns " + String.join(", ", result.keySet()));
    }
    return column;
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.graphql.plan;

import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import dev.evita.externalapi.graphql.request.GraphQlError;
import java.util.ArrayList;
import java.util.List;

/** The errors of one response. Beyond a limit, they are counted but not reported. */
final class ErrorCollector {

  private static final int MOST = 100;

  private final List<GraphQlError> errors = new ArrayList<>();
  private long further;

  /**
   * Adds the error of a field, or of a value below it.
   *
   * @param row the row's index in the field's list; negative if it is not a list
   * @param way the path from the row, or else the field, to the value
   */
  void add(EvitaException failure, FieldPosition field, int row, List<Object> way) {
    if (errors.size() >= MOST && failure.code() == ErrorCode.STORED_VALUE_INVALID) {
      further++;
      return;
    }
    var below = new ArrayList<Object>();
    if (row >= 0) {
      below.add(row);
    }
    below.addAll(way);
    errors.add(field.error(failure, below));
  }

  List<GraphQlError> all() {
    if (further == 0) {
      return errors;
    }
    var all = new ArrayList<>(errors);
    var more =
        new EvitaException(
            ErrorCode.STORED_VALUE_INVALID,
            further + " more stored values are not of their columns' types");
    all.add(GraphQlError.of(more, List.of(), List.of()));
    return all;
  }
}

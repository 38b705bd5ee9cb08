// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.graphql.plan;

import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import dev.evita.externalapi.graphql.request.GraphQlError;
import java.util.ArrayList;
import java.util.List;

/** The errors of one answer that has some. Of many, the first are told and the others counted. */
final class ErrorCollector {

  private static final int MOST = 100;

  private final List<GraphQlError> told = new ArrayList<>();
  private long further;

  /**
   * A field failed, or a value below it.
   *
   * @param row the row's place in the field's list; negative where it is none
   * @param way from the row, or else the field, to the value
   */
  void add(EvitaException failure, FieldPosition field, int row, List<Object> way) {
    if (told.size() >= MOST && failure.code() == ErrorCode.STORED_VALUE_INVALID) {
      further++;
      return;
    }
    var below = new ArrayList<Object>();
    if (row >= 0) {
      below.add(row);
    }
    below.addAll(way);
    told.add(field.error(failure, below));
  }

  List<GraphQlError> all() {
    if (further == 0) {
      return told;
    }
    var all = new ArrayList<>(told);
    var more =
        new EvitaException(
            ErrorCode.STORED_VALUE_INVALID,
            further + " more stored values are not of their columns' types");
    all.add(GraphQlError.of(more, List.of(), List.of()));
    return all;
  }
}

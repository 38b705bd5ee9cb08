// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.grpc.generic;

import dev.evita.api.Filter;
import dev.evita.api.Parameter;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Detects filters that match all rows regardless of their values, such as a client creates when it
 * has no condition to put into one.
 *
 * @param values of the parameters
 */
record FilterSimplifier(List<@Nullable Object> values) {

  private enum Match {
    ALL,
    NONE,
    SOME;

    private Match opposite() {
      return switch (this) {
        case ALL -> NONE;
        case NONE -> ALL;
        case SOME -> SOME;
      };
    }
  }

  /** Whether the filter matches all rows. */
  boolean isNone(Filter filter) {
    return passing(filter) == Match.ALL;
  }

  private Match passing(Filter filter) {
    return switch (filter) {
      case Filter.And(var all) -> combined(all, Match.ALL);
      case Filter.Or(var any) -> combined(any, Match.NONE);
      case Filter.Not(var not) -> passing(not).opposite();
      case Filter.In(var column, Parameter(var index)) ->
          values.get(index) instanceof List<?> list && list.isEmpty() ? Match.NONE : Match.SOME;
      default -> Match.SOME;
    };
  }

  /**
   * Simplifies combined filters.
   *
   * @param neutral the neutral element of the combination, which is the result of an empty one
   */
  private Match combined(List<Filter> filters, Match neutral) {
    var matches = filters.stream().map(this::passing).filter(each -> each != neutral).toList();
    if (matches.isEmpty()) {
      return neutral;
    }
    return matches.contains(neutral.opposite()) ? neutral.opposite() : Match.SOME;
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.grpc.generic;

import dev.evita.api.Filter;
import dev.evita.api.Parameter;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Tells filters that let all rows pass, whatever is in these: such as a client makes that has
 * nothing to put into one.
 *
 * @param values of the parameters
 */
record FilterSimplifier(List<@Nullable Object> values) {

  private enum Answer {
    ALL,
    NONE,
    SOME;

    private Answer opposite() {
      return switch (this) {
        case ALL -> NONE;
        case NONE -> ALL;
        case SOME -> SOME;
      };
    }
  }

  /** Whether the filter is none. */
  boolean isNone(Filter filter) {
    return passing(filter) == Answer.ALL;
  }

  private Answer passing(Filter filter) {
    return switch (filter) {
      case Filter.And(var all) -> combined(all, Answer.ALL);
      case Filter.Or(var any) -> combined(any, Answer.NONE);
      case Filter.Not(var not) -> passing(not).opposite();
      case Filter.In(var column, Parameter(var index)) ->
          values.get(index) instanceof List<?> list && list.isEmpty() ? Answer.NONE : Answer.SOME;
      default -> Answer.SOME;
    };
  }

  /**
   * Of filters that are combined.
   *
   * @param neutral what decides nothing among others, and is the answer where there are none
   */
  private Answer combined(List<Filter> filters, Answer neutral) {
    var answers = filters.stream().map(this::passing).filter(each -> each != neutral).toList();
    if (answers.isEmpty()) {
      return neutral;
    }
    return answers.contains(neutral.opposite()) ? neutral.opposite() : Answer.SOME;
  }
}

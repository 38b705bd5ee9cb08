// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core.filter;

import dev.evita.api.Comparison;
import dev.evita.api.Filter;
import dev.evita.api.Output;
import dev.evita.api.Parameter;
import dev.evita.api.Relationship;
import org.jspecify.annotations.Nullable;

/** A value that a filter tests. Immutable. */
public sealed interface FilterOperand {

  /** The value of a column. */
  record OfColumn(String column) implements FilterOperand {}

  /** A value within JSON. */
  record OfPath(Output.Path path) implements FilterOperand {}

  /**
   * An aggregate over related rows.
   *
   * @param which of the related rows; null for all
   */
  record OfAggregate(Relationship relationship, @Nullable Filter which, Output.Aggregate aggregate)
      implements FilterOperand {}

  /** The value of an output. */
  static FilterOperand of(Output.Single output) {
    return switch (output) {
      case Output.Column(var column) -> new OfColumn(column);
      case Output.Path path -> new OfPath(path);
    };
  }

  /** The filter that compares it with a value, or the opposite of that filter. */
  default Filter compare(Comparison comparison, Parameter value, boolean negated) {
    return negated(passes(new Filter.Test.Compare(comparison, value)), negated);
  }

  /** The filter that looks for it in a list, or the opposite of that filter. */
  default Filter in(Parameter values, boolean negated) {
    return negated(passes(new Filter.Test.In(values)), negated);
  }

  /**
   * The filter that asks whether it is null.
   *
   * @param wanted whether null passes; else all other values pass
   */
  default Filter isNull(boolean wanted) {
    return negated(passes(new Filter.Test.IsNull()), !wanted);
  }

  private Filter passes(Filter.Test test) {
    return switch (this) {
      case OfColumn(var column) ->
          switch (test) {
            case Filter.Test.Compare(var comparison, var value) ->
                new Filter.Compare(column, comparison, value);
            case Filter.Test.In(var values) -> new Filter.In(column, values);
            case Filter.Test.IsNull() -> new Filter.IsNull(column);
          };
      case OfPath(var path) -> new Filter.AtPath(path, test);
      case OfAggregate(var relationship, var which, var aggregate) ->
          new Filter.Aggregated(relationship, which, aggregate, test);
    };
  }

  private static Filter negated(Filter filter, boolean negated) {
    return negated ? new Filter.Not(filter) : filter;
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.rest;

import dev.evita.api.Capability;
import dev.evita.api.Column;
import dev.evita.api.Comparison;
import dev.evita.api.DataType;
import dev.evita.api.ErrorCode;
import dev.evita.api.Filter;
import dev.evita.api.Parameter;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Makes conditions into a filter, and notes the type of each value on the way. */
final class FilterCompiler {

  private final Set<Capability> capabilities;
  private final @Nullable ValueReader[] readers;

  /**
   * @param readers is filled at the index of each value
   */
  FilterCompiler(Set<Capability> capabilities, @Nullable ValueReader[] readers) {
    this.capabilities = capabilities;
    this.readers = readers;
  }

  /** How each value becomes an argument; null for numbers. */
  @Nullable ValueReader[] readers() {
    return readers;
  }

  /**
   * The filter that all of them make; null for none.
   *
   * @param embedded answers the filter for "there is such a related row", or null for a name that
   *     is no embedded resource
   */
  @Nullable Filter all(
      RestTable table, List<Condition> conditions, Function<String, @Nullable Filter> embedded) {
    var filters = new ArrayList<Filter>();
    for (var condition : conditions) {
      filters.add(compile(table, condition, embedded));
    }
    return switch (filters.size()) {
      case 0 -> null;
      case 1 -> filters.getFirst();
      default -> new Filter.And(filters);
    };
  }

  private Filter compile(
      RestTable table, Condition condition, Function<String, @Nullable Filter> embedded) {
    return switch (condition) {
      case Condition.Group(var negated, var all, var members) -> {
        var filters = members.stream().map(each -> compile(table, each, embedded)).toList();
        yield negated(negated, all ? new Filter.And(filters) : new Filter.Or(filters));
      }
      case Condition.Test test -> negated(test.negated(), test(table, test, embedded));
    };
  }

  private static Filter negated(boolean negated, Filter filter) {
    return negated ? new Filter.Not(filter) : filter;
  }

  private Filter test(
      RestTable table, Condition.Test test, Function<String, @Nullable Filter> embedded) {
    var exists = table.column(test.field()) == null ? embedded.apply(test.field()) : null;
    if (exists != null) {
      return isEmbedded(test, exists);
    }
    var column = table.requireColumn(test.field());
    return switch (test.operator()) {
      case IS -> is(column, test);
      case IN -> new Filter.In(column.name(), value(test.first(), column.type(), test.operator()));
      case ISDISTINCT -> new Filter.Not(compare(column, test, test.first()));
      default -> compared(column, test);
    };
  }

  /** {@code brand=is.null}: there is no such row; {@code brand=not.is.null}: there is. */
  private static Filter isEmbedded(Condition.Test test, Filter exists) {
    if ("null".equals(test.word())) {
      return new Filter.Not(exists);
    }
    if ("not_null".equals(test.word())) {
      return exists;
    }
    throw RestFailure.malformed(
        "The embedded resource '" + test.field() + "' can only be compared by is.null");
  }

  private Filter is(Column column, Condition.Test test) {
    var isNull = new Filter.IsNull(column.name());
    var word = Objects.requireNonNull(test.word());
    if (word.equals("null")) {
      return isNull;
    }
    if (word.equals("not_null")) {
      return new Filter.Not(isNull);
    }
    requireBoolean(column, test);
    // Unlike "equals", "is" is never unknown: so that its negation lets null through.
    return word.equals("unknown")
        ? isNull
        : new Filter.Compare(
            column.name(),
            Comparison.NOT_DISTINCT,
            value(test.first(), column.type(), test.operator()));
  }

  private static void requireBoolean(Column column, Condition.Test test) {
    if (column.type() != DataType.Scalar.BOOLEAN) {
      throw new RestFailure(
          400,
          ErrorCode.INVALID_OPERATION,
          "42804",
          "'is.%s' needs a boolean, and '%s' is of type %s"
              .formatted(test.word(), test.field(), column.nativeType()),
          null,
          null);
    }
  }

  private Filter compared(Column column, Condition.Test test) {
    if (test.quantifier() == Condition.Quantifier.ONE) {
      return compare(column, test, test.first());
    }
    var each = new ArrayList<Filter>();
    for (int i = 0; i < test.count(); i++) {
      each.add(compare(column, test, test.first() + i));
    }
    return test.quantifier() == Condition.Quantifier.ALL
        ? new Filter.And(each)
        : new Filter.Or(each);
  }

  private Filter compare(Column column, Condition.Test test, int index) {
    var operator = test.operator();
    var comparison = Objects.requireNonNull(operator.comparison());
    if ((comparison == Comparison.MATCHES || comparison == Comparison.IMATCHES)
        && !capabilities.contains(Capability.REGULAR_EXPRESSIONS)) {
      throw RestFailure.unsupported(
          "The operator '" + operator.text() + "' is not supported by this engine",
          "Use like or ilike");
    }
    return new Filter.Compare(column.name(), comparison, value(index, column.type(), operator));
  }

  private Parameter value(int index, DataType type, Operator operator) {
    readers[index] = new ValueReader(type, operator.takesPattern());
    return new Parameter(index);
  }
}

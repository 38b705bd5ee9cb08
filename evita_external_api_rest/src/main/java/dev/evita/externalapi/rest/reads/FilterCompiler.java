// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.rest.reads;

import dev.evita.api.Capability;
import dev.evita.api.Comparison;
import dev.evita.api.DataType;
import dev.evita.api.ErrorCode;
import dev.evita.api.Filter;
import dev.evita.api.Output;
import dev.evita.api.Parameter;
import dev.evita.externalapi.core.filter.FilterOperand;
import dev.evita.externalapi.rest.model.RestFailure;
import dev.evita.externalapi.rest.model.RestTable;
import dev.evita.externalapi.rest.model.ValueReader;
import dev.evita.externalapi.rest.request.Condition;
import dev.evita.externalapi.rest.request.FieldPath;
import dev.evita.externalapi.rest.request.Operator;
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

  /**
   * What a condition tests.
   *
   * @param type of its values
   * @param declared the column's type in the database
   */
  private record Subject(Output.Single value, DataType type, String name, String declared) {

    static Subject of(RestTable table, FieldPath field) {
      var column = table.requireColumn(field.column());
      return new Subject(field.of(column), field.type(column), field.column(), column.nativeType());
    }

    FilterOperand tested() {
      return FilterOperand.of(value);
    }
  }

  private Filter test(
      RestTable table, Condition.Test test, Function<String, @Nullable Filter> embedded) {
    var name = test.field().column();
    var exists =
        test.field().isColumn() && table.column(name) == null ? embedded.apply(name) : null;
    if (exists != null) {
      return isEmbedded(test, exists);
    }
    var subject = Subject.of(table, test.field());
    requireOperator(subject, test.operator());
    var search = test.operator().search();
    if (search != null) {
      return search(subject, search, test);
    }
    return switch (test.operator()) {
      case IS -> is(subject, test);
      case IN -> subject.tested().in(value(test.first(), subject.type(), test.operator()), false);
      case ISDISTINCT -> compare(subject, test, test.first(), true);
      default -> compared(subject, test);
    };
  }

  /** {@code brand=is.null}: there is no such row; {@code brand=not.is.null}: there is. */
  private static Filter isEmbedded(Condition.Test test, Filter exists) {
    if (test.operator() == Operator.IS && "null".equals(test.word())) {
      return new Filter.Not(exists);
    }
    if (test.operator() == Operator.IS && "not_null".equals(test.word())) {
      return exists;
    }
    throw RestFailure.malformed(
        "The embedded resource '" + test.field().column() + "' can only be compared by is.null");
  }

  private void requireOperator(Subject subject, Operator operator) {
    if (!has(subject.type(), operator)) {
      throw RestFailure.unsupported(
          "The operator '%s' is not supported by this engine for '%s', which is of type %s"
              .formatted(operator.text(), subject.name(), subject.declared()),
          operator == Operator.MATCH || operator == Operator.IMATCH ? "Use like or ilike" : null);
    }
  }

  private boolean has(DataType type, Operator operator) {
    return switch (operator) {
      case MATCH, IMATCH -> capabilities.contains(Capability.REGULAR_EXPRESSIONS);
      case FTS, PLFTS, PHFTS, WFTS -> capabilities.contains(Capability.FULL_TEXT);
      case IN -> !(type instanceof DataType.Array);
      case CS, CD, OV ->
          switch (type) {
            case DataType.Array array -> capabilities.contains(Capability.ARRAYS);
            case DataType.Scalar scalar ->
                scalar == DataType.Scalar.JSON
                    && operator != Operator.OV
                    && capabilities.contains(Capability.JSON_CONTAINMENT);
            case DataType.Enumeration enumeration -> false;
            case DataType.Other other -> true; // ranges, which the engine knows
          };
      case SL, SR, NXL, NXR, ADJ -> type instanceof DataType.Other;
      default -> true;
    };
  }

  private Filter search(Subject subject, Filter.Search search, Condition.Test test) {
    if (!(subject.value() instanceof Output.Column(var column))) {
      throw RestFailure.unsupported(
          "The operator '" + test.operator().text() + "' is not supported inside of JSON", null);
    }
    var query = value(test.first(), DataType.Scalar.TEXT, test.operator());
    return new Filter.FullText(column, search, test.word(), query);
  }

  private Filter is(Subject subject, Condition.Test test) {
    var tested = subject.tested();
    var word = Objects.requireNonNull(test.word());
    if (word.equals("null")) {
      return tested.isNull(true);
    }
    if (word.equals("not_null")) {
      return tested.isNull(false);
    }
    requireBoolean(subject, test);
    // Unlike "equals", "is" is never unknown: so that its negation lets null through.
    return word.equals("unknown")
        ? tested.isNull(true)
        : tested.compare(
            Comparison.NOT_DISTINCT, value(test.first(), subject.type(), test.operator()), false);
  }

  private static void requireBoolean(Subject subject, Condition.Test test) {
    if (subject.type() != DataType.Scalar.BOOLEAN) {
      throw new RestFailure(
          400,
          ErrorCode.INVALID_OPERATION,
          "42804",
          "'is.%s' needs a boolean, and '%s' is of type %s"
              .formatted(test.word(), subject.name(), subject.declared()),
          null,
          null);
    }
  }

  private Filter compared(Subject subject, Condition.Test test) {
    if (test.quantifier() == Condition.Quantifier.ONE) {
      return compare(subject, test, test.first(), false);
    }
    var each = new ArrayList<Filter>();
    for (int i = 0; i < test.count(); i++) {
      each.add(compare(subject, test, test.first() + i, false));
    }
    return test.quantifier() == Condition.Quantifier.ALL
        ? new Filter.And(each)
        : new Filter.Or(each);
  }

  private Filter compare(Subject subject, Condition.Test test, int index, boolean negated) {
    var operator = test.operator();
    var comparison = Objects.requireNonNull(operator.comparison());
    return subject.tested().compare(comparison, value(index, subject.type(), operator), negated);
  }

  private Parameter value(int index, DataType type, Operator operator) {
    readers[index] = new ValueReader(type, operator.takesPattern());
    return new Parameter(index);
  }
}

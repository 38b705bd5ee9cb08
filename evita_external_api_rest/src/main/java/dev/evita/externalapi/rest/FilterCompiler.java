// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.rest;

import dev.evita.api.Capability;
import dev.evita.api.Comparison;
import dev.evita.api.DataType;
import dev.evita.api.ErrorCode;
import dev.evita.api.Filter;
import dev.evita.api.Output;
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

  /**
   * What is tested.
   *
   * @param type of its values
   * @param declared the column's type in the database
   */
  private record Tested(Output.Single value, DataType type, String name, String declared) {

    static Tested of(RestTable table, Field field) {
      var column = table.requireColumn(field.column());
      return new Tested(field.of(column), field.type(column), field.column(), column.nativeType());
    }

    Filter compare(Comparison comparison, Parameter value) {
      return switch (this.value) {
        case Output.Column(var column) -> new Filter.Compare(column, comparison, value);
        case Output.Path path ->
            new Filter.AtPath(path, new Filter.Test.Compare(comparison, value));
      };
    }

    Filter in(Parameter values) {
      return switch (value) {
        case Output.Column(var column) -> new Filter.In(column, values);
        case Output.Path path -> new Filter.AtPath(path, new Filter.Test.In(values));
      };
    }

    Filter isNull() {
      return switch (value) {
        case Output.Column(var column) -> new Filter.IsNull(column);
        case Output.Path path -> new Filter.AtPath(path, new Filter.Test.IsNull());
      };
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
    var tested = Tested.of(table, test.field());
    requireOperator(tested, test.operator());
    var search = test.operator().search();
    if (search != null) {
      return search(tested, search, test);
    }
    return switch (test.operator()) {
      case IS -> is(tested, test);
      case IN -> tested.in(value(test.first(), tested.type(), test.operator()));
      case ISDISTINCT -> new Filter.Not(compare(tested, test, test.first()));
      default -> compared(tested, test);
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

  private void requireOperator(Tested tested, Operator operator) {
    if (!has(tested.type(), operator)) {
      throw RestFailure.unsupported(
          "The operator '%s' is not supported by this engine for '%s', which is of type %s"
              .formatted(operator.text(), tested.name(), tested.declared()),
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

  private Filter search(Tested tested, Filter.Search search, Condition.Test test) {
    if (!(tested.value() instanceof Output.Column(var column))) {
      throw RestFailure.unsupported(
          "The operator '" + test.operator().text() + "' is not supported inside of JSON", null);
    }
    var query = value(test.first(), DataType.Scalar.TEXT, test.operator());
    return new Filter.FullText(column, search, test.word(), query);
  }

  private Filter is(Tested tested, Condition.Test test) {
    var isNull = tested.isNull();
    var word = Objects.requireNonNull(test.word());
    if (word.equals("null")) {
      return isNull;
    }
    if (word.equals("not_null")) {
      return new Filter.Not(isNull);
    }
    requireBoolean(tested, test);
    // Unlike "equals", "is" is never unknown: so that its negation lets null through.
    return word.equals("unknown")
        ? isNull
        : tested.compare(
            Comparison.NOT_DISTINCT, value(test.first(), tested.type(), test.operator()));
  }

  private static void requireBoolean(Tested tested, Condition.Test test) {
    if (tested.type() != DataType.Scalar.BOOLEAN) {
      throw new RestFailure(
          400,
          ErrorCode.INVALID_OPERATION,
          "42804",
          "'is.%s' needs a boolean, and '%s' is of type %s"
              .formatted(test.word(), tested.name(), tested.declared()),
          null,
          null);
    }
  }

  private Filter compared(Tested tested, Condition.Test test) {
    if (test.quantifier() == Condition.Quantifier.ONE) {
      return compare(tested, test, test.first());
    }
    var each = new ArrayList<Filter>();
    for (int i = 0; i < test.count(); i++) {
      each.add(compare(tested, test, test.first() + i));
    }
    return test.quantifier() == Condition.Quantifier.ALL
        ? new Filter.And(each)
        : new Filter.Or(each);
  }

  private Filter compare(Tested tested, Condition.Test test, int index) {
    var operator = test.operator();
    var comparison = Objects.requireNonNull(operator.comparison());
    return tested.compare(comparison, value(index, tested.type(), operator));
  }

  private Parameter value(int index, DataType type, Operator operator) {
    readers[index] = new ValueReader(type, operator.takesPattern());
    return new Parameter(index);
  }
}

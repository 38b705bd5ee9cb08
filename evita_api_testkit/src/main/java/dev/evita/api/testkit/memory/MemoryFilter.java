// SPDX-License-Identifier: Apache-2.0
package dev.evita.api.testkit.memory;

import dev.evita.api.Arguments;
import dev.evita.api.Column;
import dev.evita.api.Comparison;
import dev.evita.api.DataType;
import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import dev.evita.api.Filter;
import dev.evita.api.Parameter;
import dev.evita.api.Table;
import java.util.List;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Compiles filters, in SQL's three-valued logic: a condition is true, false or null (unknown). */
final class MemoryFilter {

  /** A condition on the values of a row. */
  interface Condition {
    @Nullable Boolean test(@Nullable Object[] row);
  }

  /** A filter whose arguments are not known yet. */
  interface Compiled {
    /**
     * Binds the arguments.
     *
     * @throws EvitaException {@code INVALID_VALUE}
     */
    Condition bind(Arguments arguments);
  }

  private final Table table;

  MemoryFilter(Table table) {
    this.table = table;
  }

  /**
   * Compiles a filter.
   *
   * @param filter null for all rows
   * @throws EvitaException {@code UNKNOWN_COLUMN}
   */
  Compiled compile(@Nullable Filter filter) {
    return switch (filter) {
      case null -> arguments -> row -> true;
      case Filter.And(var filters) -> all(filters, false);
      case Filter.Or(var filters) -> all(filters, true);
      case Filter.Not(var negated) -> not(compile(negated));
      case Filter.Compare(var name, var comparison, var parameter) ->
          compare(MemoryStatement.column(table, name), comparison, parameter);
      case Filter.CompareColumns(var left, var comparison, var right) ->
          compare(
              MemoryStatement.column(table, left),
              comparison,
              MemoryStatement.column(table, right));
      case Filter.In(var name, var parameter) -> in(MemoryStatement.column(table, name), parameter);
      case Filter.IsNull(var name) -> {
        var slot = slot(MemoryStatement.column(table, name));
        yield arguments -> row -> row[slot] == null;
      }
      case Filter.AtPath path -> throw beyond(filter);
      case Filter.FullText text -> throw beyond(filter);
      case Filter.Exists exists -> throw beyond(filter);
      case Filter.Aggregated aggregated -> throw beyond(filter);
    };
  }

  /** {@code MemoryEngine.prepare} has refused it already. */
  private static IllegalStateException beyond(Filter filter) {
    return new IllegalStateException("no capability for " + filter);
  }

  private int slot(Column column) {
    return table.columns().indexOf(column);
  }

  /** One of the conditions decides: a false one of and, a true one of or. */
  private Compiled all(List<Filter> filters, boolean decisive) {
    var compiled = filters.stream().map(this::compile).toList();
    return arguments -> {
      var conditions = compiled.stream().map(each -> each.bind(arguments)).toList();
      return row -> {
        var unknown = false;
        for (var condition : conditions) {
          var value = condition.test(row);
          if (value == null) {
            unknown = true;
          } else if (value == decisive) {
            return decisive;
          }
        }
        return unknown ? null : Boolean.valueOf(!decisive);
      };
    };
  }

  private static Compiled not(Compiled negated) {
    return arguments -> {
      var condition = negated.bind(arguments);
      return row -> {
        var value = condition.test(row);
        return value == null ? null : Boolean.valueOf(!value);
      };
    };
  }

  private Compiled compare(Column column, Comparison comparison, Parameter parameter) {
    requireComparable(column, comparison);
    var slot = slot(column);
    if (comparison == Comparison.LIKE || comparison == Comparison.ILIKE) {
      return arguments -> {
        var pattern = MemoryValues.stored(column, MemoryValues.argument(arguments, parameter));
        var matches = pattern == null ? null : like((String) pattern, comparison);
        return row -> {
          var text = (String) row[slot];
          return (text == null || matches == null) ? null : Boolean.valueOf(matches.test(text));
        };
      };
    }
    return arguments -> {
      var value = MemoryValues.stored(column, MemoryValues.argument(arguments, parameter));
      return row -> test(comparison, row[slot], value);
    };
  }

  private static void requireComparable(Column column, Comparison comparison) {
    var comparable =
        switch (comparison.kind()) {
          case VALUE -> true;
          case PATTERN -> column.type() == DataType.Scalar.TEXT;
          case SET -> false;
        };
    if (!comparable) {
      throw new EvitaException(
          ErrorCode.UNSUPPORTED_OPERATION,
          "Column \"" + column.name() + "\" has no comparison " + comparison);
    }
  }

  private Compiled compare(Column column, Comparison comparison, Column other) {
    requireComparable(column, comparison);
    var left = slot(column);
    var right = slot(other);
    return arguments ->
        row -> {
          var value = row[right];
          // of another width, perhaps
          return test(comparison, row[left], MemoryValues.stored(column, value));
        };
  }

  private Compiled in(Column column, Parameter parameter) {
    var slot = slot(column);
    return arguments -> {
      if (!(MemoryValues.argument(arguments, parameter) instanceof List<?> list)) {
        throw new EvitaException(ErrorCode.INVALID_VALUE, "a list is needed for " + column.name());
      }
      var values = new TreeSet<Object>(MemoryValues::compare);
      var nulls = false;
      for (var each : list) {
        var value = MemoryValues.stored(column, each);
        if (value == null) {
          nulls = true;
        } else {
          values.add(value);
        }
      }
      var unknown = nulls;
      return row -> {
        var value = row[slot];
        if (values.isEmpty() && !unknown) {
          return false;
        }
        if (value != null && values.contains(value)) {
          return true;
        }
        return (value == null || unknown) ? null : Boolean.FALSE;
      };
    };
  }

  private static @Nullable Boolean test(
      Comparison comparison, @Nullable Object left, @Nullable Object right) {
    if (left == null || right == null) {
      return comparison == Comparison.NOT_DISTINCT
          ? Boolean.valueOf(left == null && right == null)
          : null;
    }
    var order = MemoryValues.compare(left, right);
    return switch (comparison) {
      case EQUAL, NOT_DISTINCT -> order == 0;
      case NOT_EQUAL -> order != 0;
      case LESS -> order < 0;
      case LESS_OR_EQUAL -> order <= 0;
      case GREATER -> order > 0;
      case GREATER_OR_EQUAL -> order >= 0;
      case LIKE, ILIKE -> like((String) right, comparison).test((String) left);
      default -> throw new IllegalStateException("no capability for " + comparison);
    };
  }

  /** Returns the test of a pattern with {@code %}, {@code _} and the escape {@code \}. */
  private static Predicate<String> like(String pattern, Comparison comparison) {
    var regex = new StringBuilder();
    for (int i = 0; i < pattern.length(); i++) {
      var character = pattern.charAt(i);
      if (character == '\\' && i + 1 < pattern.length()) {
        i++;
        regex.append(Pattern.quote(pattern.substring(i, i + 1)));
      } else if (character == '%') {
        regex.append(".*");
      } else if (character == '_') {
        regex.append('.');
      } else {
        regex.append(Pattern.quote(String.valueOf(character)));
      }
    }
    var ignoresCase =
        comparison == Comparison.ILIKE ? Pattern.CASE_INSENSITIVE | Pattern.UNICODE_CASE : 0;
    return Pattern.compile(regex.toString(), Pattern.DOTALL | ignoresCase).asMatchPredicate();
  }
}

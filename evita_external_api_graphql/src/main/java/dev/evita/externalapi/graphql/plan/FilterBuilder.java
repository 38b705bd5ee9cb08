// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.graphql.plan;

import dev.evita.api.Comparison;
import dev.evita.api.Filter;
import dev.evita.api.Relationship;
import dev.evita.externalapi.core.filter.FilterOperand;
import dev.evita.externalapi.core.live.ValuePath;
import dev.evita.externalapi.graphql.input.AbsentValue;
import dev.evita.externalapi.graphql.input.Inputs;
import dev.evita.externalapi.graphql.model.Comparisons;
import dev.evita.externalapi.graphql.model.FieldModel;
import dev.evita.externalapi.graphql.model.TableModel;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Builds filters from Hasura's boolean expressions. */
final class FilterBuilder {

  private final OperationBuilder operation;
  private final boolean writes;

  private FilterBuilder(OperationBuilder operation, boolean writes) {
    this.operation = operation;
    this.writes = writes;
  }

  /** Creates a builder for reads: an operator whose variable is absent is left out. */
  static FilterBuilder ofReads(OperationBuilder operation) {
    return new FilterBuilder(operation, false);
  }

  /** Creates a builder for writes, where a forgotten variable would affect too many rows. */
  static FilterBuilder ofWrites(OperationBuilder operation) {
    return new FilterBuilder(operation, true);
  }

  /** Returns the filter of a {@code where}; null for all rows. */
  @Nullable Filter where(TableModel table, @Nullable Object where, ValuePath trail) {
    if (!(operation.resolve(where) instanceof Map<?, ?> map) || map.isEmpty()) {
      return null;
    }
    return expression(table, map, trail, 1);
  }

  /** Returns the filter of a primary key. */
  Filter keys(TableModel table, Map<String, Object> keys) {
    var filters = new ArrayList<Filter>(keys.size());
    keys.forEach((column, value) -> {
      var where = ValuePath.of(table.fieldOf(column).name());
      var parameter = operation.operand(value, where);
      if (parameter == null) {
        throw Inputs.invalid(where, "its variable has no value");
      }
      filters.add(new Filter.Compare(column, Comparison.EQUAL, parameter));
    });
    return all(filters);
  }

  private Filter expression(TableModel table, Map<?, ?> map, ValuePath where, int depth) {
    operation.requireDepth(depth);
    var filters = new ArrayList<Filter>(map.size());
    for (var entry : map.entrySet()) {
      var name = String.valueOf(entry.getKey());
      var value = operation.resolve(entry.getValue());
      if (value instanceof AbsentValue) {
        requireLeavable(where.member(name));
        continue;
      }
      if (value == null) {
        throw Inputs.invalid(
            where.member(name),
            "null is not valid here; leave it out, or filter by _is_null: true");
      }
      filters.add(member(table, name, value, where.member(name), depth));
    }
    return all(filters);
  }

  private Filter member(TableModel table, String name, Object value, ValuePath where, int depth) {
    return switch (name) {
      case "_and" -> new Filter.And(expressions(table, (List<?>) value, where, depth));
      case "_or" -> new Filter.Or(expressions(table, (List<?>) value, where, depth));
      case "_not" -> new Filter.Not(expression(table, (Map<?, ?>) value, where, depth + 1));
      default ->
          switch (Objects.requireNonNull(table.field(name))) {
            case FieldModel.OfColumn(var field, var column) ->
                comparisons(new FilterOperand.OfColumn(column.name()), (Map<?, ?>) value, where);
            case FieldModel.OfRelationship(var field, var relationship, var target) ->
                new Filter.Exists(
                    relationship, expression(target, (Map<?, ?>) value, where, depth + 1));
            case FieldModel.OfAggregate(var field, var relationship, var target) ->
                aggregated(relationship, target, (Map<?, ?>) value, where, depth);
            case FieldModel.OfGroups groups ->
                throw new IllegalStateException("no filter: " + name);
          };
    };
  }

  private List<Filter> expressions(TableModel table, List<?> list, ValuePath where, int depth) {
    var filters = new ArrayList<Filter>(list.size());
    for (int i = 0; i < list.size(); i++) {
      var element = where.element(i);
      if (!(operation.resolve(list.get(i)) instanceof Map<?, ?> map)) {
        throw Inputs.invalid(element, "null is not valid here; leave it out");
      }
      filters.add(expression(table, map, element, depth + 1));
    }
    return filters;
  }

  /** Conditions on aggregates of related rows: Hasura supports only {@code count} on all types. */
  private Filter aggregated(
      Relationship relationship,
      TableModel target,
      Map<?, ?> aggregates,
      ValuePath where,
      int depth) {
    var filters = new ArrayList<Filter>();
    for (var entry : aggregates.entrySet()) {
      var at = where.member(String.valueOf(entry.getKey()));
      switch (operation.resolve(entry.getValue())) {
        case Map<?, ?> count -> {
          var aggregate = operation.count(target, count.get("arguments"), count.get("distinct"));
          var which = aggregatedRows(target, count, at.member("filter"), depth);
          var tested = new FilterOperand.OfAggregate(relationship, which, aggregate);
          filters.add(comparisons(tested, predicate(count, at), at.member("predicate")));
        }
        case AbsentValue absent -> requireLeavable(at);
        case null, default -> throw Inputs.invalid(at, "null is not valid here; leave it out");
      }
    }
    return all(filters);
  }

  private @Nullable Filter aggregatedRows(
      TableModel target, Map<?, ?> count, ValuePath where, int depth) {
    if (!count.containsKey("filter")) {
      return null;
    }
    return switch (operation.resolve(count.get("filter"))) {
      case Map<?, ?> map when map.isEmpty() -> null;
      case Map<?, ?> map -> expression(target, map, where, depth + 1);
      case AbsentValue absent -> {
        requireLeavable(where);
        yield null;
      }
      case null, default -> throw Inputs.invalid(where, "null is not valid here; leave it out");
    };
  }

  private Map<?, ?> predicate(Map<?, ?> count, ValuePath where) {
    if (operation.resolve(count.get("predicate")) instanceof Map<?, ?> predicate) {
      return predicate;
    }
    throw Inputs.invalid(where, "a predicate is needed, such as {predicate: {_gt: 3}}");
  }

  private Filter comparisons(FilterOperand tested, Map<?, ?> operators, ValuePath where) {
    var filters = new ArrayList<Filter>(operators.size());
    for (var entry : operators.entrySet()) {
      var name = String.valueOf(entry.getKey());
      var filter = comparison(tested, name, entry.getValue(), where.member(name));
      if (filter == null) {
        requireLeavable(where.member(name));
      } else {
        filters.add(filter);
      }
    }
    return all(filters);
  }

  private void requireLeavable(ValuePath where) {
    if (writes) {
      throw Inputs.invalid(where, "its variable has no value, which a mutation needs");
    }
  }

  private @Nullable Filter comparison(
      FilterOperand tested, String name, @Nullable Object operand, ValuePath where) {
    if (name.equals(Comparisons.IS_NULL)) {
      return isNull(tested, operation.resolve(operand), where);
    }
    var parameter = operation.operand(operand, where);
    if (parameter == null) {
      return null;
    }
    var operator = Comparisons.operator(name);
    if (operator == null) {
      return tested.in(parameter, name.equals(Comparisons.NOT_IN));
    }
    return tested.compare(operator.comparison(), parameter, operator.negated());
  }

  private static @Nullable Filter isNull(
      FilterOperand tested, @Nullable Object flag, ValuePath where) {
    if (flag instanceof AbsentValue) {
      return null;
    }
    if (!(flag instanceof Boolean wanted)) {
      throw Inputs.invalid(where, "null is not valid here; expected true or false");
    }
    return tested.isNull(wanted);
  }

  private static Filter all(List<Filter> filters) {
    return filters.size() == 1 ? filters.getFirst() : new Filter.And(filters);
  }
}

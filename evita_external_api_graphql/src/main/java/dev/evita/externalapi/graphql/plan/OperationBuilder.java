// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.graphql.plan;

import dev.evita.api.Call;
import dev.evita.api.EvitaException;
import dev.evita.api.Filter;
import dev.evita.api.Operation;
import dev.evita.api.Order;
import dev.evita.api.Output;
import dev.evita.api.Parameter;
import dev.evita.api.Select;
import dev.evita.externalapi.core.limits.DepthLimit;
import dev.evita.externalapi.core.live.ValuePath;
import dev.evita.externalapi.graphql.input.AbsentValue;
import dev.evita.externalapi.graphql.input.BoundArguments;
import dev.evita.externalapi.graphql.input.Inputs;
import dev.evita.externalapi.graphql.input.Placeholder;
import dev.evita.externalapi.graphql.input.RowArguments;
import dev.evita.externalapi.graphql.input.VariableRef;
import dev.evita.externalapi.graphql.model.TableModel;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Builds an {@link Operation} from an {@link OperationTemplate}, and the list of its arguments.
 *
 * <p>Without values it tests whether the shape is independent of the variables: the arguments then
 * hold {@link Placeholder}s, and the shape is valid as long as none of those variables is null.
 * With values, everything is resolved. For one use.
 */
public final class OperationBuilder {

  private final Object @Nullable [] values;
  private final DepthLimit nesting;
  private final List<@Nullable Object> arguments = new ArrayList<>();
  private @Nullable ConnectionPaging paging;

  /**
   * @param values the values of the variables, or null to leave them unresolved
   */
  public OperationBuilder(Object @Nullable [] values, DepthLimit nesting) {
    this.values = values;
    this.nesting = nesting;
  }

  /**
   * Returns the operation.
   *
   * @throws EvitaException {@code INVALID_VALUE}, {@code TOO_DEEP}
   * @throws ValueDependentShape if the shape depends on variables that are left unresolved
   */
  Operation build(OperationTemplate template) {
    return switch (template) {
      case OperationTemplate.OfSelect select -> select(select);
      case OperationTemplate.OfPage page -> {
        var built = new ConnectionBuilder(this, page).build();
        paging = built.paging();
        yield built.select();
      }
      case OperationTemplate.OfCall call -> call(call);
      case OperationTemplate.OfUpdate update -> new WriteBuilder(this).update(update);
      case OperationTemplate.OfDelete delete -> new WriteBuilder(this).delete(delete);
    };
  }

  /** Returns the paging of the page, if the template was one of a connection. */
  @Nullable ConnectionPaging paging() {
    return paging;
  }

  /** Returns the arguments of the operation, by the index of their parameters. */
  public @Nullable Object[] arguments() {
    return arguments.toArray();
  }

  private Call call(OperationTemplate.OfCall call) {
    var routine = call.routine();
    var given = new LinkedHashMap<String, Parameter>();
    call.parameters()
        .forEach((name, parameter) -> {
          var argument = call.arguments().getOrDefault(name, AbsentValue.VALUE);
          var value = known(argument);
          if (!(value instanceof AbsentValue)) {
            given.put(parameter.name(), assigned(argument, ValuePath.of(name)));
          } else if (parameter.defaultExpression() == null) {
            throw Inputs.invalid(
                ValuePath.of(name), "the argument is missing; expected a value or null");
          }
        });
    var outputs = new ArrayList<Output>();
    call.columns().forEach(column -> outputs.add(new Output.Column(column.name())));
    return new Call(routine.schema(), routine.name(), given, outputs);
  }

  private Select select(OperationTemplate.OfSelect template) {
    var outputs = outputs(template.table(), template.slots());
    var given = template.arguments();
    var table = template.table();
    var distinctOn = columns(table, given.distinctOn());
    var groupBy = groupBy(template);
    var orders = new OrderBuilder(this);
    var orderBy =
        groupBy.isEmpty()
            ? orders.rows(table, given.orderBy(), given.trail("order_by"))
            : orders.groups(table, given.orderBy(), groupBy, given.trail("order_by"));
    requireLeading(distinctOn, orderBy, given);
    return new Select(
        table.table().name(),
        outputs,
        where(template),
        orderBy,
        distinctOn,
        groupBy,
        rowCount(given.limit(), given.trail("limit")),
        rowCount(given.offset(), given.trail("offset")),
        List.of(),
        List.of());
  }

  private List<String> groupBy(OperationTemplate.OfSelect template) {
    var given = template.arguments();
    if (given.by() == null) {
      return List.of();
    }
    var table = template.table();
    var columns = columns(table, given.by());
    if (columns.isEmpty()) {
      throw Inputs.invalid(given.trail("by"), "nothing to group by; expected at least one column");
    }
    for (var slot : template.slots()) {
      if (slot instanceof OperationTemplate.Slot.OfColumn(var column)
          && !columns.contains(column)) {
        throw Inputs.invalid(
            given.trail("by"),
            "the key's field '"
                + table.fieldOf(column).name()
                + "' is selected; expected its column here");
      }
    }
    return columns;
  }

  private @Nullable Filter where(OperationTemplate.OfSelect template) {
    var filters = FilterBuilder.ofReads(this);
    var given = template.arguments();
    return template.keys().isEmpty()
        ? filters.where(template.table(), given.where(), given.trail("where"))
        : filters.keys(template.table(), template.keys());
  }

  /** Returns the outputs for a row of the table. */
  public List<Output> outputs(TableModel table, List<OperationTemplate.Slot> slots) {
    var outputs = new ArrayList<Output>(slots.size());
    for (var slot : slots) {
      outputs.add(output(table, slot));
    }
    return outputs;
  }

  private Output output(TableModel table, OperationTemplate.Slot slot) {
    return switch (slot) {
      case OperationTemplate.Slot.OfColumn(var column) -> new Output.Column(column);
      case OperationTemplate.Slot.OfRows(var relationship, var select) ->
          new Output.Nested(relationship, select(select));
      case OperationTemplate.Slot.OfAggregate(var function, var column) ->
          new Output.Aggregate(function, List.of(column), false);
      case OperationTemplate.Slot.OfCount(var columns, var distinct) ->
          count(table, columns, distinct);
    };
  }

  /** Returns the count of rows; {@code distinct} without columns has no effect, as in Hasura. */
  Output.Aggregate count(TableModel table, @Nullable Object columns, @Nullable Object distinct) {
    var counted = columns(table, columns);
    return new Output.Aggregate(
        Output.Function.COUNT, counted, !counted.isEmpty() && isTrue(distinct));
  }

  boolean isTrue(@Nullable Object flag) {
    return Boolean.TRUE.equals(resolve(flag));
  }

  /** Returns the columns that names of a {@code select_column} denote, each once. */
  List<String> columns(TableModel table, @Nullable Object names) {
    if (!(resolve(names) instanceof List<?> list)) {
      return List.of();
    }
    var columns = new ArrayList<String>();
    for (var element : list) {
      if (resolve(element) instanceof String name && !columns.contains(table.column(name))) {
        columns.add(table.column(name));
      }
    }
    return columns;
  }

  /** Enforces PostgreSQL's rule, without which "the first of each" is undefined. */
  private static void requireLeading(
      List<String> distinctOn, List<Order> orderBy, RowArguments given) {
    for (int i = 0; i < Math.min(distinctOn.size(), orderBy.size()); i++) {
      var order = orderBy.get(i);
      if (!order.path().isEmpty()
          || !(order.value() instanceof Output.Column(var column))
          || !distinctOn.contains(column)) {
        throw Inputs.invalid(
            given.trail("distinct_on"),
            "its columns must be the first ones of order_by; put them there, in any order");
      }
    }
  }

  private @Nullable Parameter rowCount(@Nullable Object count, ValuePath where) {
    if (count == null) {
      return null;
    }
    if (values == null && count instanceof VariableRef variable) {
      return add(new BoundArguments.RowCount(variable, where));
    }
    var value = resolve(count);
    if (value == null || value instanceof AbsentValue) {
      return null;
    }
    return add(BoundArguments.requireRowCount(value, where));
  }

  /** Returns a value that must not be null; null itself if its variable is absent. */
  @Nullable Parameter operand(@Nullable Object operand, ValuePath where) {
    if (values == null && operand instanceof Placeholder) {
      return add(operand);
    }
    var value = resolve(operand);
    if (value instanceof AbsentValue) {
      return null;
    }
    if (value == null) {
      throw Inputs.invalid(where, "null is not valid here; match nulls by _is_null: true");
    }
    return add(value instanceof List<?> list ? members(list, where) : value);
  }

  private Object members(List<?> list, ValuePath where) {
    var members = new ArrayList<@Nullable Object>(list.size());
    var open = false;
    for (var element : list) {
      open |= values == null && element instanceof Placeholder;
      var member = values == null ? element : resolve(element);
      if (member instanceof AbsentValue) {
        throw Inputs.invalid(where, "a variable in this list has no value");
      }
      members.add(member);
    }
    return open ? new BoundArguments.Members(members) : members;
  }

  /** Returns the value assigned to a column, which may be null. */
  Parameter assigned(@Nullable Object value, ValuePath where) {
    var known = known(value);
    return add(known instanceof List<?> list ? members(list, where) : known);
  }

  /** Adds an argument, whose value is known or is supplied later. */
  Parameter add(@Nullable Object argument) {
    arguments.add(argument);
    return new Parameter(arguments.size() - 1);
  }

  /** Resolves the value as far as possible: an unresolved variable is returned unchanged. */
  @Nullable Object known(@Nullable Object node) {
    return values == null ? node : resolve(node);
  }

  /** Returns the value, given literally or by a variable. */
  public @Nullable Object resolve(@Nullable Object node) {
    if (!(node instanceof Placeholder placeholder)) {
      return node;
    }
    if (values == null) {
      throw new ValueDependentShape();
    }
    return placeholder.value(values);
  }

  public void requireDepth(int depth) {
    nesting.require("argument", depth);
  }
}

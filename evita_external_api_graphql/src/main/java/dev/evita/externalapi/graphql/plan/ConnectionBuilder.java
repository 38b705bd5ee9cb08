// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.graphql.plan;

import dev.evita.api.DataType;
import dev.evita.api.EvitaException;
import dev.evita.api.Order;
import dev.evita.api.Output;
import dev.evita.api.Parameter;
import dev.evita.api.Select;
import dev.evita.externalapi.core.json.CursorFormat;
import dev.evita.externalapi.core.live.ValuePath;
import dev.evita.externalapi.graphql.input.AbsentValue;
import dev.evita.externalapi.graphql.input.BoundArguments;
import dev.evita.externalapi.graphql.input.Inputs;
import dev.evita.externalapi.graphql.input.PageArguments;
import dev.evita.externalapi.graphql.model.Comparisons;
import dev.evita.externalapi.graphql.model.TableModel;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Makes the select of a connection's page: by position in a total order, never by offset, and
 * turned round where the last rows are asked for.
 */
final class ConnectionBuilder {

  /** Rows of a page that says neither first nor last. */
  static final long DEFAULT_PAGE = 100;

  private final OperationBuilder operation;
  private final OperationTemplate.OfPage template;
  private final TableModel table;
  private final PageArguments given;
  private final List<Output> outputs = new ArrayList<>();

  ConnectionBuilder(OperationBuilder operation, OperationTemplate.OfPage template) {
    this.operation = operation;
    this.template = template;
    this.table = template.table();
    this.given = template.arguments();
  }

  /** A select and what is to be known of its page. */
  record Page(Select select, ConnectionPaging paging) {}

  Page build() {
    var first = size(given.first(), "first");
    var last = size(given.last(), "last");
    var order = totalOrder();
    var cursors =
        CursorFormat.of(table.table().name(), order, order.stream().map(this::type).toList());
    var after = position(cursors, given.after(), "after");
    var before = position(cursors, given.before(), "before");
    outputs.addAll(operation.outputs(table, template.slots()));
    var cursorSlot = outputs.size();
    if (template.cursors()) {
      order.forEach(this::addPosition);
    }
    var backward = first == null && last != null;
    var size = first != null ? first : last != null ? last : DEFAULT_PAGE;
    var paging =
        new ConnectionPaging(
            backward, size, first, last, !after.isEmpty(), !before.isEmpty(), cursors, cursorSlot);
    var where = FilterBuilder.ofReads(operation).where(table, given.where(), ValuePath.of("where"));
    var select =
        Select.of(table.table().name(), outputs)
            .where(where)
            .orderBy(backward ? order.stream().map(Order::reversed).toList() : order)
            .limit(operation.add(paging.limit()))
            .after(backward ? before : after)
            .before(backward ? after : before);
    return new Page(select, paging);
  }

  private @Nullable Long size(@Nullable Object argument, String name) {
    var value = operation.resolve(argument);
    if (value == null || value instanceof AbsentValue) {
      return null;
    }
    return ((Number) BoundArguments.requireRowCount(value, ValuePath.of(name))).longValue();
  }

  /** The order that is asked for, and the key behind it where that leaves ties. */
  private List<Order> totalOrder() {
    var orders = new OrderBuilder(operation).rows(table, given.orderBy(), ValuePath.of("order_by"));
    var total = new ArrayList<>(orders);
    // The same way as what stands before it: an index can be read in one direction at a time.
    var descending =
        !orders.isEmpty() && orders.getLast().direction() == Order.Direction.DESCENDING;
    for (var column : template.key()) {
      if (orders.stream()
          .noneMatch(
              term -> term.path().isEmpty() && term.value().equals(new Output.Column(column)))) {
        total.add(descending ? Order.descending(column) : Order.ascending(column));
      }
    }
    return total;
  }

  private List<Parameter> position(CursorFormat cursors, @Nullable Object argument, String name) {
    if (!(operation.resolve(argument) instanceof String cursor)) {
      return List.of();
    }
    var parameters = new ArrayList<Parameter>();
    for (var value : decode(cursors, cursor, name)) {
      parameters.add(operation.add(value));
    }
    return parameters;
  }

  private static List<@Nullable Object> decode(CursorFormat cursors, String cursor, String name) {
    try {
      return cursors.decode(cursor);
    } catch (EvitaException e) {
      throw Inputs.invalid(ValuePath.of(name), e.publicMessage());
    }
  }

  private void addPosition(Order term) {
    outputs.add(term.output());
  }

  private DataType type(Order term) {
    var at = table;
    for (var step : term.path()) {
      at = at.reached(step);
    }
    return switch (term.value()) {
      case Output.Column(var column) -> at.fieldOf(column).column().type();
      case Output.Path inside -> inside.type();
      case Output.Aggregate(var function, var columns, var distinct) ->
          switch (function) {
            case COUNT -> DataType.Scalar.INT64;
            case MIN, MAX -> at.fieldOf(columns.getFirst()).column().type();
            case SUM -> Comparisons.sumType(at.fieldOf(columns.getFirst()).column().type());
            case AVG -> average(at.fieldOf(columns.getFirst()).column().type());
          };
    };
  }

  private static DataType average(DataType column) {
    return column == DataType.Scalar.FLOAT32 || column == DataType.Scalar.FLOAT64
        ? DataType.Scalar.FLOAT64
        : DataType.Scalar.DECIMAL;
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.grpc.generic;

import com.google.protobuf.Message;
import dev.evita.api.Arguments;
import dev.evita.api.Column;
import dev.evita.api.DataType;
import dev.evita.api.Delete;
import dev.evita.api.Filter;
import dev.evita.api.Insert;
import dev.evita.api.InsertRows;
import dev.evita.api.Operation;
import dev.evita.api.Order;
import dev.evita.api.Output;
import dev.evita.api.Parameter;
import dev.evita.api.Select;
import dev.evita.api.Table;
import dev.evita.api.Update;
import dev.evita.externalapi.core.filter.FilterOperand;
import dev.evita.externalapi.core.limits.DepthLimit;
import dev.evita.externalapi.grpc.messages.MessageFields;
import dev.evita.externalapi.grpc.messages.MessageValues;
import dev.evita.externalapi.grpc.messages.ReadCall;
import dev.evita.externalapi.grpc.messages.RequestValues;
import dev.evita.externalapi.grpc.proto.ColumnTest;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Parses one request of the generic service. Used by one thread. */
final class DatabaseReader {

  /**
   * A parsed request.
   *
   * @param columns the columns of the returned rows
   */
  record Bound(Table table, Operation operation, Arguments arguments, List<Column> columns) {}

  private final DatabaseNames names;
  private final DepthLimit nesting;
  private final RequestValues values = new RequestValues();

  DatabaseReader(DatabaseNames names, DepthLimit nesting) {
    this.names = names;
    this.nesting = nesting;
  }

  /** Returns the arguments of a parsed query. */
  RequestValues values() {
    return values;
  }

  private Table table(MessageFields request) {
    return names.table(request.string("schema"), request.string("table"));
  }

  private static List<Output> outputs(List<Column> columns) {
    return columns.stream().<Output>map(column -> new Output.Column(column.name())).toList();
  }

  /** Parses a {@code QueryRequest}. */
  Bound query(MessageFields request) {
    var table = table(request);
    var columns = names.columns(table, request.strings("columns"));
    var select =
        Select.of(table.name(), outputs(columns))
            .where(filter(table, request.nested("filter"), 1))
            .orderBy(request.all("order").stream().map(term -> order(table, term)).toList());
    var limit = count(request, "limit");
    var offset = count(request, "offset");
    select = limit == 0 ? select : select.limit(values.constant(limit));
    select = offset == 0 ? select : select.offset(values.constant(offset));
    return new Bound(table, select, values.arguments(), columns);
  }

  private static long count(MessageFields request, String name) {
    var count = request.number(name);
    if (count < 0) {
      throw ReadCall.invalid(name + " is " + count + "; expected 0 or more");
    }
    return count;
  }

  private Order order(Table table, MessageFields term) {
    var descending = term.bool("descending");
    return ReadCall.term(
        names.column(table, term.string("column")).name(), descending, term.label("nulls"));
  }

  /** Parses a {@code MutateRequest}. */
  Bound mutation(MessageFields request) {
    var kind = request.which("kind");
    var what = kind.isEmpty() ? null : request.nested(kind);
    if (what == null) {
      throw ReadCall.invalid("Nothing is to be done; expected insert, update or delete");
    }
    return switch (kind) {
      case "insert" -> insert(what);
      case "update" -> update(what);
      default -> delete(what);
    };
  }

  private Bound insert(MessageFields request) {
    var table = table(request);
    var named = request.strings("columns");
    var columns = named.stream().map(name -> names.column(table, name)).toList();
    var rows = new ArrayList<@Nullable Object[]>();
    for (var row : request.all("rows")) {
      rows.add(row(columns, named, row.all("values"), rows.size()));
    }
    var insert =
        new Insert(
            table.name(),
            columns.stream().map(Column::name).toList(),
            new Parameter(0),
            onConflict(table, request.nested("on_conflict")),
            List.of());
    return returning(table, request, insert, Arguments.of(new InsertRows(rows)));
  }

  private static @Nullable Object[] row(
      List<Column> columns, List<String> named, List<MessageFields> given, int index) {
    if (given.size() != columns.size()) {
      throw ReadCall.invalid(
          "rows[%d] has %d values; expected %d, one for each column"
              .formatted(index, given.size(), columns.size()));
    }
    var row = new @Nullable Object[given.size()];
    for (int i = 0; i < row.length; i++) {
      var where = "rows[" + index + "]." + named.get(i);
      row[i] = value(columns.get(i).type(), given.get(i), where);
    }
    return row;
  }

  private Insert.@Nullable OnConflict onConflict(Table table, @Nullable MessageFields conflict) {
    return conflict == null
        ? null
        : new Insert.OnConflict(
            exact(table, conflict.strings("key")), exact(table, conflict.strings("update")));
  }

  private List<String> exact(Table table, List<String> columns) {
    return columns.stream().map(name -> names.column(table, name).name()).toList();
  }

  private Bound returning(
      Table table, MessageFields request, Operation write, Arguments arguments) {
    var named = request.strings("returning");
    var columns = named.isEmpty() ? List.<Column>of() : names.columns(table, named);
    var outputs = outputs(columns);
    var operation =
        switch (write) {
          case Insert(var into, var given, var rows, var conflict, var none) ->
              new Insert(into, given, rows, conflict, outputs);
          case Update(var name, var changes, var where, var none) ->
              new Update(name, changes, where, outputs);
          case Delete(var name, var where, var none) -> new Delete(name, where, outputs);
          default -> throw new IllegalArgumentException("writes nothing: " + write);
        };
    return new Bound(table, operation, arguments, columns);
  }

  private Bound update(MessageFields request) {
    var table = table(request);
    var changes = new ArrayList<Update.Change>();
    for (var each : request.all("set")) {
      var column = names.column(table, each.string("column"));
      var given = each.nested("value");
      var value = given == null ? null : value(column.type(), given, each.string("column"));
      changes.add(new Update.Change.Assign(column.name(), values.constant(value)));
    }
    if (changes.isEmpty()) {
      throw ReadCall.invalid("Nothing is to be changed; give columns and values in set");
    }
    var where = requireFilter(table, request);
    return returning(
        table, request, new Update(table.name(), changes, where, List.of()), values.arguments());
  }

  private Bound delete(MessageFields request) {
    var table = table(request);
    var where = requireFilter(table, request);
    return returning(
        table, request, new Delete(table.name(), where, List.of()), values.arguments());
  }

  private @Nullable Filter requireFilter(Table table, MessageFields request) {
    var where = filter(table, request.nested("filter"), 1);
    if (!request.bool("all_rows")
        && (where == null || new FilterSimplifier(values.values()).isNone(where))) {
      throw ReadCall.invalid(
          where == null
              ? "There is no filter; set all_rows if all rows are meant"
              : "The filter lets all rows pass; set all_rows if all rows are meant");
    }
    return where;
  }

  private @Nullable Filter filter(Table table, @Nullable MessageFields filter, int depth) {
    nesting.require("filter", depth);
    var kind = filter == null ? "" : filter.which("kind");
    if (filter == null || kind.isEmpty()) {
      return null;
    }
    var of = Objects.requireNonNull(filter.nested(kind));
    return switch (kind) {
      case "compare" -> comparison(table, of);
      case "all_of" -> new Filter.And(list(table, of, depth));
      case "any_of" -> new Filter.Or(list(table, of, depth));
      case "none_of" -> new Filter.Not(new Filter.Or(list(table, of, depth)));
      default -> {
        var relationship = names.relationship(table, of.string("relationship"));
        var other = names.catalog().requireTable(relationship.to());
        var within = filter(other, of.nested("filter"), depth + 1);
        yield new Filter.Exists(relationship, within == null ? new Filter.And(List.of()) : within);
      }
    };
  }

  private List<Filter> list(Table table, MessageFields list, int depth) {
    var filters = new ArrayList<Filter>();
    for (var each : list.all("filters")) {
      var filter = filter(table, each, depth + 1);
      filters.add(filter == null ? new Filter.And(List.of()) : filter);
    }
    return filters;
  }

  private Filter comparison(Table table, MessageFields comparison) {
    var where = comparison.string("column");
    var column = names.column(table, where);
    var number = comparison.label("operator");
    if (number == 0) {
      throw ReadCall.invalid("The comparison of '" + where + "' has no operator");
    }
    var test = ColumnTest.of(number);
    var given = comparison.nested("value");
    if (test == ColumnTest.IS_NULL) {
      var wanted = given == null ? null : value(DataType.Scalar.BOOLEAN, given, where);
      return new FilterOperand.OfColumn(column.name()).isNull(!Boolean.FALSE.equals(wanted));
    }
    var value =
        test.ofList()
            ? list(column.type(), given, where)
            : given == null ? null : MessageValues.only(given.message());
    if (value == null) {
      throw ReadCall.invalid(
          where + ": " + test + " has no value, and nothing compares with null; use IS_NULL");
    }
    return values.test(column.name(), column.type(), test, value, where);
  }

  private static Message list(DataType type, @Nullable MessageFields given, String where) {
    var array = given == null ? null : given.nested("array_value");
    if (array != null) {
      return array.message();
    }
    if (given != null) {
      var unused = value(new DataType.Array(type), given, where); // throws with the reason
    }
    throw ReadCall.invalid(where + ": the list is missing; expected an array_value");
  }

  private static @Nullable Object value(DataType type, MessageFields value, String where) {
    return MessageValues.any(type, value.message(), where);
  }
}

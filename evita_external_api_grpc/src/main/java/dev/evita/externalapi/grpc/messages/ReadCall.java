// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.grpc.messages;

import com.google.protobuf.Message;
import dev.evita.api.DataType;
import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import dev.evita.api.Order;
import dev.evita.api.Output;
import dev.evita.api.Parameter;
import dev.evita.api.Select;
import dev.evita.externalapi.core.json.CursorFormat;
import dev.evita.externalapi.grpc.proto.TableProto;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a request asks to be read: the select, which is the same for all requests of its shape, and
 * the values.
 *
 * @param values the arguments, and how they are read from another request of this shape
 * @param columns those that are shown: the first slots of each row
 * @param paging how the next page is told; null where rows are not told by pages
 */
public record ReadCall(
    Select select, RequestValues values, List<TableProto.Field> columns, @Nullable Paging paging) {

  private static final int DEFAULT_PAGE = 100;

  /**
   * Pages.
   *
   * @param size how many rows each has; one more is read
   * @param cursors of the values behind the columns; null where rows have no key, and are skipped
   * @param skipped how many rows the pages before had, where they are skipped; else null
   */
  public record Paging(int size, @Nullable CursorFormat cursors, @Nullable Parameter skipped) {}

  /** Reads the requests of a table. */
  public static final class Reader {

    private final TypedTable table;
    private final MessageFields request;
    private final RequestValues values = new RequestValues();

    public Reader(TypedTable table, Message request) {
      this.table = table;
      this.request = new MessageFields(request);
    }

    private TableProto proto() {
      return table.proto();
    }

    private @Nullable Message message(String field) {
      var nested = request.nested(field);
      return nested == null ? null : nested.message();
    }

    /** The row of a key. */
    public ReadCall byKey() {
      var columns = columns();
      var where = table.byKey(message("key"), values);
      return of(Select.of(proto().table().name(), outputs(columns)).where(where), columns, null);
    }

    /** A stream of rows. */
    public ReadCall scan() {
      var columns = columns();
      var select = filtered(columns).orderBy(order());
      var limit = request.number("limit");
      if (limit < 0) {
        throw invalid("limit is " + limit + "; expected 0 for all rows, or how many");
      }
      return of(limit == 0 ? select : select.limit(values.constant(limit)), columns, null);
    }

    /** All rows that pass, with their key behind the columns. */
    public ReadCall watched() {
      var columns = columns();
      var outputs = outputs(columns);
      proto().key().forEach(field -> outputs.add(new Output.Column(field.column().name())));
      return of(filtered(columns).outputs(outputs), columns, null);
    }

    /** A page of rows. */
    public ReadCall page() {
      var size = (int) request.number("page_size");
      if (size < 0) {
        throw invalid("page_size is " + size + "; expected 0 or more");
      }
      var columns = columns();
      var rows = size == 0 ? DEFAULT_PAGE : size;
      var select = filtered(columns).limit(values.constant(rows + 1L));
      var token = request.string("page_token");
      var identity = proto().identity();
      return identity == null
          ? skipping(select, columns, rows, token)
          : after(select, columns, rows, token, identity.columns());
    }

    private ReadCall skipping(
        Select select, List<TableProto.Field> columns, int rows, String token) {
      var skipped = token.isEmpty() ? values.constant(0L) : values.skippedRows(token);
      var paged = select.orderBy(order()).offset(skipped);
      return of(paged, columns, new Paging(rows, null, skipped));
    }

    private ReadCall after(
        Select select, List<TableProto.Field> columns, int rows, String token, List<String> key) {
      var total = new ArrayList<>(order());
      key.stream()
          .filter(name ->
              total.stream().noneMatch(term -> term.value().equals(new Output.Column(name))))
          .toList()
          .forEach(name -> total.add(Order.ascending(name)));
      var outputs = new ArrayList<>(select.outputs());
      total.forEach(term -> outputs.add(term.output()));
      var cursors = CursorFormat.of(proto().table().name(), total, types(total));
      var position = token.isEmpty() ? List.<Parameter>of() : values.cursor(cursors, token);
      var paged = select.outputs(outputs).orderBy(total).after(position);
      return of(paged, columns, new Paging(rows, cursors, null));
    }

    private List<DataType> types(List<Order> order) {
      return order.stream()
          .map(term -> proto().of(((Output.Column) term.value()).column()).column().type())
          .toList();
    }

    private ReadCall of(Select select, List<TableProto.Field> columns, @Nullable Paging paging) {
      return new ReadCall(select, values, columns, paging);
    }

    private Select filtered(List<TableProto.Field> columns) {
      var filter = message("filter");
      return Select.of(proto().table().name(), outputs(columns))
          .where(filter == null ? null : table.filters(values).read(proto(), filter));
    }

    private static List<Output> outputs(List<TableProto.Field> columns) {
      var outputs = new ArrayList<Output>(columns.size() + 1);
      for (var field : columns) {
        outputs.add(new Output.Column(field.column().name()));
      }
      return outputs;
    }

    private List<TableProto.Field> columns() {
      var named = request.strings("columns");
      if (named.isEmpty()) {
        return proto().columns();
      }
      var columns = new ArrayList<TableProto.Field>(named.size());
      for (var name : new LinkedHashSet<>(named)) {
        columns.add(table.require(name));
      }
      return columns;
    }

    private List<Order> order() {
      return request.all("order").stream().map(this::term).toList();
    }

    private Order term(MessageFields term) {
      var column = table.require(term.string("column")).column();
      return ReadCall.term(column.name(), term.bool("descending"), term.label("nulls"));
    }
  }

  /**
   * A term of an order.
   *
   * @param nulls the number of a {@code NullsOrder}: by default they are larger than all values
   */
  public static Order term(String column, boolean descending, int nulls) {
    var first = nulls == 0 ? descending : nulls == 1;
    return new Order(
        List.of(),
        column,
        descending ? Order.Direction.DESCENDING : Order.Direction.ASCENDING,
        first ? Order.Nulls.FIRST : Order.Nulls.LAST);
  }

  public static EvitaException invalid(String message) {
    return new EvitaException(ErrorCode.INVALID_VALUE, message);
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.grpc.messages;

import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import dev.evita.api.EvitaException;
import dev.evita.api.Filter;
import dev.evita.api.TableName;
import dev.evita.externalapi.core.filter.FilterOperand;
import dev.evita.externalapi.core.limits.DepthLimit;
import dev.evita.externalapi.grpc.proto.ColumnTest;
import dev.evita.externalapi.grpc.proto.TableProto;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Parses the filter messages of a request. Used by one thread. */
public final class FilterReader {

  private final Map<TableName, TableProto> tables;
  private final DepthLimit nesting;
  private final RequestValues values;

  /**
   * @param tables the tables of the schema
   * @param values collects the values of filters
   */
  FilterReader(Map<TableName, TableProto> tables, RequestValues values, DepthLimit nesting) {
    this.tables = tables;
    this.values = values;
    this.nesting = nesting;
  }

  /**
   * Returns the filter that a message represents.
   *
   * @return null if it matches all rows
   * @throws EvitaException {@code INVALID_VALUE}, {@code TOO_DEEP}
   */
  @Nullable Filter read(TableProto table, Message filter) {
    var all = filter(table, filter, 1);
    return all instanceof Filter.And(var filters) && filters.isEmpty() ? null : all;
  }

  private Filter filter(TableProto table, Message filter, int depth) {
    nesting.require("filter", depth);
    var all = new ArrayList<Filter>();
    filter
        .getAllFields()
        .forEach((field, value) -> all.add(member(table, field, (Message) value, depth)));
    return all.size() == 1 ? all.getFirst() : new Filter.And(all);
  }

  private Filter member(TableProto table, FieldDescriptor field, Message value, int depth) {
    switch (field.getName()) {
      case "all_of" -> {
        return new Filter.And(list(table, value, depth));
      }
      case "any_of" -> {
        return new Filter.Or(list(table, value, depth));
      }
      case "none_of" -> {
        return new Filter.Not(new Filter.Or(list(table, value, depth)));
      }
      default -> {}
    }
    var column = table.field(field.getName());
    if (column != null) {
      return column(column, value);
    }
    var related =
        table.relationships().stream()
            .filter(each -> each.number() == field.getNumber())
            .findFirst()
            .orElseThrow();
    var other = Objects.requireNonNull(tables.get(related.relationship().to()));
    return new Filter.Exists(related.relationship(), filter(other, value, depth + 1));
  }

  private List<Filter> list(TableProto table, Message list, int depth) {
    var filters = new ArrayList<Filter>();
    for (var each : (List<?>) list.getField(list.getDescriptorForType().findFieldByNumber(1))) {
      filters.add(filter(table, (Message) each, depth + 1));
    }
    return filters;
  }

  private Filter column(TableProto.Field field, Message comparison) {
    var all = new ArrayList<Filter>();
    comparison
        .getAllFields()
        .forEach((test, value) -> all.add(test(field, ColumnTest.of(test.getNumber()), value)));
    return all.size() == 1 ? all.getFirst() : new Filter.And(all);
  }

  private Filter test(TableProto.Field field, ColumnTest test, Object value) {
    var column = field.column();
    return test == ColumnTest.IS_NULL
        ? new FilterOperand.OfColumn(column.name()).isNull((Boolean) value)
        : values.test(column.name(), column.type(), test, value, field.name() + "." + test.field());
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.grpc;

import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import dev.evita.api.Comparison;
import dev.evita.api.DataType;
import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import dev.evita.api.Filter;
import dev.evita.api.Parameter;
import dev.evita.api.TableName;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Reads the filter messages of a request; their values become arguments. Used by one thread. */
final class FilterReader {

  private final Map<TableName, TableProto> tables;
  private final int maxDepth;
  private final List<@Nullable Object> values = new ArrayList<>();

  /**
   * @param tables those of the schema
   */
  FilterReader(Map<TableName, TableProto> tables, int maxDepth) {
    this.tables = tables;
    this.maxDepth = maxDepth;
  }

  /** What was read so far, by the indexes of parameters; more may be added. */
  List<@Nullable Object> values() {
    return values;
  }

  /** Adds a value. */
  Parameter parameter(@Nullable Object value) {
    values.add(value);
    return new Parameter(values.size() - 1);
  }

  /**
   * The filter that a message means.
   *
   * @return null where it lets all rows pass
   * @throws EvitaException {@code INVALID_VALUE}, {@code TOO_DEEP}
   */
  @Nullable Filter read(TableProto table, Message filter) {
    var all = filter(table, filter, 1);
    return all instanceof Filter.And(var filters) && filters.isEmpty() ? null : all;
  }

  private Filter filter(TableProto table, Message filter, int depth) {
    if (depth > maxDepth) {
      throw new EvitaException(
          ErrorCode.TOO_DEEP, "The filter is nested deeper than " + maxDepth + " (max-depth)");
    }
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
    var where = field.name() + "." + test.field();
    var compared = test.comparison();
    var filter =
        test == ColumnTest.IS_NULL
            ? isNull(column.name(), (Boolean) value)
            : compared == null
                ? new Filter.In(column.name(), parameter(list(column.type(), value, where)))
                : new Filter.Compare(
                    column.name(), compared, parameter(operand(column.type(), test, value, where)));
    return test.negated() ? new Filter.Not(filter) : filter;
  }

  private static @Nullable Object operand(
      DataType type, ColumnTest test, Object value, String where) {
    var compared = test.comparison();
    return MessageValues.of(compared == null ? type : operandType(type, compared), value, where);
  }

  /** What a column of this type is compared with. */
  static DataType operandType(DataType type, Comparison comparison) {
    return comparison.kind() == Comparison.Kind.PATTERN ? DataType.Scalar.TEXT : type;
  }

  private static Filter isNull(String column, boolean wanted) {
    var test = new Filter.IsNull(column);
    return wanted ? test : new Filter.Not(test);
  }

  private static List<@Nullable Object> list(DataType type, Object list, String where) {
    var message = (Message) list;
    var values = new ArrayList<@Nullable Object>();
    var field = message.getDescriptorForType().findFieldByNumber(1);
    for (var each : (List<?>) message.getField(field)) {
      values.add(MessageValues.of(type, each, where));
    }
    return values;
  }
}

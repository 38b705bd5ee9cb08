// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.grpc;

import com.google.protobuf.DynamicMessage;
import com.google.protobuf.Message;
import dev.evita.api.Comparison;
import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import dev.evita.api.Filter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A table's messages of one epoch, and how they are read. Immutable. */
final class TypedTable {

  private final SchemaProto schema;
  private final TableProto proto;
  private final int maxDepth;
  private final Map<String, TableProto.Field> fields;
  private final List<TableProto.Field> keyFields;

  TypedTable(SchemaProto schema, TableProto proto, int maxDepth) {
    this.schema = schema;
    this.proto = proto;
    this.maxDepth = maxDepth;
    this.fields =
        proto.columns().stream()
            .collect(Collectors.toUnmodifiableMap(TableProto.Field::name, Function.identity()));
    this.keyFields = proto.key();
  }

  TableProto proto() {
    return proto;
  }

  /**
   * Reads a message of this table.
   *
   * @param suffix what stands behind the table's name in the message's
   * @throws EvitaException as {@link MessageParser}
   */
  DynamicMessage parse(String suffix, byte[] bytes) {
    return MessageParser.parse(schema.message(proto.base() + suffix), bytes, maxDepth);
  }

  FilterReader filters() {
    return new FilterReader(schema.tables(), maxDepth);
  }

  /**
   * The column of a field's name.
   *
   * @throws EvitaException {@code UNKNOWN_COLUMN}
   */
  TableProto.Field require(String name) {
    var field = fields.get(name);
    if (field == null) {
      throw new EvitaException(
          ErrorCode.UNKNOWN_COLUMN,
          "'%s' is no field of %sRow; expected one of %s"
              .formatted(
                  MessageValues.shortened(name),
                  proto.base(),
                  proto.columns().stream()
                      .map(TableProto.Field::name)
                      .limit(50)
                      .collect(Collectors.joining(", "))));
    }
    return field;
  }

  /**
   * The row of a key.
   *
   * @throws EvitaException {@code INVALID_VALUE} where a part of the key is missing
   */
  Filter byKey(@Nullable Message key, FilterReader filters) {
    var parts = new ArrayList<Filter>();
    for (var field : keyFields) {
      var descriptor =
          key == null ? null : key.getDescriptorForType().findFieldByNumber(field.number());
      if (key == null || descriptor == null || !key.hasField(descriptor)) {
        throw ReadRequest.invalid("key." + field.name() + " is missing");
      }
      var value =
          MessageValues.of(field.column().type(), key.getField(descriptor), "key." + field.name());
      parts.add(
          new Filter.Compare(field.column().name(), Comparison.EQUAL, filters.parameter(value)));
    }
    return parts.size() == 1 ? parts.getFirst() : new Filter.And(parts);
  }

  /**
   * The columns that a row gives, and their values.
   *
   * @param row null for none
   * @param nulls the names of further ones that are null
   */
  Given given(@Nullable Message row, List<String> nulls) {
    var columns = new ArrayList<TableProto.Field>();
    var values = new ArrayList<@Nullable Object>();
    for (var field : proto.columns()) {
      var descriptor =
          row == null ? null : row.getDescriptorForType().findFieldByNumber(field.number());
      var isNull = nulls.contains(field.name());
      var isGiven = row != null && descriptor != null && row.hasField(descriptor);
      if (isNull && isGiven) {
        throw ReadRequest.invalid(
            "'" + field.name() + "' has a value, and stands in nulls; expected one of both");
      }
      if (isNull || isGiven) {
        columns.add(writable(field));
        values.add(
            isNull || row == null
                ? null
                : MessageValues.of(field.column().type(), row.getField(descriptor), field.name()));
      }
    }
    nulls.forEach(this::require);
    return new Given(columns, values);
  }

  private static TableProto.Field writable(TableProto.Field field) {
    if (!field.column().writable()) {
      throw ReadRequest.invalid("'" + field.name() + "' is made by the database; leave it out");
    }
    return field;
  }

  /** Columns and a value for each. */
  record Given(List<TableProto.Field> columns, List<@Nullable Object> values) {
    List<String> names() {
      return columns.stream().map(field -> field.column().name()).toList();
    }
  }
}

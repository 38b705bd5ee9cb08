// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.grpc.messages;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.Message;
import dev.evita.api.Comparison;
import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import dev.evita.api.Filter;
import dev.evita.externalapi.core.limits.DepthLimit;
import dev.evita.externalapi.grpc.proto.SchemaProto;
import dev.evita.externalapi.grpc.proto.TableProto;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A table's messages of one epoch, and their parsing. Immutable. */
public final class TypedTable {

  private final SchemaProto schema;
  private final TableProto proto;
  private final DepthLimit nesting;
  private final Map<String, TableProto.Field> fields;

  /** The fields in the order of their numbers, which is the order of the bytes of a request. */
  private final List<TableProto.Field> keyFields;

  public TypedTable(SchemaProto schema, TableProto proto, DepthLimit nesting) {
    this.schema = schema;
    this.proto = proto;
    this.nesting = nesting;
    this.fields =
        proto.columns().stream()
            .collect(Collectors.toUnmodifiableMap(TableProto.Field::name, Function.identity()));
    this.keyFields =
        proto.key().stream().sorted(Comparator.comparingInt(TableProto.Field::number)).toList();
  }

  public TableProto proto() {
    return proto;
  }

  /**
   * Parses a message of this table.
   *
   * @param suffix the suffix of the message's name after the table's name
   * @throws EvitaException as {@link MessageParser}
   */
  public DynamicMessage parse(String suffix, byte[] bytes) {
    return MessageParser.parse(message(suffix), bytes, nesting);
  }

  /** The type of a message of this table. */
  public Descriptor message(String suffix) {
    return schema.message(proto.base() + suffix);
  }

  /**
   * Whether a field is an argument of a statement: a part of a key, a filter's operand, or the
   * token of a page.
   */
  public static boolean isValue(FieldDescriptor field) {
    var message = field.getContainingType().getName();
    return message.endsWith("Comparison")
        || message.endsWith("Key")
        || (message.endsWith("ListRequest") && field.getName().equals("page_token"));
  }

  /** Returns a reader of filters, whose values are added to these. */
  FilterReader filters(RequestValues values) {
    return new FilterReader(schema.tables(), values, nesting);
  }

  /**
   * Returns the column of a field's name.
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
   * Returns the filter on a key, whose values are added to these.
   *
   * @throws EvitaException {@code INVALID_VALUE} if a part of the key is missing
   */
  public Filter byKey(@Nullable Message key, RequestValues values) {
    var parts = new ArrayList<Filter>();
    for (var field : keyFields) {
      var descriptor =
          key == null ? null : key.getDescriptorForType().findFieldByNumber(field.number());
      if (key == null || descriptor == null || !key.hasField(descriptor)) {
        throw ReadCall.invalid("key." + field.name() + " is missing");
      }
      var value =
          values.value(field.column().type(), key.getField(descriptor), "key." + field.name());
      parts.add(new Filter.Compare(field.column().name(), Comparison.EQUAL, value));
    }
    return parts.size() == 1 ? parts.getFirst() : new Filter.And(parts);
  }

  /**
   * Returns the columns that a row sets, and their values.
   *
   * @param row null for none
   * @param nulls the names of further columns that are set to null
   */
  public Given given(@Nullable Message row, List<String> nulls) {
    var columns = new ArrayList<TableProto.Field>();
    var values = new ArrayList<@Nullable Object>();
    for (var field : proto.columns()) {
      var descriptor =
          row == null ? null : row.getDescriptorForType().findFieldByNumber(field.number());
      var isNull = nulls.contains(field.name());
      var isGiven = row != null && descriptor != null && row.hasField(descriptor);
      if (isNull && isGiven) {
        throw ReadCall.invalid("'" + field.name() + "' has a value and is in nulls; remove one");
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
      throw ReadCall.invalid("'" + field.name() + "' is made by the database; leave it out");
    }
    return field;
  }

  /** Columns and a value for each. */
  public record Given(List<TableProto.Field> columns, List<@Nullable Object> values) {
    public List<String> names() {
      return columns.stream().map(field -> field.column().name()).toList();
    }
  }
}

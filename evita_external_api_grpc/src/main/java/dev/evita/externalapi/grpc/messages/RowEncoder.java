// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.grpc.messages;

import dev.evita.api.DataType;
import dev.evita.api.Row;
import dev.evita.api.Values;
import dev.evita.externalapi.grpc.proto.ProtoKind;
import dev.evita.externalapi.grpc.proto.TableProto;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Writes the columns of rows as fields of a message; nulls are absent. Immutable.
 *
 * @param fields in the order of the row's slots
 * @param first the slot of the first
 */
public record RowEncoder(List<TableProto.Field> fields, int first) {

  public RowEncoder {
    fields = List.copyOf(fields);
  }

  /** Writes one row's fields, without a length before them. */
  public void write(Row row, WireWriter to) {
    for (int i = 0; i < fields.size(); i++) {
      var slot = first + i;
      if (!row.isNull(slot)) {
        write(row, slot, fields.get(i), to);
      }
    }
  }

  private static void write(Row row, int slot, TableProto.Field field, WireWriter to) {
    var number = field.number();
    switch (field.kind()) {
      case BOOL -> to.bool(number, row.booleanAt(slot));
      case INT32, INT64 -> to.integer(number, row.longAt(slot));
      case FLOAT -> to.real(number, row.floatAt(slot));
      case DOUBLE -> to.real(number, row.doubleAt(slot));
      case BYTES -> {
        var value = row.binaryAt(slot);
        if (value != null) {
          to.binary(number, value);
        }
      }
      case TEXT, JSON -> string(number, row.textAt(slot), to);
      case STRING -> {
        var text = isText(field.column().type()) ? row.textAt(slot) : format(row.objectAt(slot));
        string(number, text, to);
      }
      case ARRAY -> {
        if (row.objectAt(slot) instanceof List<?> list) {
          var begun = to.begin(number);
          array(list, elementType(field.column().type()), to);
          to.end(begun);
        }
      }
    }
  }

  /** Writes the field of the message {@code AnyValue} for a non-null value. */
  public static void value(Row row, int slot, DataType type, WireWriter to) {
    switch (ProtoKind.of(type)) {
      case BOOL -> to.bool(1, row.booleanAt(slot));
      case INT32, INT64 -> to.integer(2, row.longAt(slot));
      case DOUBLE -> to.real(3, row.doubleAt(slot));
      case TEXT, JSON -> string(4, row.textAt(slot), to);
      case FLOAT, BYTES, STRING, ARRAY ->
          value(isText(type) ? row.textAt(slot) : row.objectAt(slot), type, to);
    }
  }

  private static boolean isText(DataType type) {
    return type == DataType.Scalar.INTERVAL
        || type instanceof DataType.Enumeration
        || type instanceof DataType.Other;
  }

  private static @Nullable String format(@Nullable Object value) {
    return value == null ? null : Values.format(value);
  }

  private static void string(int number, @Nullable String text, WireWriter to) {
    if (text != null) {
      to.string(number, text);
    }
  }

  /** Arrays may have more dimensions than the type declares. */
  private static DataType elementType(DataType type) {
    return type instanceof DataType.Array(var element) ? element : type;
  }

  private static void array(List<?> values, DataType element, WireWriter to) {
    for (var each : values) {
      var begun = to.begin(1);
      value(each, element, to);
      to.end(begun);
    }
  }

  /** Writes the field of the message {@code AnyValue}; none for null. */
  private static void value(@Nullable Object value, DataType type, WireWriter to) {
    switch (value) {
      case null -> {}
      // NaN and Infinity are doubles even where all other values are decimals.
      case Number number when type == DataType.Scalar.DECIMAL ->
          to.string(4, Values.format(number));
      case Boolean bool -> to.bool(1, bool);
      case Long number -> to.integer(2, number);
      case Integer number -> to.integer(2, number);
      case Short number -> to.integer(2, number);
      case Double number -> to.real(3, number);
      case Float number -> to.real(3, number.doubleValue());
      case String text -> to.string(4, text);
      case byte[] bytes -> to.binary(5, bytes);
      case List<?> list -> {
        var begun = to.begin(6);
        array(list, elementType(type), to);
        to.end(begun);
      }
      default -> to.string(4, Values.format(value));
    }
  }
}

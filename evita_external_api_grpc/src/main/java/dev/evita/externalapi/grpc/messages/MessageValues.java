// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.grpc.messages;

import com.google.protobuf.ByteString;
import com.google.protobuf.Message;
import com.google.protobuf.TextFormat;
import dev.evita.api.DataType;
import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import dev.evita.api.Values;
import dev.evita.externalapi.core.exchange.JsonTree;
import dev.evita.externalapi.core.exchange.RequestBody;
import dev.evita.externalapi.core.json.JsonValues;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;

/** Makes values for the engine from the fields of messages. */
public final class MessageValues {

  private MessageValues() {}

  /**
   * The value, of the class that {@link dev.evita.api.Arguments} names for the type.
   *
   * @param value as protobuf has it: Boolean, Integer, Long, Float, Double, String, ByteString or
   *     the message {@code AnyArray}
   * @param where what the value is for, for the message
   * @throws EvitaException {@code INVALID_VALUE}
   */
  static @Nullable Object of(DataType type, Object value, String where) {
    return switch (value) {
      case Message array when type instanceof DataType.Array(var element) ->
          list(element, array, where);
      case Message array -> throw invalid("a list is", type, where);
      case ByteString bytes when type == DataType.Scalar.BINARY -> bytes.toByteArray();
      case String json when type == DataType.Scalar.JSON -> json(json, where);
      case Float number when type == DataType.Scalar.FLOAT32 -> number;
      case Double number when type == DataType.Scalar.FLOAT64 -> number;
      case Boolean bool -> JsonValues.coerce(type, bool, where);
      case String text -> JsonValues.coerce(type, text, where);
      case Integer number -> JsonValues.coerce(type, number, where);
      case Long number -> JsonValues.coerce(type, number, where);
      case Float number -> decimal(type, number.doubleValue(), where);
      case Double number -> decimal(type, number, where);
      default -> throw invalid("bytes are", type, where);
    };
  }

  private static EvitaException invalid(String what, DataType type, String where) {
    return ReadCall.invalid(
        where + ": " + what + " not valid here; expected " + Values.expected(type));
  }

  private static @Nullable Object decimal(DataType type, double number, String where) {
    return Double.isFinite(number)
        ? JsonValues.coerce(type, BigDecimal.valueOf(number), where)
        : JsonValues.coerce(type, Double.toString(number), where);
  }

  private static String json(String text, String where) {
    var bytes = text.getBytes(StandardCharsets.UTF_8);
    try {
      var unused = JsonTree.parseWhole(new RequestBody(bytes, bytes.length));
      return text;
    } catch (JacksonException e) {
      throw new EvitaException(
          ErrorCode.INVALID_VALUE,
          where + ": '" + shortened(text) + "' is not JSON: " + e.getOriginalMessage());
    }
  }

  public static String shortened(String text) {
    return text.length() > 80 ? text.substring(0, 80) + "..." : text;
  }

  /**
   * The elements of a list, each a value of this type.
   *
   * @param list its only field is repeated, and of a scalar type or {@code AnyValue}
   * @throws EvitaException {@code INVALID_VALUE}
   */
  static List<@Nullable Object> elements(DataType type, Message list, String where) {
    var values = new ArrayList<@Nullable Object>();
    var field = list.getDescriptorForType().findFieldByNumber(1);
    for (var each : (List<?>) list.getField(field)) {
      values.add(each instanceof Message any ? any(type, any, where) : of(type, each, where));
    }
    return values;
  }

  /**
   * The value of a message {@code AnyValue}; null where nothing is set.
   *
   * @throws EvitaException {@code INVALID_VALUE}
   */
  public static @Nullable Object any(DataType type, Message value, String where) {
    var set = only(value);
    return set == null ? null : of(type, set, where);
  }

  /** What is set of a message {@code AnyValue}, as protobuf has it; null for nothing. */
  public static @Nullable Object only(Message anyValue) {
    var set = anyValue.getAllFields();
    return set.isEmpty() ? null : set.values().iterator().next();
  }

  private static List<Message> members(Message array) {
    var field = array.getDescriptorForType().findFieldByNumber(1);
    return ((List<?>) array.getField(field)).stream().map(Message.class::cast).toList();
  }

  private static List<@Nullable Object> list(DataType type, Message array, String where) {
    var values = new ArrayList<@Nullable Object>();
    var lists = 0;
    for (var each : members(array)) {
      if (only(each) instanceof Message nested && !(type instanceof DataType.Array)) {
        values.add(list(type, nested, where)); // deeper than the type says: some databases allow it
        lists++;
      } else {
        values.add(any(type, each, where));
      }
    }
    if (lists > 0 && lists < values.size()) {
      throw ReadCall.invalid(
          where
              + ": '"
              + shortened(text(array))
              + "' has lists beside values; expected one of both");
    }
    return values;
  }

  private static String text(Message array) {
    return TextFormat.printer().emittingSingleLine(true).printToString(array);
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.grpc.messages;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.EnumValueDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.Message;
import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import dev.evita.externalapi.core.limits.NestingLimit;
import java.io.IOException;
import java.util.List;
import java.util.stream.Collectors;

/** Reads messages, of which nothing that was sent may be lost. */
public final class MessageParser {

  /** What stands around a filter, and within it around a value. */
  private static final int AROUND = 20;

  /** What a thread's stack surely holds. */
  private static final int DEEPEST = 500;

  private MessageParser() {}

  /**
   * The message.
   *
   * @param nesting of filters, each of which takes up to two messages
   * @throws EvitaException {@code MALFORMED_REQUEST} for bytes that are none; {@code TOO_DEEP};
   *     {@code UNKNOWN_COLUMN} for a field that it does not have; {@code INVALID_VALUE} for a
   *     number that its enumeration does not have
   */
  public static DynamicMessage parse(Descriptor type, byte[] bytes, NestingLimit nesting) {
    try {
      var input = CodedInputStream.newInstance(bytes);
      var unused = input.setRecursionLimit((int) Math.min(2L * nesting.levels() + AROUND, DEEPEST));
      var message = DynamicMessage.parseFrom(type, input);
      requireKnown(message);
      return message;
    } catch (IOException e) {
      var reason = String.valueOf(e.getMessage());
      if (reason.contains("setRecursionLimit")) { // nothing else tells it from bytes that are none
        throw nesting.exceeded("message " + type.getName());
      }
      throw new EvitaException(
          ErrorCode.MALFORMED_REQUEST,
          "The request is not the message " + type.getName() + ": " + reason);
    }
  }

  private static void requireKnown(Message message) {
    var unknown = message.getUnknownFields();
    if (!unknown.asMap().isEmpty()) {
      throw new EvitaException(
          ErrorCode.UNKNOWN_COLUMN,
          "The message %s has no field of number %d (any more); get the .proto file anew"
              .formatted(
                  message.getDescriptorForType().getName(),
                  unknown.asMap().keySet().iterator().next()));
    }
    message.getAllFields().forEach(MessageParser::requireKnown);
  }

  private static void requireKnown(FieldDescriptor field, Object value) {
    switch (value) {
      case Message nested -> requireKnown(nested);
      case List<?> list -> list.forEach(each -> requireKnown(field, each));
      case EnumValueDescriptor label -> requireKnown(field, label);
      default -> {}
    }
  }

  private static void requireKnown(FieldDescriptor field, EnumValueDescriptor label) {
    if (field.getEnumType().findValueByNumber(label.getNumber()) == null) {
      throw ReadCall.invalid(
          "%s.%s is %d; expected one of %s"
              .formatted(
                  field.getContainingType().getName(),
                  field.getName(),
                  label.getNumber(),
                  field.getEnumType().getValues().stream()
                      .map(known -> known.getNumber() + " (" + known.getName() + ")")
                      .collect(Collectors.joining(", "))));
    }
  }
}

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
import dev.evita.externalapi.core.error.HttpErrorCode;
import dev.evita.externalapi.core.limits.DepthLimit;
import java.io.IOException;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Parses messages; unknown fields and values are rejected, so that nothing a client sent is
 * silently ignored.
 */
public final class MessageParser {

  /** The nesting levels around a filter, and within it around a value. */
  private static final int AROUND = 20;

  /** A nesting depth that fits on a thread's stack. */
  private static final int DEEPEST = 500;

  private MessageParser() {}

  /**
   * Returns the message.
   *
   * @param nesting of filters, each of which takes up to two messages
   * @throws EvitaException {@code MALFORMED_REQUEST} for bytes that are not a message; {@code
   *     TOO_DEEP}; {@code UNKNOWN_COLUMN} for a field that it does not have; {@code INVALID_VALUE}
   *     for a number that its enumeration does not have
   */
  public static DynamicMessage parse(Descriptor type, byte[] bytes, DepthLimit nesting) {
    try {
      var input = CodedInputStream.newInstance(bytes);
      var unused = input.setRecursionLimit((int) Math.min(2L * nesting.levels() + AROUND, DEEPEST));
      var message = DynamicMessage.parseFrom(type, input);
      requireKnown(message);
      return message;
    } catch (IOException e) {
      var reason = String.valueOf(e.getMessage());
      if (reason.contains(
          "setRecursionLimit")) { // no other property distinguishes it from bytes that are not a
        // message
        throw nesting.exceeded("message " + type.getName());
      }
      throw new EvitaException(
          HttpErrorCode.MALFORMED_REQUEST,
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

// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.grpc.messages;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.WireFormat;
import dev.evita.api.EvitaException;
import dev.evita.externalapi.core.limits.DepthLimit;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Splits the bytes of requests into shape and values, in one pass and without building messages.
 *
 * <p>It handles requests as protobuf's own libraries encode them: known fields in ascending order,
 * each once unless it is repeated. For any other request it returns null, and the request is parsed
 * as a whole. It thus performs no validation: a shape is only used after a request of that shape
 * has been parsed and compiled.
 *
 * <p>Booleans belong to the shape: there are two, and a test for null is one of them.
 *
 * <p>Thread-safe.
 */
public final class RequestSplitter {

  /** Requests with longer shapes are parsed, to bound the memory of cached shapes. */
  private static final int LONGEST_SHAPE = 4_096;

  /** Longer requests are parsed, as building a shape takes as many bytes. */
  private static final int LONGEST = 1 << 18;

  private static final int DEEPEST = 40;
  private static final DepthLimit DEEPEST_LIST = new DepthLimit(0);

  private static final Object[] NO_VALUES = {};

  /** The treatment of a field. */
  private enum Part {
    /** The field and its value belong to the shape. */
    COPIED,
    /** Its value is an argument. */
    VALUE,
    /** The field is a message with fields of all kinds. */
    NESTED
  }

  private static final class Field {

    private final FieldDescriptor descriptor;
    private final Part part;
    private @Nullable Message nested;

    Field(FieldDescriptor descriptor, Part part) {
      this.descriptor = descriptor;
      this.part = part;
    }
  }

  /** The fields of a message by their numbers, in ascending order. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Message(int[] numbers, Field[] fields) {

    @Nullable Field field(int number) {
      var index = Arrays.binarySearch(numbers, number);
      return index < 0 ? null : fields[index];
    }
  }

  private final Predicate<FieldDescriptor> values;
  private final ConcurrentHashMap<Descriptor, Message> messages = new ConcurrentHashMap<>();

  /**
   * @param values the fields that are arguments
   */
  public RequestSplitter(Predicate<FieldDescriptor> values) {
    this.values = values;
  }

  /**
   * Splits a request.
   *
   * @param method the called method
   * @return null for a request that has to be parsed as a whole
   */
  public RequestShape.@Nullable Split split(Object method, Descriptor type, byte[] request) {
    if (request.length > LONGEST) {
      return null;
    }
    var pass = new Pass(request);
    try {
      return pass.message(message(type), 0) && pass.length <= LONGEST_SHAPE
          ? pass.result(method)
          : null;
    } catch (IOException e) {
      return null; // the parser reports the error
    }
  }

  private Message message(Descriptor type) {
    var known = messages.get(type);
    return known == null ? messages.computeIfAbsent(type, this::layout) : known;
  }

  private Message layout(Descriptor type) {
    var sorted =
        type.getFields().stream()
            .sorted(Comparator.comparingInt(FieldDescriptor::getNumber))
            .toList();
    var numbers = sorted.stream().mapToInt(FieldDescriptor::getNumber).toArray();
    return new Message(numbers, sorted.stream().map(this::field).toArray(Field[]::new));
  }

  private Field field(FieldDescriptor field) {
    if (values.test(field) && field.getJavaType() != FieldDescriptor.JavaType.BOOLEAN) {
      return new Field(field, Part.VALUE);
    }
    var nested = field.getJavaType() == FieldDescriptor.JavaType.MESSAGE;
    return new Field(field, nested ? Part.NESTED : Part.COPIED);
  }

  private Message nested(Field field) {
    var known = field.nested;
    if (known == null) {
      known = message(field.descriptor.getMessageType());
      field.nested = known;
    }
    return known;
  }

  /** The state of one request. */
  private final class Pass {

    private final byte[] request;
    private final CodedInputStream input;
    private final byte[] shape;
    private int length;
    private @Nullable List<Object> found;

    Pass(byte[] request) {
      this.request = request;
      this.input = CodedInputStream.newInstance(request);
      this.shape = new byte[request.length];
    }

    RequestShape.Split result(Object method) {
      return new RequestShape.Split(
          new RequestShape(method, Arrays.copyOf(shape, length)),
          found == null ? NO_VALUES : found.toArray());
    }

    private void copy(int from) {
      var to = input.getTotalBytesRead();
      System.arraycopy(request, from, shape, length, to - from);
      length += to - from;
    }

    /** Returns false for a request that has to be parsed. */
    private boolean message(Message type, int depth) throws IOException {
      var last = 0;
      while (true) {
        var start = input.getTotalBytesRead();
        var tag = input.readTag();
        if (tag == 0) {
          return true;
        }
        var number = WireFormat.getTagFieldNumber(tag);
        var field = type.field(number);
        if (field == null || number < last || (number == last && !field.descriptor.isRepeated())) {
          return false;
        }
        last = number;
        if (!part(field, tag, start, depth)) {
          return false;
        }
      }
    }

    private boolean part(Field field, int tag, int start, int depth) throws IOException {
      return switch (field.part) {
        case COPIED -> {
          var whole = input.skipField(tag);
          copy(start);
          yield whole;
        }
        case VALUE -> {
          copy(start);
          var value = value(field.descriptor, WireFormat.getTagWireType(tag));
          yield value != null && add(value);
        }
        case NESTED -> {
          copy(start);
          yield WireFormat.getTagWireType(tag) == WireFormat.WIRETYPE_LENGTH_DELIMITED
              && depth < DEEPEST
              && within(nested(field), depth + 1);
        }
      };
    }

    private boolean within(Message type, int depth) throws IOException {
      var limit = input.pushLimit(input.readRawVarint32());
      var plain = message(type, depth);
      input.popLimit(limit);
      shape[length++] =
          0; // no tag is 0, so it marks the end of the message, in place of its length
      return plain;
    }

    private boolean add(Object value) {
      if (found == null) {
        found = new ArrayList<>(4);
      }
      return found.add(value);
    }

    /** Returns null for a request that has to be parsed. */
    private @Nullable Object value(FieldDescriptor field, int wireType) throws IOException {
      if (field.isRepeated() || field.getLiteType().getWireType() != wireType) {
        return null;
      }
      return switch (field.getType()) {
        case INT32 -> input.readInt32();
        case INT64 -> input.readInt64();
        case FLOAT -> input.readFloat();
        case DOUBLE -> input.readDouble();
        case STRING -> string(field);
        case BYTES -> input.readBytes();
        case MESSAGE -> list(field.getMessageType());
        default -> null;
      };
    }

    /**
     * Returns the string; null for an empty string in a field without presence, which means that
     * the field is not set, although encoders may write it.
     */
    private @Nullable Object string(FieldDescriptor field) throws IOException {
      var string = input.readStringRequireUtf8();
      return string.isEmpty() && !field.hasPresence() ? null : string;
    }

    private @Nullable Object list(Descriptor type) throws IOException {
      try {
        return MessageParser.parse(type, input.readByteArray(), DEEPEST_LIST);
      } catch (EvitaException e) {
        return null; // checked again, and more exactly, for the whole request
      }
    }
  }
}

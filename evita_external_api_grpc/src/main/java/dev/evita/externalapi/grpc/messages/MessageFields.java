// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.grpc.messages;

import com.google.protobuf.Descriptors.EnumValueDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The fields of a message by their names, which it must have. */
public record MessageFields(Message message) {

  private FieldDescriptor field(String name) {
    return Objects.requireNonNull(message.getDescriptorForType().findFieldByName(name), name);
  }

  public String string(String name) {
    return (String) message.getField(field(name));
  }

  public long number(String name) {
    return ((Number) message.getField(field(name))).longValue();
  }

  public boolean bool(String name) {
    return (Boolean) message.getField(field(name));
  }

  /** The number of an enumeration's value. */
  public int label(String name) {
    return ((EnumValueDescriptor) message.getField(field(name))).getNumber();
  }

  /** A message within it; null where it is absent. */
  public @Nullable MessageFields nested(String name) {
    var field = field(name);
    return message.hasField(field) ? new MessageFields((Message) message.getField(field)) : null;
  }

  public List<MessageFields> all(String name) {
    var all = new ArrayList<MessageFields>();
    for (var each : (List<?>) message.getField(field(name))) {
      all.add(new MessageFields((Message) each));
    }
    return all;
  }

  public List<String> strings(String name) {
    var all = new ArrayList<String>();
    for (var each : (List<?>) message.getField(field(name))) {
      all.add((String) each);
    }
    return all;
  }

  /** Which field of a "oneof" is set; empty for none. */
  public String which(String oneof) {
    for (var each : message.getDescriptorForType().getOneofs()) {
      if (each.getName().equals(oneof)) {
        var set = message.getOneofFieldDescriptor(each);
        return set == null ? "" : set.getName();
      }
    }
    throw new IllegalArgumentException(oneof);
  }
}

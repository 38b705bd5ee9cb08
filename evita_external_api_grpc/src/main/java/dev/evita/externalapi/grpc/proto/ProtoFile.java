// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.grpc.proto;

import com.google.protobuf.DescriptorProtos.DescriptorProto;
import com.google.protobuf.DescriptorProtos.EnumDescriptorProto;
import com.google.protobuf.DescriptorProtos.EnumValueDescriptorProto;
import com.google.protobuf.DescriptorProtos.FieldDescriptorProto;
import com.google.protobuf.DescriptorProtos.FieldDescriptorProto.Label;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.DescriptorProtos.OneofDescriptorProto;
import com.google.protobuf.DescriptorProtos.ServiceDescriptorProto;
import com.google.protobuf.DescriptorProtos.SourceCodeInfo;
import com.google.protobuf.Descriptors.DescriptorValidationException;
import com.google.protobuf.Descriptors.FileDescriptor;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Builds a proto3 file with its comments, which reflection returns as well. Types are named without
 * their package. Used by one thread.
 */
public final class ProtoFile {

  private final FileDescriptorProto.Builder file = FileDescriptorProto.newBuilder();
  private final SourceCodeInfo.Builder comments = SourceCodeInfo.newBuilder();

  /**
   * @param name ends with {@code .proto}
   */
  public ProtoFile(String name, String packageName, @Nullable String comment) {
    file.setName(name).setPackage(packageName).setSyntax("proto3");
    file.getOptionsBuilder()
        .setJavaPackage(packageName + "_")
        .setJavaMultipleFiles(true)
        .setGoPackage("./" + packageName.replace('.', '/'));
    comment(comment, FileDescriptorProto.SYNTAX_FIELD_NUMBER);
  }

  private void comment(@Nullable String text, Integer... path) {
    if (text != null && !text.isBlank()) {
      comments
          .addLocationBuilder()
          .addAllPath(List.of(path))
          .addAllSpan(List.of(0, 0, 0))
          .setLeadingComments(ProtoComments.lines(text));
    }
  }

  /** Adds a message. */
  public Message message(String name, @Nullable String comment) {
    var index = file.getMessageTypeCount();
    comment(comment, FileDescriptorProto.MESSAGE_TYPE_FIELD_NUMBER, index);
    return new Message(file.addMessageTypeBuilder().setName(name), index);
  }

  /** Adds an enumeration whose values are numbered from 0. */
  public void enumeration(String name, @Nullable String comment, String... values) {
    comment(comment, FileDescriptorProto.ENUM_TYPE_FIELD_NUMBER, file.getEnumTypeCount());
    var added = EnumDescriptorProto.newBuilder().setName(name);
    for (int i = 0; i < values.length; i++) {
      added.addValue(EnumValueDescriptorProto.newBuilder().setName(values[i]).setNumber(i));
    }
    file.addEnumType(added);
  }

  /** Adds a service. */
  public Service service(String name, @Nullable String comment) {
    var index = file.getServiceCount();
    comment(comment, FileDescriptorProto.SERVICE_FIELD_NUMBER, index);
    return new Service(file.addServiceBuilder().setName(name), index);
  }

  /** Returns the file, to which nothing may be added afterwards. */
  public FileDescriptor build() {
    for (var message : file.getMessageTypeBuilderList()) {
      presence(message);
    }
    try {
      return FileDescriptor.buildFrom(
          file.setSourceCodeInfo(comments).build(), new FileDescriptor[0]);
    } catch (DescriptorValidationException e) {
      throw new IllegalStateException("the file is not valid", e);
    }
  }

  /**
   * The presence of an optional field is represented by a "oneof" of one field, after all others.
   */
  private static void presence(DescriptorProto.Builder message) {
    for (var field : message.getFieldBuilderList()) {
      if (field.getProto3Optional()) {
        field.setOneofIndex(message.getOneofDeclCount());
        message.addOneofDecl(OneofDescriptorProto.newBuilder().setName("_" + field.getName()));
      }
    }
  }

  /** Returns a type by its name in this file. */
  private String qualified(String type) {
    return "." + file.getPackage() + "." + type;
  }

  /** Builds a message. */
  public final class Message {

    private final DescriptorProto.Builder message;
    private final int index;

    private Message(DescriptorProto.Builder message, int index) {
      this.message = message;
      this.index = index;
    }

    private FieldDescriptorProto.Builder add(
        int number,
        String name,
        FieldDescriptorProto.Type type,
        Label label,
        @Nullable String comment) {
      comment(
          comment,
          FileDescriptorProto.MESSAGE_TYPE_FIELD_NUMBER,
          index,
          DescriptorProto.FIELD_FIELD_NUMBER,
          message.getFieldCount());
      return message
          .addFieldBuilder()
          .setNumber(number)
          .setName(name)
          .setType(type)
          .setLabel(label)
          .setJsonName(ProtoNames.json(name));
    }

    /** Adds an optional field. */
    Message optional(
        int number, String name, FieldDescriptorProto.Type type, @Nullable String comment) {
      add(number, name, type, Label.LABEL_OPTIONAL, comment).setProto3Optional(true);
      return this;
    }

    /** Adds a field with implicit presence: if absent, it has its type's zero value. */
    public Message single(
        int number, String name, FieldDescriptorProto.Type type, @Nullable String comment) {
      add(number, name, type, Label.LABEL_OPTIONAL, comment);
      return this;
    }

    /** Adds a repeated field. */
    public Message repeated(
        int number, String name, FieldDescriptorProto.Type type, @Nullable String comment) {
      add(number, name, type, Label.LABEL_REPEATED, comment);
      return this;
    }

    /** Adds an optional field of a message of this file. */
    public Message message(int number, String name, String type, @Nullable String comment) {
      add(number, name, FieldDescriptorProto.Type.TYPE_MESSAGE, Label.LABEL_OPTIONAL, comment)
          .setTypeName(qualified(type));
      return this;
    }

    /** Adds a repeated field of a message of this file. */
    public Message messages(int number, String name, String type, @Nullable String comment) {
      add(number, name, FieldDescriptorProto.Type.TYPE_MESSAGE, Label.LABEL_REPEATED, comment)
          .setTypeName(qualified(type));
      return this;
    }

    /** Adds a field of an enumeration of this file. */
    public Message label(int number, String name, String type, @Nullable String comment) {
      add(number, name, FieldDescriptorProto.Type.TYPE_ENUM, Label.LABEL_OPTIONAL, comment)
          .setTypeName(qualified(type));
      return this;
    }

    /**
     * Combines the last fields, of the given number, into a "oneof"; to be called before any
     * optional field is added.
     */
    public Message oneOf(String name, int fields) {
      var oneof = message.getOneofDeclCount();
      message.addOneofDecl(OneofDescriptorProto.newBuilder().setName(name));
      var all = message.getFieldBuilderList();
      all.subList(all.size() - fields, all.size()).forEach(field -> field.setOneofIndex(oneof));
      return this;
    }

    /** Reserves a number, which no field may have. */
    Message reserved(int number) {
      message.addReservedRangeBuilder().setStart(number).setEnd(number + 1);
      return this;
    }
  }

  /** Builds a service. */
  public final class Service {

    private final ServiceDescriptorProto.Builder service;
    private final int index;

    private Service(ServiceDescriptorProto.Builder service, int index) {
      this.service = service;
      this.index = index;
    }

    /** Adds a method of messages of this file. */
    public Service method(String name, Flow flow, String request, String response, String comment) {
      comment(
          comment,
          FileDescriptorProto.SERVICE_FIELD_NUMBER,
          index,
          ServiceDescriptorProto.METHOD_FIELD_NUMBER,
          service.getMethodCount());
      var method =
          service
              .addMethodBuilder()
              .setName(name)
              .setInputType(qualified(request))
              .setOutputType(qualified(response));
      // As in protoc, options that are not given are not set.
      if (flow == Flow.CLIENT_STREAM || flow == Flow.BOTH_STREAM) {
        method.setClientStreaming(true);
      }
      if (flow == Flow.SERVER_STREAM || flow == Flow.BOTH_STREAM) {
        method.setServerStreaming(true);
      }
      return this;
    }
  }

  /** The number of messages in each direction. */
  public enum Flow {
    UNARY,
    CLIENT_STREAM,
    SERVER_STREAM,
    BOTH_STREAM
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.grpc.proto;

import com.google.protobuf.DescriptorProtos.DescriptorProto;
import com.google.protobuf.DescriptorProtos.FieldDescriptorProto;
import com.google.protobuf.DescriptorProtos.FieldDescriptorProto.Label;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.DescriptorProtos.MethodDescriptorProto;
import com.google.protobuf.DescriptorProtos.ServiceDescriptorProto;
import com.google.protobuf.Descriptors.FileDescriptor;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Renders a file of {@link ProtoFile} in protoc's syntax. */
public final class ProtoText {

  private final FileDescriptorProto file;
  private final Map<List<Integer>, String> comments = new HashMap<>();
  private final StringBuilder text = new StringBuilder();

  private ProtoText(FileDescriptorProto file) {
    this.file = file;
    file.getSourceCodeInfo()
        .getLocationList()
        .forEach(at -> comments.put(at.getPathList(), at.getLeadingComments()));
  }

  public static String of(FileDescriptor file) {
    return new ProtoText(file.toProto()).print();
  }

  private String print() {
    comment("", FileDescriptorProto.SYNTAX_FIELD_NUMBER);
    text.append("syntax = \"proto3\";\n\npackage ").append(file.getPackage()).append(";\n\n");
    var options = file.getOptions();
    text.append("option go_package = \"").append(options.getGoPackage()).append("\";\n");
    text.append("option java_multiple_files = true;\n");
    text.append("option java_package = \"").append(options.getJavaPackage()).append("\";\n");
    for (int i = 0; i < file.getServiceCount(); i++) {
      service(i, file.getService(i));
    }
    for (int i = 0; i < file.getMessageTypeCount(); i++) {
      message(i, file.getMessageType(i));
    }
    for (int i = 0; i < file.getEnumTypeCount(); i++) {
      var type = file.getEnumType(i);
      text.append('\n');
      comment("", FileDescriptorProto.ENUM_TYPE_FIELD_NUMBER, i);
      text.append("enum ").append(type.getName()).append(" {\n");
      for (var value : type.getValueList()) {
        text.append("  ").append(value.getName()).append(" = ").append(value.getNumber());
        text.append(";\n");
      }
      text.append("}\n");
    }
    return text.toString();
  }

  private void comment(String indent, Integer... path) {
    var comment = comments.getOrDefault(List.of(path), "");
    comment.lines().forEach(line -> text.append(indent).append("//").append(line).append('\n'));
  }

  private void service(int index, ServiceDescriptorProto service) {
    text.append('\n');
    comment("", FileDescriptorProto.SERVICE_FIELD_NUMBER, index);
    text.append("service ").append(service.getName()).append(" {\n");
    for (int i = 0; i < service.getMethodCount(); i++) {
      text.append(i == 0 ? "" : "\n");
      comment(
          "  ",
          FileDescriptorProto.SERVICE_FIELD_NUMBER,
          index,
          ServiceDescriptorProto.METHOD_FIELD_NUMBER,
          i);
      method(service.getMethod(i));
    }
    text.append("}\n");
  }

  private void method(MethodDescriptorProto method) {
    text.append("  rpc ").append(method.getName()).append('(');
    text.append(method.getClientStreaming() ? "stream " : "").append(local(method.getInputType()));
    text.append(") returns (").append(method.getServerStreaming() ? "stream " : "");
    text.append(local(method.getOutputType())).append(");\n");
  }

  /**
   * Types are referenced by their simple names, as all are of this file's package, and none is
   * nested.
   */
  private static String local(String type) {
    return type.substring(type.lastIndexOf('.') + 1);
  }

  private void message(int index, DescriptorProto message) {
    text.append('\n');
    comment("", FileDescriptorProto.MESSAGE_TYPE_FIELD_NUMBER, index);
    text.append("message ").append(message.getName()).append(" {\n");
    if (message.getReservedRangeCount() > 0) {
      var numbers =
          message.getReservedRangeList().stream().map(range -> "" + range.getStart()).toList();
      text.append("  reserved ").append(String.join(", ", numbers)).append(";\n");
    }
    var open = new ArrayList<Integer>();
    for (int i = 0; i < message.getFieldCount(); i++) {
      var field = message.getField(i);
      var oneof = field.hasOneofIndex() && !field.getProto3Optional() ? field.getOneofIndex() : -1;
      close(open, oneof);
      if (oneof >= 0 && open.isEmpty()) {
        open.add(oneof);
        text.append("  oneof ").append(message.getOneofDecl(oneof).getName()).append(" {\n");
      }
      field(open.isEmpty() ? "  " : "    ", field, index, i);
    }
    close(open, -1);
    text.append("}\n");
  }

  private void close(List<Integer> open, int next) {
    if (!open.isEmpty() && open.getFirst() != next) {
      text.append("  }\n");
      open.clear();
    }
  }

  private void field(String indent, FieldDescriptorProto field, int message, int index) {
    comment(
        indent,
        FileDescriptorProto.MESSAGE_TYPE_FIELD_NUMBER,
        message,
        DescriptorProto.FIELD_FIELD_NUMBER,
        index);
    text.append(indent);
    if (field.getLabel() == Label.LABEL_REPEATED) {
      text.append("repeated ");
    } else if (field.getProto3Optional()) {
      text.append("optional ");
    }
    var named =
        field.getType() == FieldDescriptorProto.Type.TYPE_MESSAGE
            || field.getType() == FieldDescriptorProto.Type.TYPE_ENUM;
    var keyword = field.getType().name().substring("TYPE_".length()).toLowerCase(Locale.ROOT);
    text.append(named ? local(field.getTypeName()) : keyword).append(' ');
    text.append(field.getName()).append(" = ").append(field.getNumber()).append(";\n");
  }
}

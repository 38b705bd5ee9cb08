// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.grpc.proto;

import com.google.protobuf.DescriptorProtos.FieldDescriptorProto;
import dev.evita.api.DataType;

/**
 * The representation of a column's values in messages. As in Cloud Spanner's API, a type without an
 * exact counterpart in protobuf (decimals, dates and times, UUIDs, JSON, intervals, labels) is a
 * string, in the form of {@link dev.evita.api.Values}.
 */
public enum ProtoKind {
  BOOL("Bool", "bool"),
  INT32("Int32", "integer"),
  INT64("Int64", "integer"),
  FLOAT("Float", "float"),
  DOUBLE("Double", "double"),
  BYTES("Bytes", "bytes"),
  TEXT("Text", "string"),
  /** A string that represents another value. */
  STRING("String", "string"),
  JSON("Json", "string"),
  /** The message {@code AnyArray}, as elements may be null or lists. */
  ARRAY("Array", "array");

  private final String title;
  private final String wire;

  ProtoKind(String title, String wire) {
    this.title = title;
    this.wire = wire;
  }

  public static ProtoKind of(DataType type) {
    return switch (type) {
      case DataType.Scalar scalar ->
          switch (scalar) {
            case BOOLEAN -> BOOL;
            case INT16, INT32 -> INT32;
            case INT64 -> INT64;
            case FLOAT32 -> FLOAT;
            case FLOAT64 -> DOUBLE;
            case BINARY -> BYTES;
            case TEXT -> TEXT;
            case JSON -> JSON;
            case DECIMAL, DATE, TIME, TIME_TZ, TIMESTAMP, TIMESTAMP_TZ, INTERVAL, UUID -> STRING;
          };
      case DataType.Enumeration labels -> STRING;
      case DataType.Other other -> STRING;
      case DataType.Array array -> ARRAY;
    };
  }

  FieldDescriptorProto.Type type() {
    return switch (this) {
      case BOOL -> FieldDescriptorProto.Type.TYPE_BOOL;
      case INT32 -> FieldDescriptorProto.Type.TYPE_INT32;
      case INT64 -> FieldDescriptorProto.Type.TYPE_INT64;
      case FLOAT -> FieldDescriptorProto.Type.TYPE_FLOAT;
      case DOUBLE -> FieldDescriptorProto.Type.TYPE_DOUBLE;
      case BYTES -> FieldDescriptorProto.Type.TYPE_BYTES;
      case TEXT, STRING, JSON -> FieldDescriptorProto.Type.TYPE_STRING;
      case ARRAY -> FieldDescriptorProto.Type.TYPE_MESSAGE;
    };
  }

  /** The prefix of the names of messages about such values. */
  String title() {
    return title;
  }

  /**
   * The wire compatibility class of a field: type changes within it keep the field's number, as
   * existing clients can still read it.
   */
  String wire() {
    return wire;
  }
}

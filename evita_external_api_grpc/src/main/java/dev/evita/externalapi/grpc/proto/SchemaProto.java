// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.grpc.proto;

import com.google.protobuf.DescriptorProtos.FieldDescriptorProto;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FileDescriptor;
import dev.evita.api.Capability;
import dev.evita.api.Catalog;
import dev.evita.api.Schema;
import dev.evita.api.TableName;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * A schema as a protobuf file: a service for each table, their messages, and the types that these
 * share. It imports nothing, so that the one file is enough for any generator. Immutable.
 */
public record SchemaProto(FileDescriptor file, Map<TableName, TableProto> tables) {

  /**
   * Generates the file of a schema.
   *
   * @param capabilities those of the engine: what it lacks is not in the file
   */
  public static SchemaProto of(
      Catalog catalog, Set<Capability> capabilities, Schema schema, FieldNumbers numbers) {
    var names = numbers.names();
    var packageName = Objects.requireNonNull(names.packages().get(schema.name()));
    var tables = new LinkedHashMap<TableName, TableProto>();
    for (var table : schema.tables()) {
      tables.put(table.name(), TableProto.of(catalog, capabilities, table, numbers));
    }
    var comment = ProtoComments.of(schema, catalog.apiName(schema), packageName, numbers.kept());
    var file = new ProtoFile(packageName + ".proto", packageName, comment);
    tables.values().forEach(each -> each.service(file));
    tables
        .values()
        .forEach(each ->
            each.messages(
                file,
                related -> Objects.requireNonNull(tables.get(related.relationship().to())).base()));
    shared(file, capabilities);
    return new SchemaProto(file.build(), tables);
  }

  private static void shared(ProtoFile file, Set<Capability> capabilities) {
    for (var kind : ProtoKind.values()) {
      comparison(file, kind, capabilities);
    }
    file.message("OrderTerm", "A term of an order.")
        .single(1, "column", FieldDescriptorProto.Type.TYPE_STRING, "A field of the row.")
        .single(2, "descending", FieldDescriptorProto.Type.TYPE_BOOL, null)
        .label(3, "nulls", "NullsOrder", null);
    nullsOrder(file);
    file.message("InsertManyResponse", null)
        .single(1, "inserted", FieldDescriptorProto.Type.TYPE_INT64, "How many rows.");
    file.enumeration(
        "ChangeKind",
        "RESET: what was seen before counts no more, all rows follow. READY: that was all for now.",
        "CHANGE_UNKNOWN",
        "RESET",
        "INSERT",
        "UPDATE",
        "DELETE",
        "READY");
    values(file);
  }

  /** Writes the enumeration of null orders. */
  public static void nullsOrder(ProtoFile file) {
    file.enumeration(
        "NullsOrder", "Largest of all by default.", "NULLS_DEFAULT", "NULLS_FIRST", "NULLS_LAST");
  }

  /** Writes messages for values of any type. */
  public static void values(ProtoFile file) {
    file.message("AnyArray", "A list whose elements may be null, or lists.")
        .messages(1, "values", "AnyValue", null);
    file.message("AnyValue", "Null where nothing is set.")
        .single(1, "bool_value", FieldDescriptorProto.Type.TYPE_BOOL, null)
        .single(2, "int_value", FieldDescriptorProto.Type.TYPE_INT64, null)
        .single(3, "double_value", FieldDescriptorProto.Type.TYPE_DOUBLE, null)
        .single(4, "string_value", FieldDescriptorProto.Type.TYPE_STRING, null)
        .single(5, "bytes_value", FieldDescriptorProto.Type.TYPE_BYTES, null)
        .message(6, "array_value", "AnyArray", null)
        .oneOf("kind", 6);
  }

  private static void comparison(ProtoFile file, ProtoKind kind, Set<Capability> capabilities) {
    var tests = file.message(kind.title() + "Comparison", "All that is given must hold.");
    var values = new ArrayList<String>();
    for (var test : ColumnTest.values()) {
      var required = test.capability(kind);
      if (!test.suits(kind) || (required != null && !capabilities.contains(required))) {
        continue;
      }
      if (test.ofList()) {
        tests.message(test.number(), test.field(), kind.title() + "List", test.comment());
        values.add(test.field());
      } else if (test == ColumnTest.IS_NULL) {
        tests.optional(
            test.number(), test.field(), FieldDescriptorProto.Type.TYPE_BOOL, test.comment());
      } else if (kind == ProtoKind.ARRAY) {
        tests.message(test.number(), test.field(), "AnyArray", test.comment());
      } else {
        tests.optional(test.number(), test.field(), kind.type(), test.comment());
      }
    }
    if (!values.isEmpty()) {
      file.message(kind.title() + "List", null).repeated(1, "values", kind.type(), null);
    }
  }

  /** Returns a message of this file. */
  public Descriptor message(String name) {
    return Objects.requireNonNull(file.findMessageTypeByName(name), name);
  }
}

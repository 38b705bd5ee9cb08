// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.grpc.proto;

import com.google.protobuf.DescriptorProtos.FieldDescriptorProto;
import dev.evita.api.Capability;
import dev.evita.api.Catalog;
import dev.evita.api.Column;
import dev.evita.api.Key;
import dev.evita.api.Relationship;
import dev.evita.api.Table;
import dev.evita.externalapi.grpc.proto.ProtoFile.Flow;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The service and messages of a table: names, numbers, and their generation into a {@link
 * ProtoFile}. Immutable.
 *
 * @param methods the methods of its service that the engine supports
 * @param base the prefix of its messages' names, and the service's name
 * @param comment the comment of its service and its rows; may be empty
 * @param columns in the database's order
 * @param relationships those that filters can follow
 * @param gone numbers of removed fields
 */
public record TableProto(
    Table table,
    List<String> methods,
    String base,
    String comment,
    List<Field> columns,
    List<Related> relationships,
    List<Integer> gone) {

  /** Numbers of a filter's fields that are not columns: the largest possible ones. */
  private static final int NONE_OF = (1 << 29) - 1;

  private static final int ANY_OF = NONE_OF - 1;
  private static final int ALL_OF = NONE_OF - 2;

  /** A column as a field. */
  public record Field(Column column, String name, int number, ProtoKind kind, String comment) {}

  /** A relationship as a field of filters. */
  public record Related(Relationship relationship, String name, int number) {}

  public TableProto {
    methods = List.copyOf(methods);
    columns = List.copyOf(columns);
    relationships = List.copyOf(relationships);
    gone = List.copyOf(gone);
  }

  /** Returns the messages of a table. */
  static TableProto of(
      Catalog catalog, Set<Capability> capabilities, Table table, FieldNumbers numbers) {
    var base = numbers.names().of(table.name()).base();
    var comment = ProtoComments.of(table, catalog.bareApiName(table.name()), base);
    var names = ProtoNames.Scope.ofFields();
    List.of("all_of", "any_of", "none_of").forEach(names::take);
    var columns = new ArrayList<Field>();
    for (var column : table.columns()) {
      var apiName = catalog.apiName(table.name(), column.name());
      var name = names.take(ProtoNames.field(apiName));
      var number = numbers.of(table.name(), column.name());
      var comments = ProtoComments.of(column, apiName, name);
      columns.add(new Field(column, name, number, ProtoKind.of(column.type()), comments));
    }
    var relationships = new ArrayList<Related>();
    var related =
        capabilities.contains(Capability.FILTER_BY_RELATIONSHIP)
            ? catalog.relationships(table.name())
            : List.<Relationship>of();
    for (var each : related) {
      if (each.to().schema().equals(table.name().schema())) {
        var name = names.take(ProtoNames.field(each.name()));
        var number = numbers.of(table.name(), FieldNumbers.ARROW + each.name());
        relationships.add(new Related(each, name, number));
      }
    }
    var methods =
        ServiceNames.methods(table).stream()
            .filter(method -> capabilities.containsAll(required(method)))
            .toList();
    return new TableProto(
        table, methods, base, comment, columns, relationships, numbers.gone(table.name()));
  }

  /** Returns the column of a field's name; null for none. */
  public @Nullable Field field(String name) {
    return columns.stream().filter(each -> each.name().equals(name)).findFirst().orElse(null);
  }

  /** Returns the field of a column. */
  public Field of(String column) {
    return columns.stream()
        .filter(each -> each.column().name().equals(column))
        .findFirst()
        .orElseThrow();
  }

  /** Returns the fields of the primary key; empty if there is none. */
  public List<Field> key() {
    var key = table.primaryKey();
    return key == null ? List.of() : key.columns().stream().map(this::of).toList();
  }

  /**
   * Returns the columns of a total order of the rows: the primary key, else a unique key without
   * nullable columns.
   */
  public @Nullable Key identity() {
    return table.primaryKey() != null
        ? table.primaryKey()
        : table.uniqueKeys().stream()
            .filter(key -> key.columns().stream().noneMatch(name -> of(name).column().nullable()))
            .findFirst()
            .orElse(null);
  }

  /** The capabilities that a method always needs. */
  private static Set<Capability> required(String method) {
    return switch (method) {
      case "List" -> Set.of(Capability.KEYSET);
      case "Insert" -> Set.of(Capability.TRANSACTIONS, Capability.INSERT, Capability.RETURNING);
      case "InsertMany" -> Set.of(Capability.TRANSACTIONS, Capability.INSERT);
      case "Update" -> Set.of(Capability.TRANSACTIONS, Capability.UPDATE, Capability.RETURNING);
      case "Delete" -> Set.of(Capability.TRANSACTIONS, Capability.DELETE, Capability.RETURNING);
      default -> Set.of();
    };
  }

  private boolean keyed() {
    return table.primaryKey() != null;
  }

  /** Writes the service. */
  void service(ProtoFile file) {
    var service = file.service(base, comment);
    methods.forEach(name -> method(service, name));
  }

  private void method(ProtoFile.Service service, String name) {
    var row = base + "Row";
    var request = base + name + "Request";
    switch (name) {
      case "Get" ->
          service.method(name, Flow.UNARY, request, row, "The row of a key, or NOT_FOUND.");
      case "List" ->
          service.method(
              name,
              Flow.UNARY,
              request,
              base + "ListResponse",
              "A page of rows; next_page_token leads to the next.");
      case "Scan" ->
          service.method(
              name,
              Flow.SERVER_STREAM,
              request,
              row,
              "All rows that pass, read while they are sent.");
      case "Watch" ->
          service.method(
              name,
              Flow.SERVER_STREAM,
              request,
              base + "Change",
              "All rows that pass, then each change of them, until the client leaves.");
      case "Insert" ->
          service.method(name, Flow.UNARY, request, row, "Inserts a row and returns it as stored.");
      case "InsertMany" ->
          service.method(
              name,
              Flow.CLIENT_STREAM,
              base + "InsertRequest",
              "InsertManyResponse",
              "Adds all rows in one transaction: all of them or none.");
      case "Update" ->
          service.method(
              name,
              Flow.UNARY,
              request,
              row,
              "Updates the row of a key and returns it as stored, or NOT_FOUND.");
      case "Delete" ->
          service.method(
              name,
              Flow.UNARY,
              request,
              row,
              "Deletes the row of a key and returns it as it was, or NOT_FOUND.");
      default -> throw new IllegalStateException("no method is called " + name);
    }
  }

  /**
   * Writes the messages.
   *
   * @param other the base of a related table's messages
   */
  void messages(ProtoFile file, java.util.function.Function<Related, String> other) {
    var row = file.message(base + "Row", comment);
    gone.forEach(row::reserved);
    columns.forEach(each -> value(row, each, each.comment()));
    if (keyed()) {
      var key = file.message(base + "Key", "Identifies a row.");
      key().forEach(each -> value(key, each, null));
    }
    filter(file, other);
    reads(file);
    writes(file);
  }

  private static void value(ProtoFile.Message message, Field field, @Nullable String comment) {
    if (field.kind() == ProtoKind.ARRAY) {
      message.message(field.number(), field.name(), "AnyArray", comment);
    } else {
      message.optional(field.number(), field.name(), field.kind().type(), comment);
    }
  }

  private void filter(ProtoFile file, java.util.function.Function<Related, String> other) {
    var list = base + "FilterList";
    var filter = file.message(base + "Filter", "Rows for which all that is given holds.");
    gone.forEach(filter::reserved);
    columns.forEach(each ->
        filter.message(each.number(), each.name(), each.kind().title() + "Comparison", null));
    relationships.forEach(each ->
        filter.message(
            each.number(),
            each.name(),
            other.apply(each) + "Filter",
            ProtoComments.of(each.relationship(), each.name())));
    filter
        .message(ALL_OF, "all_of", list, null)
        .message(ANY_OF, "any_of", list, null)
        .message(NONE_OF, "none_of", list, null);
    file.message(list, null).messages(1, "filters", base + "Filter", null);
  }

  private void reads(ProtoFile file) {
    var columnsWanted = "The fields to be read; all of them where none is named.";
    if (keyed()) {
      file.message(base + "GetRequest", null)
          .message(1, "key", base + "Key", null)
          .repeated(2, "columns", FieldDescriptorProto.Type.TYPE_STRING, columnsWanted);
    }
    if (methods.contains("List")) {
      listRequest(file, columnsWanted);
    }
    file.message(base + "ScanRequest", null)
        .message(1, "filter", base + "Filter", null)
        .messages(2, "order", "OrderTerm", null)
        .single(
            3,
            "limit",
            FieldDescriptorProto.Type.TYPE_INT64,
            "At most so many rows; all of them where it is 0.")
        .repeated(5, "columns", FieldDescriptorProto.Type.TYPE_STRING, columnsWanted);
    if (keyed()) {
      file.message(base + "WatchRequest", null)
          .message(1, "filter", base + "Filter", null)
          .repeated(5, "columns", FieldDescriptorProto.Type.TYPE_STRING, columnsWanted)
          .single(
              6,
              "position",
              FieldDescriptorProto.Type.TYPE_STRING,
              "Of the last change that was seen: what came after it follows, or RESET.")
          .single(
              7,
              "changes_only",
              FieldDescriptorProto.Type.TYPE_BOOL,
              "Not the rows that are there already.");
      file.message(base + "Change", null)
          .label(1, "kind", "ChangeKind", null)
          .message(2, "key", base + "Key", "Of the row that is meant.")
          .message(3, "row", base + "Row", "As it is now; absent for DELETE.")
          .single(
              4,
              "position",
              FieldDescriptorProto.Type.TYPE_STRING,
              "The position to resume at after this change.");
    }
  }

  private void listRequest(ProtoFile file, String columnsWanted) {
    file.message(base + "ListRequest", null)
        .message(1, "filter", base + "Filter", null)
        .messages(2, "order", "OrderTerm", "By the key where none is given.")
        .single(
            3,
            "page_size",
            FieldDescriptorProto.Type.TYPE_INT32,
            "At most so many rows; 100 where it is 0.")
        .single(
            4,
            "page_token",
            FieldDescriptorProto.Type.TYPE_STRING,
            "The next_page_token of the page before, with filter and order as they were.")
        .repeated(5, "columns", FieldDescriptorProto.Type.TYPE_STRING, columnsWanted);
    file.message(base + "ListResponse", null)
        .messages(1, "rows", base + "Row", null)
        .single(
            2, "next_page_token", FieldDescriptorProto.Type.TYPE_STRING, "Empty on the last page.");
  }

  private void writes(ProtoFile file) {
    if (methods.contains("InsertMany")) {
      insertRequest(file);
    }
    if (methods.contains("Update")) {
      file.message(base + "UpdateRequest", null)
          .message(1, "key", base + "Key", null)
          .message(2, "row", base + "Row", "What is absent stays as it is.")
          .repeated(
              3, "nulls", FieldDescriptorProto.Type.TYPE_STRING, "Fields that are to become null.");
    }
    if (methods.contains("Delete")) {
      file.message(base + "DeleteRequest", null).message(1, "key", base + "Key", null);
    }
  }

  private void insertRequest(ProtoFile file) {
    file.message(base + "InsertRequest", null)
        .message(1, "row", base + "Row", "What is absent gets its default.")
        .repeated(
            2,
            "nulls",
            FieldDescriptorProto.Type.TYPE_STRING,
            "Fields that are to be null rather than that.");
  }
}

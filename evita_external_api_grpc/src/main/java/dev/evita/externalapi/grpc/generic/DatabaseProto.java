// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.grpc.generic;

import com.google.protobuf.DescriptorProtos.FieldDescriptorProto;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FileDescriptor;
import dev.evita.externalapi.grpc.proto.ColumnTest;
import dev.evita.externalapi.grpc.proto.ProtoFile;
import dev.evita.externalapi.grpc.proto.ProtoFile.Flow;
import dev.evita.externalapi.grpc.proto.SchemaProto;
import java.util.Objects;

/** The file of the generic service, whose messages refer to tables and columns by name. */
public final class DatabaseProto {

  static final String PACKAGE = "evita.v1";
  static final String SERVICE = PACKAGE + ".Database";

  private static final FieldDescriptorProto.Type STRING = FieldDescriptorProto.Type.TYPE_STRING;
  private static final FieldDescriptorProto.Type BOOL = FieldDescriptorProto.Type.TYPE_BOOL;
  private static final FieldDescriptorProto.Type INT64 = FieldDescriptorProto.Type.TYPE_INT64;

  public static final FileDescriptor FILE = file();

  private DatabaseProto() {}

  static Descriptor message(String name) {
    return Objects.requireNonNull(FILE.findMessageTypeByName(name), name);
  }

  private static FileDescriptor file() {
    var file =
        new ProtoFile(
            "evita.v1.proto",
            PACKAGE,
            "For clients that learn the tables at run time. Tables and columns are named as in"
                + " all APIs;\nthe schema may be left out where it is the default one.");
    service(file);
    catalog(file);
    values(file);
    filters(file);
    queries(file);
    mutations(file);
    transactions(file);
    return file.build();
  }

  private static void service(ProtoFile file) {
    file.service("Database", "Any table of the database.")
        .method(
            "Catalog", Flow.UNARY, "CatalogRequest", "CatalogResponse", "What tables there are.")
        .method(
            "Query",
            Flow.SERVER_STREAM,
            "QueryRequest",
            "QueryResponse",
            "Rows, read while they are sent. The first message has the columns.")
        .method(
            "Mutate",
            Flow.UNARY,
            "MutateRequest",
            "MutateResponse",
            "Adds, changes or removes rows, in a transaction.")
        .method(
            "Transaction",
            Flow.BOTH_STREAM,
            "TransactionRequest",
            "TransactionResponse",
            "Queries and mutations in one transaction, each of which is answered before the next is"
                + " run.\nWhatever fails, and a stream that ends without commit, undoes all of it.");
  }

  private static void catalog(ProtoFile file) {
    file.message("CatalogRequest", null).single(1, "schema", STRING, "All schemas if it is empty.");
    file.message("CatalogResponse", null).messages(1, "schemas", "Schema", null);
    file.message("Schema", null)
        .single(1, "name", STRING, null)
        .messages(2, "tables", "Table", null)
        .single(3, "comment", STRING, null)
        .single(4, "is_default", BOOL, "Whether its name may be left out.");
    file.message("Table", null)
        .single(1, "name", STRING, null)
        .single(2, "is_view", BOOL, null)
        .messages(3, "columns", "Column", null)
        .repeated(4, "primary_key", STRING, null)
        .messages(5, "relationships", "Relationship", null)
        .single(6, "comment", STRING, null);
    file.message("Column", null)
        .single(1, "name", STRING, null)
        .label(2, "type", "Type", null)
        .single(3, "native_type", STRING, "As the database writes it.")
        .single(4, "nullable", BOOL, null)
        .single(5, "writable", BOOL, "Whether an insert may give it.")
        .single(6, "required", BOOL, "Whether an insert must give it.")
        .single(7, "comment", STRING, null)
        .repeated(8, "labels", STRING, "Of an enumeration.");
    file.message("Relationship", null)
        .single(1, "name", STRING, null)
        .repeated(2, "columns", STRING, null)
        .single(3, "schema", STRING, "Of the other table.")
        .single(4, "table", STRING, "The other table.")
        .repeated(5, "other_columns", STRING, null)
        .single(6, "is_single", BOOL, "Whether it leads to one row at most.");
    file.enumeration(
        "Type", "Those from DECIMAL on are strings in an AnyValue.", DatabaseTypes.NAMES);
  }

  private static void values(ProtoFile file) {
    SchemaProto.values(file);
    file.message("Row", null).messages(1, "values", "AnyValue", "One for each column.");
  }

  private static void filters(ProtoFile file) {
    file.message("Filter", "Which rows; all of them where nothing is set.")
        .message(1, "compare", "Comparison", null)
        .message(2, "all_of", "FilterList", null)
        .message(3, "any_of", "FilterList", null)
        .message(4, "none_of", "FilterList", null)
        .message(5, "related", "Related", "At least one related row passes.")
        .oneOf("kind", 5);
    file.message("FilterList", null).messages(1, "filters", "Filter", null);
    file.message("Comparison", null)
        .single(1, "column", STRING, null)
        .label(2, "operator", "Operator", null)
        .message(3, "value", "AnyValue", "An array for ONE_OF and NOT_ONE_OF; a bool for IS_NULL.");
    file.message("Related", null)
        .single(1, "relationship", STRING, null)
        .message(2, "filter", "Filter", null);
    var operators = new String[ColumnTest.values().length + 1];
    operators[0] = "OPERATOR_UNKNOWN";
    for (var test : ColumnTest.values()) {
      operators[test.number()] = test.name();
    }
    file.enumeration("Operator", null, operators);
    file.message("OrderTerm", "A term of an order.")
        .single(1, "column", STRING, null)
        .single(2, "descending", BOOL, null)
        .label(3, "nulls", "NullsOrder", null);
    SchemaProto.nullsOrder(file);
  }

  private static void queries(ProtoFile file) {
    file.message("QueryRequest", null)
        .single(1, "schema", STRING, null)
        .single(2, "table", STRING, null)
        .repeated(3, "columns", STRING, "All of them where none is named.")
        .message(4, "filter", "Filter", null)
        .messages(5, "order", "OrderTerm", null)
        .single(6, "limit", INT64, "At most so many rows; all of them where it is 0.")
        .single(7, "offset", INT64, "Skips so many rows.");
    file.message("QueryResponse", null)
        .messages(1, "columns", "Column", "In the first message alone.")
        .messages(2, "rows", "Row", null);
  }

  private static void mutations(ProtoFile file) {
    file.message("MutateRequest", null)
        .message(1, "insert", "Insert", null)
        .message(2, "update", "Update", null)
        .message(3, "delete", "Delete", null)
        .oneOf("kind", 3);
    file.message("Insert", null)
        .single(1, "schema", STRING, null)
        .single(2, "table", STRING, null)
        .repeated(3, "columns", STRING, "What the rows give; all else gets its default.")
        .messages(4, "rows", "Row", null)
        .message(5, "on_conflict", "OnConflict", null)
        .repeated(6, "returning", STRING, "Columns of the written rows to return.");
    file.message("OnConflict", "What becomes of a row whose key exists.")
        .repeated(1, "key", STRING, "The columns of a primary or unique key.")
        .repeated(2, "update", STRING, "Columns set from the new row; none to leave the old one.");
    file.message("Update", null)
        .single(1, "schema", STRING, null)
        .single(2, "table", STRING, null)
        .messages(3, "set", "Assignment", null)
        .message(4, "filter", "Filter", null)
        .repeated(5, "returning", STRING, null)
        .single(6, "all_rows", BOOL, "Must be set where there is no filter.");
    file.message("Assignment", null)
        .single(1, "column", STRING, null)
        .message(2, "value", "AnyValue", "Null where it is absent.");
    file.message("Delete", null)
        .single(1, "schema", STRING, null)
        .single(2, "table", STRING, null)
        .message(4, "filter", "Filter", null)
        .repeated(5, "returning", STRING, null)
        .single(6, "all_rows", BOOL, "Must be set where there is no filter.");
    file.message("MutateResponse", null)
        .single(1, "affected", INT64, "How many rows were written.")
        .messages(2, "columns", "Column", "What was to be returned.")
        .messages(3, "rows", "Row", null);
  }

  private static void transactions(ProtoFile file) {
    file.message("TransactionRequest", null)
        .message(1, "begin", "Begin", "Optional first message: the options of the transaction.")
        .message(2, "query", "QueryRequest", null)
        .message(3, "mutate", "MutateRequest", null)
        .message(4, "commit", "Commit", "The last: the stream ends.")
        .message(5, "rollback", "Rollback", "The last: the stream ends.")
        .oneOf("kind", 5);
    file.message("Begin", null)
        .label(1, "isolation", "Isolation", null)
        .single(2, "read_only", BOOL, null);
    file.enumeration(
        "Isolation", null, "DEFAULT", "READ_COMMITTED", "REPEATABLE_READ", "SERIALIZABLE");
    file.message("Commit", null);
    file.message("Rollback", null);
    file.message("TransactionResponse", null)
        .message(1, "query", "QueryResponse", "Several for one query.")
        .message(2, "mutate", "MutateResponse", null)
        .oneOf("kind", 2)
        .single(3, "done", BOOL, "This was the last message for the request.");
  }
}

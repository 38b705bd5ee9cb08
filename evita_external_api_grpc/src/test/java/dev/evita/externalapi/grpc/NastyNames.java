// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.grpc;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * A database of names that SQL allows, and protobuf, its generators or the languages they write do
 * not; and of names that become the same one there.
 */
final class NastyNames {

  private static final List<String> NAMES =
      List.of(
          "message",
          "option",
          "package",
          "service",
          "rpc",
          "stream",
          "oneof",
          "optional",
          "enum",
          "reserved",
          "syntax",
          "import",
          "string",
          "bytes",
          "int32",
          "map",
          "class",
          "from",
          "and",
          "None",
          "def",
          "lambda",
          "self",
          "object",
          "string_value",
          "descriptor",
          "foo_bar",
          "fooBar",
          "foobar",
          "Foo Bar",
          "foo-bar",
          "my table",
          "quo\"te",
          "it's",
          "1st",
          "2nd",
          "日本",
          "Größe",
          "ÜBER",
          "😀",
          "_",
          "__",
          "_lead",
          "trail_",
          "a.b",
          "//",
          "/*",
          "*/",
          "\\",
          "%s",
          "new\nline {",
          "line\u2028separator",
          "next\u0085line",
          "$",
          "int",
          "long",
          "Integer",
          "Object",
          "Class",
          "java",
          "com",
          "google",
          "std",
          "namespace",
          "id_list",
          "all_of",
          "none_of",
          "any_of",
          "rows",
          "key",
          "row",
          "nulls",
          "next_page_token");

  private static final List<String> TABLES_ALONE =
      List.of(
          "products",
          "products_row",
          "productsRow",
          "products_key",
          "products_filter",
          "products_filter_list",
          "products_get_request",
          "products_change",
          "array",
          "value",
          "order",
          "int64_list",
          "int64",
          "text_comparison",
          "nulls_order",
          "change_kind",
          "insert_many_response",
          "INSERT",
          "UPDATE",
          "DELETE",
          "RESET",
          "READY",
          "public_",
          "Grpc",
          "list",
          "scan",
          "get",
          "watch",
          "NULLS_FIRST",
          "CHANGE_UNKNOWN");

  private static final List<String> COLUMNS_ALONE =
      List.of(
          "name",
          "name_bytes",
          "name_count",
          "has_name",
          "get_name",
          "clear_name",
          "merge_from",
          "serialized_size",
          "unknown_fields",
          "descriptor_for_type",
          "default_instance",
          "parser_for_type",
          "all_fields",
          "initialized",
          "hash_code",
          "to_string",
          "clone",
          "DESCRIPTOR",
          "WhichOneof",
          "ListFields",
          "name_builder",
          "name_or_builder");

  private NastyNames() {}

  /**
   * A table for each name, the first with a column for each name; a view; one without a key.
   *
   * @param kind of the database, as SQLite ignores case
   */
  static String script(String kind) {
    var tables = names(kind, TABLES_ALONE);
    var columns = names(kind, COLUMNS_ALONE);
    var script = new StringBuilder();
    for (int i = 0; i < tables.size(); i++) {
      // All columns in every table would slow down the compilers without testing more.
      var some = i == 0 ? columns : columns.subList(0, 3);
      script.append("create table ").append(quoted(tables.get(i))).append(" (id int primary key");
      some.forEach(column -> script.append(", ").append(quoted(column)).append(" varchar(20)"));
      script.append(");\n");
    }
    script.append("create view \"the view\" as select * from \"class\";\n");
    script.append("create table \"no key\" (\"class\" int);\n");
    script.append(
        "create table \"parts of\" (\"from\" int not null references \"class\" (id), \"None\" int"
            + " not null references \"from\" (id), primary key (\"from\", \"None\"));\n");
    return script.toString();
  }

  private static List<String> names(String kind, List<String> alone) {
    var names = new LinkedHashMap<String, String>();
    for (var name : Stream.concat(NAMES.stream(), alone.stream()).toList()) {
      names.putIfAbsent(kind.equals("sqlite") ? name.toLowerCase(Locale.ROOT) : name, name);
    }
    return List.copyOf(names.values());
  }

  /** Many tables, and one of many columns. */
  static String large() {
    var script = new StringBuilder();
    for (int i = 0; i < 600; i++) {
      script.append(
          "create table t%d (id int primary key, name varchar(9), t%d_id int references t%d (id));\n"
              .formatted(i, i / 2, i / 2));
    }
    script.append("create table wide (id int primary key");
    for (int i = 0; i < 300; i++) {
      script.append(", c%d varchar(9)".formatted(i));
    }
    return script.append(");\n").toString();
  }

  /** Schemas whose names are no packages as they are. */
  static String schemas() {
    var script = new StringBuilder();
    var names =
        List.of(
            "class",
            "import",
            "my schema",
            "my_schema",
            "grpc",
            "google",
            "evita",
            "1",
            "None",
            "日");
    for (var name : names) {
      script.append("create schema ").append(quoted(name)).append(";\n");
      script.append(
          "create table %s.health (id int primary key, name varchar(9));\n"
              .formatted(quoted(name)));
    }
    return script.toString();
  }

  private static String quoted(String name) {
    return '"' + name.replace("\"", "\"\"") + '"';
  }
}

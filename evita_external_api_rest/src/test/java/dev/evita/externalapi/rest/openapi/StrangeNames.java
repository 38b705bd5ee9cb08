// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.rest.openapi;

import java.util.List;

/** A database whose names are legal in SQL and hardly anywhere else. */
final class StrangeNames {

  /** By these no URL reaches a table. */
  static final List<String> UNREACHABLE = List.of("a/b", "a\\b", "openapi.json");

  /** All others. */
  static final List<String> TABLES =
      List.of(
          "my table",
          "my_table",
          "my-table",
          "quo\"te",
          "it's",
          "class",
          "object",
          "Problem",
          "{id}",
          "100%",
          "?x#y",
          "a+b&c=d",
          "a;b",
          "a:b",
          "~tilde",
          "1st",
          "rpc",
          "日本",
          "Größe",
          "😀",
          "constructor",
          "list",
          "__proto__");

  private static final List<String> COLUMNS =
      List.of(
          "my col",
          "my_col",
          "quo\"te",
          "it's",
          "class",
          "select",
          "order",
          "and",
          "a.b",
          "a:b",
          "1",
          "日本",
          "Größe",
          "😀",
          "a b&c=d",
          "%41",
          "__proto__",
          "constructor",
          "not",
          "(x)");

  private StrangeNames() {}

  /** SQL for all databases: these tables, and so many more. */
  static String script(int more) {
    var script = new StringBuilder();
    for (var table : TABLES) {
      table(script, table);
    }
    for (var table : UNREACHABLE) {
      table(script, table);
    }
    for (int i = 0; i < more; i++) {
      script.append("create table t%d (id int primary key, name varchar(9));\n".formatted(i));
    }
    script.append("create view \"the view\" as select * from \"my table\";\n");
    return script.toString();
  }

  private static void table(StringBuilder script, String name) {
    script.append("create table ").append(quoted(name)).append(" (\"the key\" int primary key");
    for (var column : COLUMNS) {
      script.append(", ").append(quoted(column)).append(" varchar(20)");
    }
    script.append(");\ninsert into ").append(quoted(name)).append(" (\"the key\") values (1);\n");
  }

  private static String quoted(String name) {
    return '"' + name.replace("\"", "\"\"") + '"';
  }
}

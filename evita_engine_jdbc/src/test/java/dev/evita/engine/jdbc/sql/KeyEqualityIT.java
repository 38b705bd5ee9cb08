// SPDX-License-Identifier: Apache-2.0
package dev.evita.engine.jdbc.sql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evita.api.Column;
import dev.evita.api.Filter;
import dev.evita.api.Order;
import dev.evita.api.Output;
import dev.evita.api.Relationship;
import dev.evita.api.Select;
import dev.evita.api.Table;
import dev.evita.api.testkit.Bindings;
import dev.evita.api.testkit.EngineDriver;
import dev.evita.engine.jdbc.JdbcEngine;
import dev.evita.testsupport.PostgresServer;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Rows are related if the database considers their keys equal, whatever their representation. */
final class KeyEqualityIT {

  @TempDir private Path directory;

  /** Type and values of the parents' keys, then of the children's, each of which has a parent. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "postgresql | citext         | 'Ab', 'C'              | citext          | 'aB', 'Ab', 'c'",
        "postgresql | interval       | '24 hours', '2 days'   | interval        | '1 day', '48:00'",
        "postgresql | jsonb          | '1.0', '[2]'           | jsonb           | '1', '[2.0]', '1.00'",
        "postgresql | float8         | 0, 1.5                 | float8          | '-0', 1.5",
        "postgresql | float4         | 0.5                    | float4          | 0.5",
        "postgresql | char(8)        | 'ab', 'c'              | char(5)         | 'ab', 'c', 'ab'",
        "postgresql | numeric(9, 2)  | 1.00, 2.5              | numeric         | 1, 2.50",
        "postgresql | numeric        | 1, 2.0                 | bigint          | 1, 2",
        "postgresql | timetz         | '12:00+00'             | timetz          | '12:00+00'",
        "postgresql | int4range      | '[1,3)'                | int4range       | '[1,2]'",
        "postgresql | varchar(5)     | 'a', 'A'               | text            | 'a', 'A', 'a'",
        "postgresql | text collate ci | 'Ab', 'C'             | text collate ci | 'aB', 'Ab', 'c'",
        "postgresql | text collate ci | 'Ab', 'C'             | text            | 'aB', 'Ab', 'c'",
        "postgresql | text            | 'a', 'A'              | text collate ci | 'a', 'A', 'a'",
        "postgresql | text collate \"C\" | 'a', 'A'            | text collate \"POSIX\" | 'a', 'A'",
        "postgresql | varchar(5) collate \"C\" | 'a'           | varchar(9) collate ci | 'a', 'a'",
        "postgresql | ci_code         | 'Ab', 'C'             | text collate \"C\" | 'aB', 'c'",
        "h2         | varchar_ignorecase(9) | 'Ab', 'C'       | varchar(9) | 'aB', 'Ab', 'c'",
        "h2         | varchar(9)     | 'a', 'A'               | varchar_ignorecase(9) | 'a', 'A', 'A'",
        "h2         | varchar_ignorecase(9) | 'Ab', 'C'       | varchar_ignorecase(9) | 'aB', 'Ab'",
        "h2         | char(8)        | 'ab', 'c'              | char(5)         | 'ab', 'c'",
        "h2         | time with time zone | '12:00:00+00:00'  | time with time zone | '13:00:00+01:00'",
        "h2         | double precision | 1.5, 2               | double precision | 1.5, 2, 2",
        "h2         | enum('x','y')  | 'x', 'y'               | enum('x','y')   | 'y', 'x', 'y'",
        "h2         | varchar(9)     | 'a', 'A'               | varchar(9)      | 'a', 'A', 'a'",
        "sqlite     | integer        | 1, 2                   |                 | 1, 2, 1",
        "sqlite     | integer        | 1, 2                   | text            | 1, '2'",
        "sqlite     | integer        | 1, 2                   | real            | 1, 2.0",
        "sqlite     | integer        | 0, 1                   | boolean         | 1, 0",
        "sqlite     | integer        | 1, 2                   | datetime        | 1, 2",
        "sqlite     | text           | 1, '2'                 | integer         | 1, 2",
        "sqlite     | text collate nocase | 'Ab', 'C'         | text collate nocase | 'aB', 'c', 'Ab'",
        "sqlite     | text collate rtrim  | 'a  ', 'b'        | text collate rtrim | 'a', 'b  '",
        "sqlite     | text collate nocase | 'Ab', 'C'         | text            | 'aB', 'c', 'Ab'",
        "sqlite     | text           | 'a', 'A'               | text collate nocase | 'a', 'A', 'a'",
        "sqlite     | varchar(9) collate rtrim | 'a  ', 'b'   | text | 'a', 'b  '",
        "sqlite     | datetime       | '2026-01-31', 5        | text            | '2026-01-31', '5'",
        "sqlite     | text           | '2026-01-31'           | datetime        | '2026-01-31'",
        "sqlite     | blob           | x'00ff', x'01'         | blob            | x'01', x'00ff'",
        "sqlite     | real           | 1, 2.5                 | integer         | 1",
        "sqlite     | real           | 9e999, 1               | real            | 9e999, 1",
      })
  void children_areRelatedToTheirParentsBothWays(
      String database, String parent, String keys, String child, String references) {
    try (var engine = JdbcEngine.open(url(database))) {
      var db = new EngineDriver(engine);
      if (parent.equals("citext")) {
        db.script("create extension if not exists citext");
      }
      if (database.equals("postgresql")) {
        db.script(
            "create collation ci (provider = icu, locale = 'und-u-ks-level2', deterministic = false);"
                + " create domain ci_code as varchar(5) collate ci");
      }
      db.script("create table p (k " + parent + " primary key)");
      db.script(
          "create table c (id integer primary key, k %s references p (k))"
              .formatted(child == null ? "" : child));
      for (var key : keys.split(", ", -1)) {
        db.script("insert into p values (" + key + ")");
      }
      var id = 0;
      for (var reference : references.split(", ", -1)) {
        db.script("insert into c values (" + ++id + ", " + reference + ")");
      }
      engine.refresh();
      var parents = table(engine, "p");
      var children = table(engine, "c");
      var toParent = engine.catalog().relationships(children.name()).getFirst();
      var toChildren = engine.catalog().relationships(parents.name()).getFirst();
      var ids = Select.of(children.name(), List.of(new Output.Column(column(children, "id"))));

      var byKey =
          new Order(
              List.of(toParent),
              new Output.Column(column(parents, "k")),
              Order.Direction.ASCENDING,
              Order.Nulls.LAST);
      assertThat(db.rows(ids.orderBy(List.of(byKey)))).hasSize(id);
      var referring = new Filter.Exists(toParent, new Filter.And(List.of()));
      assertThat(db.rows(ids.where(referring))).hasSize(id);
      for (var row : db.rows(Select.of(children.name(), nested(toParent, column(parents, "k"))))) {
        assertThat((List<?>) row.getFirst()).as("the parent of a child").hasSize(1);
      }
      assertThat(related(db, parents, toChildren, ids)).isEqualTo(id);
      var limited = new Bindings();
      assertThat(related(db, parents, toChildren, ids.limit(limited.value(50L)), limited))
          .isEqualTo(id);
      var count =
          Select.of(
              children.name(),
              List.of(new Output.Aggregate(Output.Function.COUNT, List.of(), false)));
      var counts = Select.of(parents.name(), List.of(new Output.Nested(toChildren, count)));
      assertThat(
              db.rows(counts).stream()
                  .mapToLong(
                      row -> (Long) ((List<?>) ((List<?>) row.getFirst()).getFirst()).getFirst())
                  .sum())
          .isEqualTo(id);
    }
  }

  /** A composite key, by which rows also refer to others of their own table. */
  @ParameterizedTest
  @ValueSource(strings = {"sqlite", "postgresql"})
  void rowsOfOneTable_areRelatedByTheKeysEquality(String database) {
    try (var engine = JdbcEngine.open(url(database))) {
      var db = new EngineDriver(engine);
      if (database.equals("postgresql")) {
        db.script(
            "create collation nocase (provider = icu, locale = 'und-u-ks-level2',"
                + " deterministic = false)");
      }
      db.script(
          "create table t (k text collate nocase, n integer, up text, up_n integer,"
              + " primary key (k, n), foreign key (up, up_n) references t (k, n))");
      db.script(
          "insert into t values ('Ab', 1, null, null), ('ab', 2, 'aB', 1), ('C', 1, 'AB', 2)");
      engine.refresh();
      var table = table(engine, "t");
      for (var relationship : engine.catalog().relationships(table.name())) {
        var related = Select.of(table.name(), List.of(new Output.Column("k")));
        assertThat(related(db, table, relationship, related)).isEqualTo(2);
      }
    }
  }

  private static int related(
      EngineDriver db, Table parents, Relationship toChildren, Select children) {
    return related(db, parents, toChildren, children, new Bindings());
  }

  private static int related(
      EngineDriver db, Table parents, Relationship toChildren, Select children, Bindings bind) {
    var select = Select.of(parents.name(), List.of(new Output.Nested(toChildren, children)));
    return db.rows(select, bind).stream()
        .mapToInt(row -> row.getFirst() instanceof List<?> rows ? rows.size() : 0)
        .sum();
  }

  private static List<Output> nested(Relationship relationship, String column) {
    var select = Select.of(relationship.to(), List.of(new Output.Column(column)));
    return List.of(new Output.Nested(relationship, select));
  }

  private String url(String database) {
    return switch (database) {
      case "h2" -> "jdbc:h2:mem:";
      case "sqlite" -> "jdbc:sqlite:" + directory.resolve("keys.db");
      default -> PostgresServer.start().createDatabase();
    };
  }

  private static Table table(JdbcEngine engine, String name) {
    return engine.catalog().tables().stream()
        .filter(table -> table.name().table().equalsIgnoreCase(name))
        .findFirst()
        .orElseThrow();
  }

  private static String column(Table table, String name) {
    return table.columns().stream()
        .map(Column::name)
        .filter(each -> each.toLowerCase(Locale.ROOT).equals(name))
        .findFirst()
        .orElseThrow();
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.evita.api.testkit;

import dev.evita.api.Arguments;
import dev.evita.api.DataType;
import dev.evita.api.DataType.Scalar;
import dev.evita.api.Engine;
import dev.evita.api.Script;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Creates tables and rows through {@code Script} operations in SQL. */
public final class SqlFixture implements EngineFixture {

  private static final int ROWS_PER_STATEMENT = 5_000;

  private final EngineDialect dialect;
  private final EngineDriver db;
  private boolean typesDefined;

  /**
   * Creates the fixture of one database.
   *
   * @param engine runs the scripts; the caller owns and closes it
   */
  public SqlFixture(EngineDialect dialect, Engine engine) {
    this.dialect = dialect;
    this.db = new EngineDriver(engine);
  }

  private void run(String statement) {
    var failure = db.run(Script.of(statement), Arguments.NONE, null).failure();
    if (failure != null) {
      throw failure;
    }
  }

  @Override
  public boolean supports(DataType type) {
    return dialect.typeName(type) != null;
  }

  @Override
  public int fractionDigits() {
    return dialect.fractionDigits();
  }

  @Override
  public void createSchema(String name) {
    run(dialect.createSchema(name));
  }

  @Override
  public void createTable(TableDefinition table) {
    if (!typesDefined) {
      typesDefined = true;
      dialect.typeDefinitions().forEach(this::run);
    }
    var parts = new ArrayList<String>();
    for (var column : table.columns()) {
      var key = table.primaryKey().equals(List.of(column.name()));
      parts.add(dialect.quoted(column.name()) + " " + column(column, key));
    }
    if (table.primaryKey().size() > 1) {
      parts.add("primary key " + names(table.primaryKey()));
    }
    for (var key : table.foreignKeys()) {
      parts.add(
          "foreign key "
              + names(key.columns())
              + " references "
              + target(table, key.table())
              + " "
              + names(key.targetColumns()));
    }
    var schema = table.schema() == null ? "" : dialect.quoted(table.schema()) + ".";
    var columns = String.join(", ", parts);
    run("create table " + schema + dialect.quoted(table.name()) + " (" + columns + ")");
    comment(table);
  }

  /** SQLite accepts no schema there, and others need one in another schema. */
  private String target(TableDefinition table, String target) {
    return table.schema() == null
        ? dialect.quoted(target)
        : dialect.quoted(db.catalog().defaultSchema()) + "." + dialect.quoted(target);
  }

  private void comment(TableDefinition table) {
    if (table.comment() != null) {
      run(dialect.comment(table.name(), null, table.comment()));
    }
    for (var column : table.columns()) {
      if (column.comment() != null) {
        run(dialect.comment(table.name(), column.name(), column.comment()));
      }
    }
  }

  private String column(ColumnDefinition column, boolean key) {
    return switch (column.generation()) {
      case IDENTITY_BY_DEFAULT -> dialect.identityByDefault();
      case IDENTITY_ALWAYS -> dialect.identityAlways();
      case COMPUTED -> dialect.computed(dialect.quoted(String.valueOf(column.twice())) + " * 2");
      case NONE -> {
        var text = new StringBuilder(type(column));
        if (column.defaultValue() != null) {
          text.append(" default ").append(literal(column.defaultValue()));
        }
        text.append(column.nullable() ? "" : " not null").append(key ? " primary key" : "");
        text.append(column.unique() ? " unique" : "");
        if (column.minimum() != null) {
          text.append(" check (")
              .append(dialect.quoted(column.name()))
              .append(" >= ")
              .append(column.minimum())
              .append(")");
        }
        yield text.toString();
      }
    };
  }

  private String type(ColumnDefinition column) {
    if (column.length() > 0) {
      return column.type() == Scalar.DECIMAL
          ? dialect.decimalType(column.length(), column.scale())
          : dialect.varcharType(column.length());
    }
    var name = dialect.typeName(column.type());
    if (name == null) {
      throw new AssertionError("typeName() must return a name for " + column.type());
    }
    return name;
  }

  private String names(List<String> columns) {
    return columns.stream().map(dialect::quoted).collect(Collectors.joining(", ", "(", ")"));
  }

  @Override
  public void dropTable(String name) {
    run("drop table " + dialect.quoted(name));
  }

  @Override
  public void createView(
      String name, String table, List<String> columns, String column, int greaterThan) {
    run(
        "create view "
            + dialect.quoted(name)
            + " as select "
            + columns.stream().map(dialect::quoted).collect(Collectors.joining(", "))
            + " from "
            + dialect.quoted(table)
            + " where "
            + dialect.quoted(column)
            + " > "
            + greaterThan);
  }

  @Override
  public void createIndex(String name, String table, List<String> columns) {
    run("create index " + dialect.quoted(name) + " on " + dialect.quoted(table) + names(columns));
  }

  @Override
  public void dropIndex(String name) {
    run("drop index " + dialect.quoted(name));
  }

  @Override
  public void insert(String table, List<String> columns, List<List<@Nullable Object>> rows) {
    for (int from = 0; from < rows.size(); from += ROWS_PER_STATEMENT) {
      var part = rows.subList(from, Math.min(from + ROWS_PER_STATEMENT, rows.size()));
      var text = new StringBuilder("insert into ");
      text.append(dialect.quoted(table)).append(' ').append(names(columns)).append(" values ");
      for (int i = 0; i < part.size(); i++) {
        text.append(i == 0 ? "(" : ", (");
        var row = part.get(i);
        for (int j = 0; j < row.size(); j++) {
          text.append(j == 0 ? "" : ", ").append(literal(row.get(j)));
        }
        text.append(')');
      }
      run(text.toString());
    }
  }

  private static String literal(@Nullable Object value) {
    return value instanceof String text
        ? "'" + text.replace("'", "''") + "'"
        : String.valueOf(value);
  }

  @Override
  public void deleteAll(String table) {
    run("delete from " + dialect.quoted(table));
  }

  @Override
  public void createRoutines() {
    dialect.routineDefinitions().forEach(this::run);
  }
}

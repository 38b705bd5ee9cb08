// SPDX-License-Identifier: Apache-2.0
package dev.evita.engine.jdbc.run;

import dev.evita.api.Catalog;
import dev.evita.api.DataType;
import dev.evita.api.Delete;
import dev.evita.api.Filter;
import dev.evita.api.Insert;
import dev.evita.api.Output;
import dev.evita.api.Select;
import dev.evita.api.Table;
import dev.evita.api.Update;
import dev.evita.engine.jdbc.dialect.Bind;
import dev.evita.engine.jdbc.dialect.Columns;
import dev.evita.engine.jdbc.dialect.Dialect;
import dev.evita.engine.jdbc.dialect.JdbcErrors;
import dev.evita.engine.jdbc.dialect.SchemaGuard;
import dev.evita.engine.jdbc.dialect.Sql;
import dev.evita.engine.jdbc.dialect.SqlText;
import dev.evita.engine.jdbc.dialect.WriteStatements;
import dev.evita.engine.jdbc.sql.CompiledChange;
import dev.evita.engine.jdbc.sql.CompiledInsert;
import dev.evita.engine.jdbc.sql.FilterSql;
import dev.evita.engine.jdbc.sql.SelectCompiler;
import dev.evita.engine.jdbc.sql.SelectLevel;
import dev.evita.engine.jdbc.value.Codec;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Compiles inserts, updates and deletes. */
public final class WriteSqlCompiler {

  private final EngineContext backend;
  private final Catalog catalog;
  private final Dialect dialect;

  public WriteSqlCompiler(EngineContext backend, Catalog catalog) {
    this.backend = backend;
    this.catalog = catalog;
    this.dialect = backend.dialect();
  }

  public PreparedWrite insert(Insert insert) {
    var table = catalog.requireTable(insert.into());
    var sql = new Sql(dialect.jooq());
    requireWritable(table, insert.columns());
    requireKey(table, insert);
    var level = returned(table, insert.returning());
    var filters = new FilterSql(catalog, dialect, sql);
    var codecs =
        insert.columns().stream().map(name -> filters.codec(table, name)).toArray(Codec[]::new);
    var writing =
        new CompiledInsert(
            insert,
            dialect,
            sql.quoted(table.name()),
            sql.quoted(insert.columns()),
            codecs,
            expressions(insert.returning(), level));
    return new PreparedWrite(
        backend,
        insert,
        level,
        writing,
        AffectedRows.of(insert, catalog, counted()),
        guard(Select.of(table.name(), insert.returning())));
  }

  private void requireKey(Table table, Insert insert) {
    var onConflict = insert.onConflict();
    if (onConflict == null) {
      return;
    }
    onConflict.keyColumns().forEach(column -> Columns.named(table, column));
    requireWritable(table, onConflict.update());
    if (!isKey(table, onConflict.keyColumns())) {
      throw JdbcErrors.invalid(
          "a conflict on %s, which are no primary or unique key of '%s'"
              .formatted(onConflict.keyColumns(), table.name()));
    }
    for (var column : onConflict.update()) {
      if (!insert.columns().contains(column)) {
        throw JdbcErrors.invalid("'" + column + "' is set on conflict, but rows do not give it");
      }
    }
  }

  private static boolean isKey(Table table, List<String> columns) {
    var wanted = new HashSet<>(columns);
    var primary = table.primaryKey();
    return (primary != null && wanted.equals(new HashSet<>(primary.columns())))
        || table.uniqueKeys().stream().anyMatch(key -> wanted.equals(new HashSet<>(key.columns())));
  }

  private static void requireWritable(Table table, List<String> columns) {
    var seen = new HashSet<String>();
    for (var name : columns) {
      if (!Columns.named(table, name).writable()) {
        throw JdbcErrors.invalid(
            "column '%s' of '%s' gets its value from the database".formatted(name, table.name()));
      }
      if (!seen.add(name)) {
        throw JdbcErrors.invalid("column '" + name + "' is set twice");
      }
    }
  }

  public PreparedWrite update(Update update) {
    var table = catalog.requireTable(update.table());
    var sql = new Sql(dialect.jooq());
    var filters = new FilterSql(catalog, dialect, sql);
    var alias = sql.alias();
    if (update.changes().isEmpty()) {
      throw JdbcErrors.invalid("an update of no column");
    }
    requireWritable(table, update.changes().stream().map(Update.Change::column).toList());
    var binds = new ArrayList<Bind>();
    var assignments =
        update.changes().stream()
            .map(change -> assignment(table, alias, change, filters, binds))
            .collect(Collectors.joining(", "));
    var head =
        "update %s as %s set %s"
            .formatted(sql.quoted(table.name()), sql.quoted(alias), assignments);
    var level = returned(table, update.returning());
    var where = where(filters, table, alias, update.where());
    var text =
        changed(
            WriteStatements.Write.UPDATE,
            head,
            binds,
            where,
            expressions(update.returning(), level));
    return new PreparedWrite(
        backend,
        update,
        level,
        new CompiledChange(table.name(), text),
        AffectedRows.of(update, catalog, counted()),
        guard(Select.of(table.name(), update.returning()).where(update.where())));
  }

  private static String assignment(
      Table table, String alias, Update.Change change, FilterSql filters, List<Bind> binds) {
    var sql = filters.sql();
    var codec = filters.codec(table, change.column());
    var column = sql.quoted(change.column());
    return switch (change) {
      case Update.Change.Assign assign -> {
        binds.add(new Bind.Value(assign.value(), codec));
        yield column + " = ?";
      }
      case Update.Change.Default unused ->
          column
              + " = "
              + filters
                  .dialect()
                  .writes()
                  .defaultValue(table, Columns.named(table, change.column()));
      case Update.Change.Increment increment -> {
        requireNumber(codec.type(), increment.column());
        binds.add(new Bind.Value(increment.value(), codec));
        var sum = sql.quoted(alias) + "." + column + " + ?";
        yield column + " = " + filters.dialect().writes().sum(sum, codec.type());
      }
    };
  }

  private static void requireNumber(DataType type, String column) {
    if (!Columns.isNumber(type)) {
      throw JdbcErrors.invalid("'" + column + "' is incremented, but is no number");
    }
  }

  public PreparedWrite delete(Delete delete) {
    var table = catalog.requireTable(delete.table());
    var sql = new Sql(dialect.jooq());
    var filters = new FilterSql(catalog, dialect, sql);
    var alias = sql.alias();
    if (delete.returning().stream().anyMatch(Output.Nested.class::isInstance)) {
      throw JdbcErrors.invalid("related rows of a row that is deleted");
    }
    var head = "delete from %s as %s".formatted(sql.quoted(table.name()), sql.quoted(alias));
    var level = returned(table, delete.returning());
    var where = where(filters, table, alias, delete.where());
    var text =
        changed(
            WriteStatements.Write.DELETE,
            head,
            List.of(),
            where,
            expressions(delete.returning(), level));
    return new PreparedWrite(
        backend,
        delete,
        level,
        new CompiledChange(table.name(), text),
        AffectedRows.of(delete, catalog, counted()),
        guard(Select.of(table.name(), delete.returning()).where(delete.where())));
  }

  private static @Nullable SqlText where(
      FilterSql filters, Table table, String alias, @Nullable Filter filter) {
    return filter == null ? null : filters.sql().text(filters.condition(table, alias, filter));
  }

  private SqlText changed(
      WriteStatements.Write write,
      String head,
      List<Bind> binds,
      @Nullable SqlText where,
      List<String> returning) {
    var all = new ArrayList<>(binds);
    var text = head;
    if (where != null) {
      text += " where " + where.sql();
      all.addAll(where.binds());
    }
    return new SqlText(
        returning.isEmpty() ? text : dialect.writes().returning(write, text, returning), all);
  }

  private SelectLevel returned(Table table, List<Output> outputs) {
    if (outputs.stream().anyMatch(Output.Aggregate.class::isInstance)) {
      throw JdbcErrors.invalid("an aggregate of written rows");
    }
    return new SelectCompiler(catalog, dialect).compileWritten(Select.of(table.name(), outputs));
  }

  private static List<String> expressions(List<Output> returning, SelectLevel level) {
    return returning.isEmpty() ? List.of() : level.ofRow();
  }

  /**
   * @param read would read from all tables that a write has to do with
   */
  private SchemaGuard guard(Select read) {
    return dialect.catalog().guard(read.tables());
  }

  private boolean counted() {
    return backend.commits().knowsTables();
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.evita.engine.jdbc.sqlite;

import static dev.evita.engine.jdbc.dialect.CatalogDraft.each;

import dev.evita.api.Catalog;
import dev.evita.api.Column;
import dev.evita.api.Table;
import dev.evita.api.TableName;
import dev.evita.engine.jdbc.dialect.CatalogDraft;
import dev.evita.engine.jdbc.dialect.CatalogReader;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads SQLite's catalog from its pragma functions.
 *
 * <p>A foreign key refers to a table and columns by names whose case may differ from the
 * declaration, and may omit the columns, which means the primary key.
 */
final class SqliteCatalog implements CatalogReader {

  private static final Pattern INVENTED_NAMES = Pattern.compile("sqlite_autoindex_.*");
  private static final String SCHEMA = "main";
  private static final Logger LOG = LoggerFactory.getLogger(SqliteCatalog.class);
  private static final String VIEWS =
      "select name from sqlite_master where type = 'view' order by name";
  private static final String BROKEN = "/* broken */";
  private static final String LISTED =
      """
      from pragma_table_list t%s where t.schema = 'main' and t.type in ('table', 'view', 'virtual')
      and t.name not like 'sqlite\\_%%' escape '\\' /* broken */ order by t.name\
      """;
  private static final String TABLES = "select t.name, t.type, t.wr " + LISTED.formatted("");
  private static final String COLUMNS =
      "select t.name, c.name, c.type, c.\"notnull\", c.dflt_value, c.pk, c.hidden "
          + LISTED.formatted(", pragma_table_xinfo(t.name) c")
          + ", c.cid";
  private static final String INDEXES =
      "select t.name, i.name, i.\"unique\", i.partial, c.name, c.cid "
          + LISTED.formatted(", pragma_index_list(t.name) i, pragma_index_info(i.name) c")
          + ", i.seq, c.seqno";
  private static final String FOREIGN_KEYS =
      "select t.name, f.id, f.\"table\", f.\"from\", f.\"to\" "
          + LISTED.formatted(", pragma_foreign_key_list(t.name) f")
          + ", f.id, f.seq";

  /** A column as its pragma reports it. */
  private record Declared(String name, String type, int keyPosition) {}

  /** A foreign key while its columns are collected. */
  private record Reference(
      String target, List<String> columns, List<@Nullable String> targetColumns) {}

  @Override
  public Catalog read(Connection connection, Set<String> schemas, long epoch) throws SQLException {
    return new Reading(connection, schemas).read(epoch);
  }

  /** One read of the catalog. */
  private static final class Reading {
    private final Connection connection;
    private final Set<String> schemas;
    private final CatalogDraft draft = new CatalogDraft(INVENTED_NAMES);
    private final List<String> broken = new ArrayList<>();
    private final Map<String, String> tableNames = new HashMap<>();
    private final Set<String> withoutRowid = new HashSet<>();
    private final Map<String, List<Declared>> columns = new HashMap<>();

    Reading(Connection connection, Set<String> schemas) {
      this.connection = connection;
      this.schemas = schemas;
    }

    Catalog read(long epoch) throws SQLException {
      if (schemas.isEmpty() || schemas.contains(SCHEMA)) {
        draft.schema(SCHEMA, null);
      }
      findBroken();
      each(connection, listed(TABLES), this::table);
      var rows = new ArrayList<Runnable>();
      each(connection, listed(COLUMNS), row -> declare(row, rows));
      rows.forEach(Runnable::run);
      columns.forEach(this::primaryKey);
      indexes();
      foreignKeys();
      return draft.finish(epoch, SCHEMA, Catalog.Folding.NONE);
    }

    /**
     * Finds views that refer to a missing table or column: reading their columns fails, as does
     * listing them together with others.
     */
    private void findBroken() throws SQLException {
      var views = new ArrayList<String>();
      each(connection, VIEWS, row -> views.add(row.getString(1)));
      try (var columns = connection.prepareStatement("select 1 from pragma_table_xinfo(?)")) {
        for (var view : views) {
          columns.setString(1, view);
          try (ResultSet rows = columns.executeQuery()) {
            rows.next();
          } catch (SQLException e) {
            LOG.warn("View '{}' is invalid and omitted: {}", view, e.getMessage());
            broken.add("'" + view.replace("'", "''") + "'");
          }
        }
      }
    }

    private String listed(String query) {
      var condition =
          broken.isEmpty() ? "" : "and t.name not in (" + String.join(", ", broken) + ")";
      return query.replace(BROKEN, condition);
    }

    private static TableName name(String table) {
      return new TableName(SCHEMA, table);
    }

    private void table(ResultSet row) throws SQLException {
      var table = row.getString(1);
      var kind = row.getString(2).equals("view") ? Table.Kind.VIEW : Table.Kind.TABLE;
      draft.table(name(table), kind, null);
      tableNames.put(table.toLowerCase(Locale.ROOT), table);
      if (row.getBoolean(3)) {
        withoutRowid.add(table);
      }
    }

    /** Records a column; it is added once the table's key is known. */
    private void declare(ResultSet row, List<Runnable> additions) throws SQLException {
      var table = row.getString(1);
      var column = row.getString(2);
      var type = row.getString(3) == null ? "" : row.getString(3);
      var notNull = row.getBoolean(4);
      var expression = row.getString(5);
      var hidden = row.getInt(7);
      if (hidden == 1) {
        return;
      }
      columns
          .computeIfAbsent(table, any -> new ArrayList<>())
          .add(new Declared(column, type, row.getInt(6)));
      additions.add(() -> column(table, column, type, notNull, expression, hidden));
    }

    private void column(
        String table,
        String column,
        String type,
        boolean notNull,
        @Nullable String expression,
        int hidden) {
      var rowid = column.equals(rowid(table));
      var generation =
          hidden > 1
              ? Column.Generation.COMPUTED
              : rowid ? Column.Generation.IDENTITY_BY_DEFAULT : Column.Generation.NONE;
      var nullable = !notNull && !rowid && !(withoutRowid.contains(table) && inKey(table, column));
      draft.column(
          name(table),
          new Column(
              column,
              SqliteTypeNames.type(type.replaceAll("(?i)generated always", "")),
              type,
              nullable,
              expression,
              generation,
              null));
    }

    private List<Declared> key(String table) {
      return columns.getOrDefault(table, List.of()).stream()
          .filter(column -> column.keyPosition() > 0)
          .sorted((one, other) -> Integer.compare(one.keyPosition(), other.keyPosition()))
          .toList();
    }

    private boolean inKey(String table, String column) {
      return key(table).stream().anyMatch(each -> each.name().equals(column));
    }

    /** The column that is an alias of the rowid, if there is one. */
    private @Nullable String rowid(String table) {
      var key = key(table);
      return key.size() == 1
              && key.getFirst().type().equalsIgnoreCase("INTEGER")
              && !withoutRowid.contains(table)
          ? key.getFirst().name()
          : null;
    }

    private void primaryKey(String table, List<Declared> unused) {
      key(table).forEach(column -> draft.primaryKey(name(table), table + "_pkey", column.name()));
    }

    private void indexes() throws SQLException {
      var partial = new HashSet<String>();
      each(
          connection,
          listed(INDEXES),
          row -> {
            if (row.getBoolean(4) || row.getString(5) == null) {
              partial.add(row.getString(2));
            }
          });
      each(
          connection,
          listed(INDEXES),
          row -> {
            var table = name(row.getString(1));
            var index = row.getString(2);
            if (partial.contains(index)) {
              return;
            }
            if (row.getBoolean(3)) {
              draft.uniqueKey(table, index, row.getString(5));
            } else {
              draft.index(table, index, row.getString(5));
            }
          });
    }

    private void foreignKeys() throws SQLException {
      var references = new LinkedHashMap<String, Map<Integer, Reference>>();
      each(
          connection,
          listed(FOREIGN_KEYS),
          row -> {
            var target = row.getString(3);
            var reference =
                references
                    .computeIfAbsent(row.getString(1), any -> new LinkedHashMap<>())
                    .computeIfAbsent(
                        row.getInt(2),
                        any -> new Reference(target, new ArrayList<>(), new ArrayList<>()));
            reference.columns().add(row.getString(4));
            reference.targetColumns().add(row.getString(5));
          });
      references.forEach((table, keys) -> keys.values().forEach(key -> foreignKey(table, key)));
    }

    private void foreignKey(String table, Reference reference) {
      var target = tableNames.get(reference.target().toLowerCase(Locale.ROOT));
      if (target == null) {
        return;
      }
      var targets = targets(target, reference);
      if (targets.size() != reference.columns().size()) {
        return;
      }
      if (!has(target, targets)) {
        return;
      }
      var columns = reference.columns().stream().map(column -> actual(table, column)).toList();
      var constraint = table + "_" + String.join("_", columns) + "_fkey";
      for (int i = 0; i < columns.size(); i++) {
        draft.foreignKey(name(table), constraint, columns.get(i), name(target), targets.get(i));
      }
    }

    /** SQLite accepts foreign keys to columns that do not exist. */
    private boolean has(String target, List<String> names) {
      var known = columns.getOrDefault(target, List.of()).stream().map(Declared::name).toList();
      return known.containsAll(names);
    }

    private List<String> targets(String target, Reference reference) {
      var targets = new ArrayList<String>();
      for (var column : reference.targetColumns()) {
        if (column == null) {
          return key(target).stream().map(Declared::name).toList();
        }
        targets.add(actual(target, column));
      }
      return targets;
    }

    private String actual(String table, String column) {
      return columns.getOrDefault(table, List.of()).stream()
          .map(Declared::name)
          .filter(column::equalsIgnoreCase)
          .findFirst()
          .orElse(column);
    }
  }
}

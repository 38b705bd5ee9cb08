// SPDX-License-Identifier: Apache-2.0
package dev.evita.engine.jdbc.dialect;

import dev.evita.api.Catalog;
import dev.evita.api.Column;
import dev.evita.api.ForeignKey;
import dev.evita.api.Key;
import dev.evita.api.Routine;
import dev.evita.api.Schema;
import dev.evita.api.Table;
import dev.evita.api.TableName;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Builds a catalog from the rows of catalog queries. Objects of a table that was not added are
 * dropped, so that queries need not repeat the filter on schemas.
 */
public final class CatalogDraft {

  private static final Logger LOG = LoggerFactory.getLogger(CatalogDraft.class);

  /** The parts of a table read so far. */
  private static final class TableDraft {
    final Table.Kind kind;
    final @Nullable String comment;
    final List<Column> columns = new ArrayList<>();
    final Map<String, List<String>> uniqueKeys = new LinkedHashMap<>();
    final Map<String, List<String>> indexes = new LinkedHashMap<>();
    final Map<String, ForeignKeyDraft> foreignKeys = new LinkedHashMap<>();
    final List<String> primaryKey = new ArrayList<>();
    String primaryKeyName = "";

    TableDraft(Table.Kind kind, @Nullable String comment) {
      this.kind = kind;
      this.comment = comment;
    }
  }

  private record ForeignKeyDraft(
      TableName target, List<String> columns, List<String> targetColumns) {}

  private final Pattern inventedNames;
  private final Map<String, @Nullable String> schemas = new LinkedHashMap<>();
  private final Map<TableName, TableDraft> tables = new LinkedHashMap<>();
  private final List<Routine> routines = new ArrayList<>();

  /**
   * Creates an empty draft.
   *
   * @param inventedNames names of keys that the database generates if the schema defines none: they
   *     carry no meaning and may change, so such keys are named by PostgreSQL's rules, {@code
   *     items_pkey} and {@code items_code_key}
   */
  public CatalogDraft(Pattern inventedNames) {
    this.inventedNames = inventedNames;
  }

  /** Receives a row of a catalog query. */
  @FunctionalInterface
  public interface RowConsumer {
    void accept(ResultSet row) throws SQLException;
  }

  /** Executes a catalog query. */
  public static void each(Connection connection, String sql, RowConsumer consumer)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql);
        ResultSet rows = statement.executeQuery()) {
      while (rows.next()) {
        consumer.accept(rows);
      }
    }
  }

  public void schema(String name, @Nullable String comment) {
    schemas.put(name, blankToNull(comment));
  }

  public void table(TableName name, Table.Kind kind, @Nullable String comment) {
    if (schemas.containsKey(name.schema())) {
      tables.put(name, new TableDraft(kind, blankToNull(comment)));
    }
  }

  public static @Nullable String blankToNull(@Nullable String text) {
    return text == null || text.isBlank() ? null : text;
  }

  boolean has(TableName table) {
    return tables.containsKey(table);
  }

  public boolean hasSchema(String name) {
    return schemas.containsKey(name);
  }

  Set<TableName> tables() {
    return tables.keySet();
  }

  public void column(TableName table, Column column) {
    var draft = tables.get(table);
    if (draft != null) {
      draft.columns.add(column);
    }
  }

  public void primaryKey(TableName table, String name, String column) {
    var draft = tables.get(table);
    if (draft != null) {
      draft.primaryKeyName = name;
      draft.primaryKey.add(column);
    }
  }

  public void uniqueKey(TableName table, String name, String column) {
    var draft = tables.get(table);
    if (draft != null) {
      draft.uniqueKeys.computeIfAbsent(name, key -> new ArrayList<>()).add(column);
    }
  }

  public void index(TableName table, String name, String column) {
    var draft = tables.get(table);
    if (draft != null) {
      draft.indexes.computeIfAbsent(name, key -> new ArrayList<>()).add(column);
    }
  }

  public void foreignKey(
      TableName table, String name, String column, TableName target, String targetColumn) {
    var draft = tables.get(table);
    if (draft != null) {
      var key =
          draft.foreignKeys.computeIfAbsent(
              name, any -> new ForeignKeyDraft(target, new ArrayList<>(), new ArrayList<>()));
      key.columns().add(column);
      key.targetColumns().add(targetColumn);
    }
  }

  /** Adds a routine; of several with the same name and parameter names, the first is kept. */
  public void routine(Routine routine) {
    if (!schemas.containsKey(routine.schema())) {
      return;
    }
    if (routines.stream().anyMatch(known -> sameCall(known, routine))) {
      LOG.info(
          "Routine {}.{} is omitted: another one has the same name and parameter names",
          routine.schema(),
          routine.name());
      return;
    }
    routines.add(routine);
  }

  private static boolean sameCall(Routine one, Routine other) {
    return one.schema().equals(other.schema())
        && one.name().equals(other.name())
        && names(one).equals(names(other));
  }

  private static Set<String> names(Routine routine) {
    return routine.parameters().stream().map(Column::name).collect(Collectors.toSet());
  }

  /** The columns of a table's primary key read so far. */
  List<String> primaryKey(TableName table) {
    var draft = tables.get(table);
    return draft == null ? List.of() : draft.primaryKey;
  }

  public Catalog finish(long epoch, String defaultSchema, Catalog.Folding folding) {
    var result = new ArrayList<Schema>();
    schemas.forEach((name, comment) -> {
      var ofSchema = new ArrayList<Table>();
      tables.forEach((table, draft) -> {
        if (table.schema().equals(name) && !draft.columns.isEmpty()) {
          ofSchema.add(finish(table, draft));
        }
      });
      var itsRoutines = routines.stream().filter(each -> each.schema().equals(name)).toList();
      result.add(new Schema(name, ofSchema, itsRoutines, comment));
    });
    return new Catalog(epoch, defaultSchema, folding, result);
  }

  private Table finish(TableName name, TableDraft draft) {
    var primaryKey =
        draft.primaryKey.isEmpty()
            ? null
            : new Key(keyName(name, draft.primaryKeyName, List.of(), "pkey"), draft.primaryKey);
    var known = new LinkedHashSet<List<String>>();
    known.add(draft.primaryKey);
    var uniqueKeys =
        keys(draft.uniqueKeys, known).stream()
            .map(key -> new Key(keyName(name, key.name(), key.columns(), "key"), key.columns()))
            .toList();
    var indexes = keys(draft.indexes, known);
    var foreignKeys = new ArrayList<ForeignKey>();
    draft.foreignKeys.forEach((key, value) ->
        foreignKeys.add(
            new ForeignKey(key, value.columns(), value.target(), value.targetColumns())));
    return new Table(
        name,
        draft.kind,
        draft.columns,
        primaryKey,
        uniqueKeys,
        indexes,
        foreignKeys,
        draft.comment);
  }

  private String keyName(TableName table, String known, List<String> columns, String suffix) {
    if (!inventedNames.matcher(known).matches()) {
      return known;
    }
    var parts = new ArrayList<>(columns);
    parts.addFirst(table.table());
    var stem = String.join("_", parts);
    // In the case of its table name, as both are published by the same rule.
    return stem
        + "_"
        + (stem.equals(stem.toUpperCase(Locale.ROOT)) ? suffix.toUpperCase(Locale.ROOT) : suffix);
  }

  /** Removes duplicate column lists: databases report a constraint and its index separately. */
  private static List<Key> keys(Map<String, List<String>> drafts, Set<List<String>> known) {
    var keys = new ArrayList<Key>();
    drafts.forEach((name, columns) -> {
      if (known.add(columns)) {
        keys.add(new Key(name, columns));
      }
    });
    return keys;
  }
}

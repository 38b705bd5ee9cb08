// SPDX-License-Identifier: Apache-2.0
package dev.evita.engine.jdbc.h2;

import static dev.evita.engine.jdbc.dialect.CatalogDraft.each;

import dev.evita.api.Catalog;
import dev.evita.api.Column;
import dev.evita.api.DataType;
import dev.evita.api.Table;
import dev.evita.api.TableName;
import dev.evita.engine.jdbc.dialect.CatalogDraft;
import dev.evita.engine.jdbc.dialect.CatalogReader;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads H2's catalog from {@code INFORMATION_SCHEMA}, which has the shape of H2 2.x. */
final class H2Catalog implements CatalogReader {

  private static final Pattern INVENTED_NAMES =
      Pattern.compile("CONSTRAINT_(INDEX_)?[0-9A-F]+(_\\d+)?");
  private static final String SCHEMAS =
      """
      SELECT SCHEMA_NAME, REMARKS FROM INFORMATION_SCHEMA.SCHEMATA
      WHERE UPPER(SCHEMA_NAME) NOT IN ('INFORMATION_SCHEMA', 'PG_CATALOG') ORDER BY SCHEMA_NAME\
      """;
  private static final String TABLES =
      """
      SELECT TABLE_SCHEMA, TABLE_NAME, TABLE_TYPE, REMARKS FROM INFORMATION_SCHEMA.TABLES
      WHERE UPPER(TABLE_SCHEMA) NOT IN ('INFORMATION_SCHEMA', 'PG_CATALOG') ORDER BY TABLE_SCHEMA, TABLE_NAME\
      """;

  /** The columns read by {@link Declared}. */
  static final String TYPE =
      """
      DATA_TYPE, CHARACTER_MAXIMUM_LENGTH, DECLARED_NUMERIC_PRECISION, DECLARED_NUMERIC_SCALE,
      DATETIME_PRECISION, INTERVAL_TYPE, DTD_IDENTIFIER\
      """;

  private static final String COLUMNS =
      "SELECT TABLE_SCHEMA, TABLE_NAME, COLUMN_NAME, "
          + TYPE
          + """
          , IS_NULLABLE, COLUMN_DEFAULT, IS_IDENTITY, IDENTITY_GENERATION, IS_GENERATED, REMARKS
          FROM INFORMATION_SCHEMA.COLUMNS WHERE UPPER(TABLE_SCHEMA) NOT IN ('INFORMATION_SCHEMA', 'PG_CATALOG')
          ORDER BY TABLE_SCHEMA, TABLE_NAME, ORDINAL_POSITION\
          """;
  private static final String ELEMENTS =
      "SELECT OBJECT_SCHEMA, OBJECT_NAME, OBJECT_TYPE, COLLECTION_TYPE_IDENTIFIER, "
          + TYPE
          + " FROM INFORMATION_SCHEMA.ELEMENT_TYPES";
  private static final String LABELS =
      """
      SELECT OBJECT_SCHEMA, OBJECT_NAME, OBJECT_TYPE, ENUM_IDENTIFIER, VALUE_NAME
      FROM INFORMATION_SCHEMA.ENUM_VALUES ORDER BY 1, 2, 3, 4, VALUE_ORDINAL\
      """;
  private static final String CONSTRAINTS =
      """
      SELECT CONSTRAINT_SCHEMA, CONSTRAINT_NAME, CONSTRAINT_TYPE
      FROM INFORMATION_SCHEMA.TABLE_CONSTRAINTS\
      """;
  private static final String KEYS =
      """
      SELECT CONSTRAINT_SCHEMA, CONSTRAINT_NAME, TABLE_SCHEMA, TABLE_NAME, COLUMN_NAME,
        POSITION_IN_UNIQUE_CONSTRAINT
      FROM INFORMATION_SCHEMA.KEY_COLUMN_USAGE
      ORDER BY TABLE_SCHEMA, TABLE_NAME, CONSTRAINT_NAME, ORDINAL_POSITION\
      """;
  private static final String REFERENCES =
      """
      SELECT CONSTRAINT_SCHEMA, CONSTRAINT_NAME, UNIQUE_CONSTRAINT_SCHEMA, UNIQUE_CONSTRAINT_NAME
      FROM INFORMATION_SCHEMA.REFERENTIAL_CONSTRAINTS\
      """;
  private static final String INDEXES =
      """
      SELECT TABLE_SCHEMA, TABLE_NAME, INDEX_NAME, COLUMN_NAME, IS_UNIQUE
      FROM INFORMATION_SCHEMA.INDEX_COLUMNS WHERE UPPER(TABLE_SCHEMA) NOT IN ('INFORMATION_SCHEMA', 'PG_CATALOG')
      ORDER BY TABLE_SCHEMA, TABLE_NAME, INDEX_NAME, ORDINAL_POSITION\
      """;

  /** A constraint's schema and name. */
  private record ConstraintName(String schema, String name) {

    static ConstraintName from(ResultSet row, int first) throws SQLException {
      return new ConstraintName(row.getString(first), row.getString(first + 1));
    }
  }

  /** The columns of a key; those of a foreign key with their positions, from 1, in its target. */
  private record Usage(TableName table, List<String> columns, List<Integer> positions) {}

  /** An object's type descriptor, as INFORMATION_SCHEMA refers to it. */
  record Descriptor(String schema, String object, String kind, String identifier) {}

  /** A type as the catalog describes it. */
  record Declared(
      String name,
      @Nullable String length,
      @Nullable String precision,
      @Nullable String scale,
      @Nullable String fraction,
      @Nullable String interval,
      String identifier) {

    static Declared from(ResultSet row, int first) throws SQLException {
      return new Declared(
          Objects.requireNonNull(word(row, first)),
          row.getString(first + 1),
          row.getString(first + 2),
          row.getString(first + 3),
          row.getString(first + 4),
          word(row, first + 5),
          row.getString(first + 6));
    }

    String sql() {
      return switch (name) {
        case "CHARACTER VARYING", "CHARACTER", "VARCHAR_IGNORECASE" -> name + "(" + length + ")";
        case "NUMERIC", "DECFLOAT" -> precision == null ? name : name + numeric();
        case "TIME", "TIMESTAMP" -> name + "(" + fraction + ")";
        case "TIME WITH TIME ZONE" -> "TIME(" + fraction + ") WITH TIME ZONE";
        case "TIMESTAMP WITH TIME ZONE" -> "TIMESTAMP(" + fraction + ") WITH TIME ZONE";
        case "INTERVAL" -> "INTERVAL " + interval;
        default -> name;
      };
    }

    private String numeric() {
      return "(" + precision + (scale == null || scale.equals("0") ? "" : ", " + scale) + ")";
    }
  }

  private final Map<Descriptor, Declared> elements = new HashMap<>();
  private final Map<Descriptor, List<String>> labels = new HashMap<>();
  private final Map<ConstraintName, Usage> usages = new LinkedHashMap<>();
  private final Map<ConstraintName, String> constraints = new HashMap<>();

  @Override
  public Catalog read(Connection connection, Set<String> schemas, long epoch) throws SQLException {
    return new H2Catalog().readAll(connection, schemas, epoch);
  }

  private Catalog readAll(Connection connection, Set<String> schemas, long epoch)
      throws SQLException {
    var draft = new CatalogDraft(INVENTED_NAMES);
    each(
        connection,
        SCHEMAS,
        row -> {
          if (schemas.isEmpty() || schemas.contains(row.getString(1))) {
            draft.schema(row.getString(1), row.getString(2));
          }
        });
    each(connection, TABLES, row -> draft.table(table(row), kind(row), row.getString(4)));
    each(connection, ELEMENTS, row -> elements.put(descriptor(row), Declared.from(row, 5)));
    each(
        connection,
        LABELS,
        row ->
            labels
                .computeIfAbsent(descriptor(row), any -> new ArrayList<>())
                .add(row.getString(5)));
    each(connection, COLUMNS, row -> draft.column(table(row), column(row)));
    // Joined here: H2 joins these views without an index, in 700 ms for 500 tables.
    each(connection, CONSTRAINTS, row -> constraints.put(constraint(row), word(row, 3)));
    each(connection, KEYS, this::usage);
    usages.forEach((name, usage) -> key(draft, name, usage));
    each(connection, INDEXES, row -> index(draft, row));
    each(connection, REFERENCES, row -> foreignKey(draft, row));
    new H2Routines(connection, this).read(draft);
    return draft.finish(epoch, defaultSchema(connection), folding(connection));
  }

  /** A keyword of H2, which follows the case of names: lower case with DATABASE_TO_LOWER. */
  static @Nullable String word(ResultSet row, int at) throws SQLException {
    var word = row.getString(at);
    return word == null ? null : word.toUpperCase(Locale.ROOT);
  }

  private static TableName table(ResultSet row) throws SQLException {
    return new TableName(row.getString(1), row.getString(2));
  }

  private static Table.Kind kind(ResultSet row) throws SQLException {
    return String.valueOf(word(row, 3)).contains("VIEW") ? Table.Kind.VIEW : Table.Kind.TABLE;
  }

  private static Descriptor descriptor(ResultSet row) throws SQLException {
    return new Descriptor(
        row.getString(1), row.getString(2), Objects.requireNonNull(word(row, 3)), row.getString(4));
  }

  private Column column(ResultSet row) throws SQLException {
    var table = table(row);
    var name = row.getString(3);
    var declared = Declared.from(row, 4);
    var descriptor = new Descriptor(table.schema(), table.table(), "TABLE", declared.identifier());
    return new Column(
        name,
        type(declared, descriptor, table.table() + "_" + name),
        nativeType(declared, descriptor),
        "YES".equals(word(row, 11)),
        row.getString(12),
        generation(row),
        CatalogDraft.blankToNull(row.getString(16)));
  }

  /** A parameter or the result of a routine. */
  Column column(String name, Declared declared, Descriptor descriptor) {
    return new Column(
        name,
        type(declared, descriptor, descriptor.object() + "_" + name),
        nativeType(declared, descriptor),
        true,
        null,
        Column.Generation.NONE,
        null);
  }

  private static Column.Generation generation(ResultSet row) throws SQLException {
    if ("YES".equals(word(row, 13))) {
      return "ALWAYS".equals(word(row, 14))
          ? Column.Generation.IDENTITY_ALWAYS
          : Column.Generation.IDENTITY_BY_DEFAULT;
    }
    return "ALWAYS".equals(word(row, 15)) ? Column.Generation.COMPUTED : Column.Generation.NONE;
  }

  private DataType type(Declared declared, Descriptor descriptor, String enumeration) {
    if (declared.name().equals("ARRAY")) {
      var element = elements.get(descriptor);
      return element == null
          ? new DataType.Other("ARRAY", true)
          : new DataType.Array(type(element, inner(descriptor, element), enumeration));
    }
    if (declared.name().equals("ENUM")) {
      return new DataType.Enumeration(
          enumeration.toLowerCase(Locale.ROOT), labels.getOrDefault(descriptor, List.of()));
    }
    return H2TypeNames.type(declared.name());
  }

  private String nativeType(Declared declared, Descriptor descriptor) {
    if (declared.name().equals("ARRAY")) {
      var element = elements.get(descriptor);
      return element == null ? "ARRAY" : nativeType(element, inner(descriptor, element)) + " ARRAY";
    }
    return declared.sql();
  }

  private static Descriptor inner(Descriptor outer, Declared element) {
    return new Descriptor(outer.schema(), outer.object(), outer.kind(), element.identifier());
  }

  private static ConstraintName constraint(ResultSet row) throws SQLException {
    return ConstraintName.from(row, 1);
  }

  private void usage(ResultSet row) throws SQLException {
    var table = new TableName(row.getString(3), row.getString(4));
    var usage =
        usages.computeIfAbsent(
            constraint(row), any -> new Usage(table, new ArrayList<>(), new ArrayList<>()));
    usage.columns().add(row.getString(5));
    usage.positions().add(row.getInt(6));
  }

  private void key(CatalogDraft draft, ConstraintName name, Usage usage) {
    var type = constraints.get(name);
    for (var column : usage.columns()) {
      if ("PRIMARY KEY".equals(type)) {
        draft.primaryKey(usage.table(), name.name(), column);
      } else if ("UNIQUE".equals(type)) {
        draft.uniqueKey(usage.table(), name.name(), column);
      }
    }
  }

  private static void index(CatalogDraft draft, ResultSet row) throws SQLException {
    if (row.getBoolean(5)) {
      draft.uniqueKey(table(row), row.getString(3), row.getString(4));
    } else {
      draft.index(table(row), row.getString(3), row.getString(4));
    }
  }

  private void foreignKey(CatalogDraft draft, ResultSet row) throws SQLException {
    var name = constraint(row);
    var usage = usages.get(name);
    var target = usages.get(ConstraintName.from(row, 3));
    if (usage == null || target == null) {
      return;
    }
    for (int i = 0; i < usage.columns().size(); i++) {
      var targetColumn = target.columns().get(usage.positions().get(i) - 1);
      draft.foreignKey(
          usage.table(), name.name(), usage.columns().get(i), target.table(), targetColumn);
    }
  }

  private static String defaultSchema(Connection connection) throws SQLException {
    var schema = connection.getSchema();
    return schema == null ? "PUBLIC" : schema;
  }

  private static Catalog.Folding folding(Connection connection) throws SQLException {
    return connection.getMetaData().storesUpperCaseIdentifiers()
        ? Catalog.Folding.UPPER
        : Catalog.Folding.NONE;
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.evita.api.testkit;

import dev.evita.api.DataType;
import dev.evita.api.DataType.Scalar;
import dev.evita.api.Relationship;
import dev.evita.api.TableName;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The tables that the suites read and write, their rows and their relationships.
 *
 * <p>All names are quoted and in lower case, so that they are the same on every engine. The
 * relationships are defined here rather than taken from the catalog: an engine without foreign keys
 * must support them as well.
 *
 * <pre>
 * brands --< products >-- categories (a tree)
 *            products --< prices (composite key) --< price_changes (composite foreign key)
 *            products --< product_tags >-- tags
 *            products --- product_details (one to one)
 *            products --< shelves (in another schema)
 * places --< routes (twice: origin and destination)
 * brands --< items --< item_notes (written to; emptied before each test)
 * </pre>
 */
final class Shop {

  static final String OTHER_SCHEMA = "warehouse";
  static final DataType.Enumeration MOOD =
      new DataType.Enumeration("mood", List.of("sad", "ok", "happy"));
  static final int READINGS = 60;
  static final int BIG_ROWS = 200_000;

  private final EngineDialect dialect;
  private final EngineDriver db;

  Shop(EngineDialect dialect, EngineDriver db) {
    this.dialect = dialect;
    this.db = db;
  }

  void create() {
    var statements = new ArrayList<>(dialect.typeDefinitions());
    statements.addAll(reference());
    statements.addAll(goods());
    statements.addAll(travel());
    statements.addAll(written());
    statements.addAll(extras());
    statements.forEach(db::script);
    rows().forEach(db::script);
    readings();
    big();
    dialect.routineDefinitions().forEach(db::script);
    db.engine().refresh();
  }

  private List<String> reference() {
    return List.of(
        table(
            "brands",
            "\"id\" " + integer() + " primary key",
            "\"name\" " + dialect.varcharType(100) + " not null" + unique(),
            "\"founded\" " + integer()),
        table(
            "categories",
            "\"id\" " + integer() + " primary key",
            "\"parent_id\" " + integer() + references("categories"),
            "\"name\" " + dialect.varcharType(100) + " not null"),
        table(
            "tags",
            "\"id\" " + integer() + " primary key",
            "\"label\" " + dialect.varcharType(100) + " not null"));
  }

  private List<String> goods() {
    return List.of(
        table(
            "products",
            "\"id\" " + bigint() + " not null primary key",
            "\"brand_id\" " + integer() + " not null" + references("brands"),
            "\"category_id\" " + integer() + references("categories"),
            "\"name\" " + dialect.varcharType(100) + " not null",
            "\"description\" " + type(Scalar.TEXT),
            "\"price\" " + dialect.decimalType(12, 2),
            "\"stock\" " + integer(),
            "\"active\" " + type(Scalar.BOOLEAN) + " not null",
            "\"weight\" " + type(Scalar.FLOAT64)),
        table(
            "prices",
            "\"product_id\" " + bigint() + " not null" + references("products"),
            "\"currency\" " + dialect.varcharType(3) + " not null",
            "\"amount\" " + dialect.decimalType(12, 2) + " not null",
            "primary key (\"product_id\", \"currency\")"),
        table(
            "price_changes",
            "\"id\" " + integer() + " primary key",
            "\"product_id\" " + bigint(),
            "\"currency\" " + dialect.varcharType(3),
            "\"old_amount\" " + dialect.decimalType(12, 2) + " not null",
            foreignKey("prices", "product_id", "currency")),
        table(
            "product_tags",
            "\"product_id\" " + bigint() + " not null" + references("products"),
            "\"tag_id\" " + integer() + " not null" + references("tags"),
            "primary key (\"product_id\", \"tag_id\")"),
        table(
            "product_details",
            "\"product_id\" " + bigint() + " primary key" + references("products"),
            "\"manual\" " + type(Scalar.TEXT) + " not null"));
  }

  private List<String> travel() {
    return List.of(
        table(
            "places",
            "\"id\" " + integer() + " primary key",
            "\"name\" " + dialect.varcharType(100) + " not null"),
        table(
            "routes",
            "\"id\" " + integer() + " primary key",
            "\"origin_id\" " + integer() + " not null" + references("places"),
            "\"destination_id\" " + integer() + references("places")),
        table(
            "readings",
            "\"id\" " + integer() + " primary key",
            "\"score\" " + integer(),
            "\"label\" " + dialect.varcharType(20) + " not null"),
        table(
            "big",
            "\"id\" " + integer() + " primary key",
            "\"label\" " + dialect.varcharType(40) + " not null"));
  }

  private List<String> written() {
    var items = new ArrayList<String>();
    items.add("\"id\" " + identity());
    items.add("\"code\" " + dialect.varcharType(10) + " not null" + unique());
    items.add("\"quantity\" " + integer() + defaulting("1") + " not null" + quantityCheck());
    items.add("\"small\" " + smallint());
    items.add("\"note\" " + dialect.varcharType(200));
    items.add("\"price\" " + dialect.decimalType(12, 2));
    items.add("\"brand_id\" " + integer() + references("brands"));
    if (dialect.has(EngineBehavior.GENERATED_COLUMNS)) {
      items.add("\"doubled\" " + dialect.computed("\"quantity\" * 2"));
    }
    var statements = new ArrayList<String>();
    statements.add(table("items", items.toArray(String[]::new)));
    statements.add(
        table(
            "item_notes",
            "\"item_id\" " + integer() + " not null" + references("items"),
            "\"line\" " + integer() + " not null",
            "\"text\" " + type(Scalar.TEXT),
            "primary key (\"item_id\", \"line\")"));
    if (dialect.has(EngineBehavior.IDENTITY_ALWAYS)) {
      statements.add(
          table(
              "tickets",
              "\"id\" " + dialect.identityAlways(),
              "\"title\" " + dialect.varcharType(20) + defaulting("'none'")));
    }
    return statements;
  }

  private List<String> extras() {
    var statements = new ArrayList<String>();
    statements.add(allTypes());
    statements.add(
        table(
            "select",
            "\"from\" " + integer() + " primary key",
            dialect.quoted("quo\"te") + " " + dialect.varcharType(40),
            dialect.quoted("with blank; drop table brands") + " " + dialect.varcharType(40),
            dialect.quoted("größe") + " " + dialect.varcharType(40)));
    if (dialect.has(EngineBehavior.CASE_SENSITIVE_NAMES)) {
      statements.add(table("twin", "\"id\" " + integer() + " primary key"));
      statements.add(
          table(
              "Twin",
              "\"id\" " + integer() + " primary key",
              "\"Id\" " + integer(),
              "\"ID\" " + integer()));
    }
    if (dialect.has(EngineBehavior.VIEWS)) {
      statements.add(
          "create view \"expensive_products\" as select \"id\", \"name\", \"price\" from"
              + " \"products\" where \"price\" > 90");
    }
    if (dialect.has(EngineBehavior.SCHEMAS)) {
      statements.add(dialect.createSchema(OTHER_SCHEMA));
      statements.add(shelves());
    }
    if (dialect.has(EngineBehavior.COMMENTS)) {
      statements.add(dialect.comment("products", null, "What is sold; it's all here"));
      statements.add(dialect.comment("products", "price", "Without tax"));
    }
    return statements;
  }

  private String shelves() {
    var products = db.table("products");
    var constraint =
        dialect.has(EngineBehavior.FOREIGN_KEYS)
            ? " references " + dialect.quoted(products.schema()) + ".\"products\" (\"id\")"
            : "";
    return "create table \"warehouse\".\"shelves\" (\"id\" "
        + integer()
        + " primary key, \"product_id\" "
        + bigint()
        + " not null"
        + constraint
        + ")";
  }

  private String allTypes() {
    var columns = new ArrayList<String>();
    columns.add("\"id\" " + integer() + " primary key");
    typeColumns().forEach((name, type) -> columns.add('"' + name + "\" " + type(type)));
    return table("all_types", columns.toArray(String[]::new));
  }

  /** The columns of {@code all_types}: one for each type of the database. */
  Map<String, DataType> typeColumns() {
    var columns = new LinkedHashMap<String, DataType>();
    for (var scalar : Scalar.values()) {
      columns.put("c_" + scalar.name().toLowerCase(Locale.ROOT), scalar);
    }
    columns.put("c_int32_array", new DataType.Array(Scalar.INT32));
    columns.put("c_text_array", new DataType.Array(Scalar.TEXT));
    columns.put("c_mood", MOOD);
    columns.values().removeIf(type -> dialect.typeName(type) == null);
    return columns;
  }

  private static List<String> rows() {
    return List.of(
        "insert into \"brands\" values (1, 'Acme', 1920), (2, 'Borg', 2365), (3, 'Zeta', null)",
        "insert into \"categories\" values (1, null, 'All'), (2, 1, 'Tools'), (4, 1, 'Soft'), (3,"
            + " 2, 'Hand tools'), (5, 2, 'Machines')",
        "insert into \"tags\" values (1, 'new'), (2, 'sale'), (3, 'heavy'), (4, 'unused')",
        """
        insert into "products" values
          (1, 1, 3, 'Anvil', 'Heavy', 99.90, 5, true, 50.5),
          (2, 1, 3, 'Rope', null, 9.50, 100, true, 1.25),
          (3, 1, 5, 'Rocket skates', 'Fast', 250.00, 0, false, 8.0),
          (4, 2, 5, 'Cube', null, 1000.00, 1, true, null),
          (5, 2, null, 'anvil', 'Lower case', 99.90, null, false, 45.0),
          (6, 2, 4, '100% wool', 'a_b', 20.00, 7, true, 0.5),
          (7, 2, 4, 'Käse', 'a\\b', 3.30, 12, true, 0.25),
          (8, 1, null, 'It''s "quoted"', null, null, 3, true, null)\
        """,
        """
        insert into "prices" values
          (1, 'EUR', 95.00), (1, 'USD', 105.00), (2, 'EUR', 9.00), (3, 'CHF', 255.00),
          (3, 'EUR', 240.00), (3, 'USD', 260.00), (4, 'EUR', 990.00)\
        """,
        """
        insert into "price_changes" values
          (1, 1, 'EUR', 90.00), (2, 1, 'EUR', 92.50), (3, 3, 'CHF', 250.00),
          (4, null, null, 1.00), (5, 1, null, 2.00)\
        """,
        "insert into \"product_tags\" values (1, 2), (1, 3), (2, 2), (3, 1), (4, 1), (4, 3)",
        "insert into \"product_details\" values (1, 'Drop it.'), (3, 'Wear it.')",
        "insert into \"places\" values (1, 'Oslo'), (2, 'Lima'), (3, 'Rome')",
        "insert into \"routes\" values (1, 1, 2), (2, 2, 1), (3, 1, 3), (4, 3, null)",
        "insert into \"select\" values (1, 'one', 'two', 'three')");
  }

  /** Every fourth score is null, the others repeat. */
  private void readings() {
    var values = new ArrayList<String>();
    for (int id = 1; id <= READINGS; id++) {
      var score = id % 4 == 0 ? "null" : String.valueOf(id * 7 % 10);
      values.add("(" + id + ", " + score + ", 'label" + id % 5 + "')");
    }
    db.script("insert into \"readings\" values " + String.join(", ", values));
  }

  private void big() {
    var first = BIG_ROWS / 64;
    var values = new ArrayList<String>();
    for (int id = 1; id <= first; id++) {
      values.add("(" + id + ", 'row number " + id + "')");
    }
    db.script("insert into \"big\" values " + String.join(", ", values));
    for (int size = first; size < BIG_ROWS; size *= 2) {
      db.script(
          "insert into \"big\" (\"id\", \"label\") select \"id\" + "
              + size
              + ", \"label\" from \"big\"");
    }
  }

  /** Empties the tables that tests write to. */
  void clean() {
    db.script("delete from \"item_notes\"; delete from \"items\"; delete from \"all_types\"");
    if (dialect.has(EngineBehavior.IDENTITY_ALWAYS)) {
      db.script("delete from \"tickets\"");
    }
  }

  String table(String name, String... parts) {
    var present = Arrays.stream(parts).filter(part -> !part.isEmpty()).toList();
    return "create table " + dialect.quoted(name) + " (" + String.join(", ", present) + ")";
  }

  String type(DataType type) {
    var name = dialect.typeName(type);
    if (name == null) {
      throw new AssertionError("typeName must answer for " + type);
    }
    return name;
  }

  String integer() {
    return type(Scalar.INT32);
  }

  private String bigint() {
    return type(Scalar.INT64);
  }

  private String smallint() {
    var name = dialect.typeName(Scalar.INT16);
    return name == null ? integer() : name;
  }

  private String identity() {
    return dialect.has(EngineBehavior.IDENTITY_BY_DEFAULT)
        ? dialect.identityByDefault()
        : integer() + " primary key";
  }

  private String unique() {
    return dialect.has(EngineBehavior.UNIQUE_CONSTRAINTS) ? " unique" : "";
  }

  private String defaulting(String value) {
    return dialect.has(EngineBehavior.DEFAULTS) ? " default " + value : "";
  }

  private String quantityCheck() {
    return dialect.has(EngineBehavior.CHECK_CONSTRAINTS) ? " check (\"quantity\" >= 0)" : "";
  }

  private String references(String target) {
    return dialect.has(EngineBehavior.FOREIGN_KEYS)
        ? " references " + dialect.quoted(target) + " (\"id\")"
        : "";
  }

  private String foreignKey(String target, String first, String second) {
    var columns = "(\"" + first + "\", \"" + second + "\")";
    return dialect.has(EngineBehavior.FOREIGN_KEYS)
        ? "foreign key " + columns + " references " + dialect.quoted(target) + " " + columns
        : "";
  }

  /**
   * All relationships between the tables of the default schema, named as the catalog must name
   * them.
   */
  List<Relationship> relationships() {
    return List.of(
        one("brand", "products", "brand_id", "brands"),
        many("products", "brands", "products", "brand_id"),
        one("category", "products", "category_id", "categories"),
        many("products", "categories", "products", "category_id"),
        one("parent", "categories", "parent_id", "categories"),
        many("categories", "categories", "categories", "parent_id"),
        one("product", "prices", "product_id", "products"),
        many("prices", "products", "prices", "product_id"),
        composite("prices", "price_changes", "prices", true),
        composite("price_changes", "prices", "price_changes", false),
        one("product", "product_tags", "product_id", "products"),
        many("product_tags", "products", "product_tags", "product_id"),
        one("tag", "product_tags", "tag_id", "tags"),
        many("product_tags", "tags", "product_tags", "tag_id"),
        one("product", "product_details", "product_id", "products"),
        relationship("product_details", "products", "id", "product_details", "product_id", true),
        one("origin", "routes", "origin_id", "places"),
        one("destination", "routes", "destination_id", "places"),
        many("routes_by_origin_id", "places", "routes", "origin_id"),
        many("routes_by_destination_id", "places", "routes", "destination_id"),
        one("brand", "items", "brand_id", "brands"),
        many("items", "brands", "items", "brand_id"),
        one("item", "item_notes", "item_id", "items"),
        many("item_notes", "items", "item_notes", "item_id"));
  }

  /** Returns the relationship of this name. */
  Relationship relationship(String from, String name) {
    return relationships().stream()
        .filter(candidate -> candidate.from().equals(db.table(from)))
        .filter(candidate -> candidate.name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  private Relationship one(String name, String from, String column, String to) {
    return relationship(name, from, column, to, "id", true);
  }

  private Relationship many(String name, String from, String to, String column) {
    return relationship(name, from, "id", to, column, false);
  }

  private Relationship relationship(
      String name, String from, String fromColumn, String to, String toColumn, boolean single) {
    return of(name, db.table(from), List.of(fromColumn), db.table(to), List.of(toColumn), single);
  }

  private Relationship composite(String name, String from, String to, boolean single) {
    var columns = List.of("product_id", "currency");
    return of(name, db.table(from), columns, db.table(to), columns, single);
  }

  private static Relationship of(
      String name,
      TableName from,
      List<String> fromColumns,
      TableName to,
      List<String> toColumns,
      boolean single) {
    return new Relationship(name, from, fromColumns, to, toColumns, single, "");
  }
}

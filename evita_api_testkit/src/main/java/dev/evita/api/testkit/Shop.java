// SPDX-License-Identifier: Apache-2.0
package dev.evita.api.testkit;

import dev.evita.api.Column.Generation;
import dev.evita.api.DataType;
import dev.evita.api.DataType.Scalar;
import dev.evita.api.Relationship;
import dev.evita.api.TableName;
import dev.evita.api.testkit.TableDefinition.Reference;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The tables that the suites read and write, their rows and their relationships.
 *
 * <p>All names are exact and in lower case, so that they are the same on every engine. The
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

  private final Predicate<EngineBehavior> has;
  private final EngineFixture fixture;
  private final EngineDriver db;

  Shop(Predicate<EngineBehavior> has, EngineFixture fixture, EngineDriver db) {
    this.has = has;
    this.fixture = fixture;
    this.db = db;
  }

  void create() {
    reference();
    goods();
    travel();
    written();
    extras();
    rows();
    readings();
    big();
    if (has.test(EngineBehavior.ROUTINES)) {
      fixture.createRoutines();
    }
    db.engine().refresh();
  }

  private void reference() {
    create("brands", List.of("id"), integer("id"), unique(text("name", 100)), integer("founded"));
    create(
        "categories",
        List.of("id"),
        List.of(references("categories", "parent_id")),
        integer("id"),
        integer("parent_id"),
        text("name", 100).required());
    create("tags", List.of("id"), integer("id"), text("label", 100).required());
  }

  private void goods() {
    create(
        products(),
        "products",
        List.of("id"),
        List.of(references("brands", "brand_id"), references("categories", "category_id")),
        bigint("id"),
        integer("brand_id").required(),
        integer("category_id"),
        text("name", 100).required(),
        ColumnDefinition.of("description", Scalar.TEXT),
        commented(money("price"), "Without tax"),
        integer("stock"),
        ColumnDefinition.of("active", Scalar.BOOLEAN).required(),
        ColumnDefinition.of("weight", Scalar.FLOAT64));
    create(
        "prices",
        List.of("product_id", "currency"),
        List.of(references("products", "product_id")),
        bigint("product_id"),
        text("currency", 3),
        money("amount").required());
    create(
        "price_changes",
        List.of("id"),
        List.of(
            new Reference(
                List.of("product_id", "currency"), "prices", List.of("product_id", "currency"))),
        integer("id"),
        bigint("product_id"),
        text("currency", 3),
        money("old_amount").required());
    create(
        "product_tags",
        List.of("product_id", "tag_id"),
        List.of(references("products", "product_id"), references("tags", "tag_id")),
        bigint("product_id"),
        integer("tag_id"));
    create(
        "product_details",
        List.of("product_id"),
        List.of(references("products", "product_id")),
        bigint("product_id"),
        ColumnDefinition.of("manual", Scalar.TEXT).required());
  }

  private @Nullable String products() {
    return has.test(EngineBehavior.COMMENTS) ? "What is sold; it's all here" : null;
  }

  private void travel() {
    create("places", List.of("id"), integer("id"), text("name", 100).required());
    create(
        "routes",
        List.of("id"),
        List.of(references("places", "origin_id"), references("places", "destination_id")),
        integer("id"),
        integer("origin_id").required(),
        integer("destination_id"));
    create(
        "readings", List.of("id"), integer("id"), integer("score"), text("label", 20).required());
    create("big", List.of("id"), integer("id"), text("label", 40).required());
  }

  private void written() {
    var items = new ArrayList<ColumnDefinition>();
    items.add(
        generated(
            integer("id"), EngineBehavior.IDENTITY_BY_DEFAULT, Generation.IDENTITY_BY_DEFAULT));
    items.add(unique(text("code", 10)));
    items.add(quantity());
    items.add(
        ColumnDefinition.of(
            "small",
            has.test(EngineBehavior.RANGE_LIMITS) && fixture.supports(Scalar.INT16)
                ? Scalar.INT16
                : Scalar.INT32));
    items.add(text("note", 200));
    items.add(money("price"));
    items.add(integer("brand_id"));
    if (has.test(EngineBehavior.GENERATED_COLUMNS)) {
      items.add(integer("doubled").generated(Generation.COMPUTED, "quantity"));
    }
    create(
        "items",
        List.of("id"),
        List.of(references("brands", "brand_id")),
        items.toArray(ColumnDefinition[]::new));
    create(
        "item_notes",
        List.of("item_id", "line"),
        List.of(references("items", "item_id")),
        integer("item_id"),
        integer("line"),
        ColumnDefinition.of("text", Scalar.TEXT));
    if (has.test(EngineBehavior.IDENTITY_ALWAYS)) {
      create(
          "tickets",
          List.of("id"),
          integer("id").generated(Generation.IDENTITY_ALWAYS, null),
          defaulting(text("title", 20), "none"));
    }
  }

  private ColumnDefinition quantity() {
    var quantity = defaulting(integer("quantity"), 1L).required();
    return has.test(EngineBehavior.CHECK_CONSTRAINTS) ? quantity.atLeast(0) : quantity;
  }

  private void extras() {
    var types = new ArrayList<ColumnDefinition>();
    types.add(integer("id"));
    typeColumns().forEach((name, type) -> types.add(ColumnDefinition.of(name, type)));
    create("all_types", List.of("id"), types.toArray(ColumnDefinition[]::new));
    create(
        "select",
        List.of("from"),
        integer("from"),
        text("quo\"te", 40),
        text("with blank; drop table brands", 40),
        text("größe", 40));
    if (has.test(EngineBehavior.CASE_SENSITIVE_NAMES)) {
      create("twin", List.of("id"), integer("id"));
      create("Twin", List.of("id"), integer("id"), integer("Id"), integer("ID"));
    }
    if (has.test(EngineBehavior.VIEWS)) {
      fixture.createView(
          "expensive_products", "products", List.of("id", "name", "price"), "price", 90);
    }
    if (has.test(EngineBehavior.SCHEMAS)) {
      fixture.createSchema(OTHER_SCHEMA);
      fixture.createTable(
          new TableDefinition(
              OTHER_SCHEMA,
              "shelves",
              List.of(integer("id").required(), bigint("product_id").required()),
              List.of("id"),
              has.test(EngineBehavior.FOREIGN_KEYS)
                  ? List.of(references("products", "product_id"))
                  : List.of(),
              null));
    }
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
    columns.values().removeIf(type -> !hasType(type));
    return columns;
  }

  /** Whether there are columns of a type. */
  boolean hasType(DataType type) {
    var behavior = behaviorOf(type);
    return (behavior == null || has.test(behavior)) && fixture.supports(type);
  }

  private static @Nullable EngineBehavior behaviorOf(DataType type) {
    return switch (type) {
      case Scalar scalar ->
          switch (scalar) {
            case DATE, TIME, TIMESTAMP -> EngineBehavior.NATIVE_DATES;
            case TIME_TZ, TIMESTAMP_TZ -> EngineBehavior.TIME_ZONES;
            default -> null;
          };
      case DataType.Array array -> EngineBehavior.ARRAYS;
      case DataType.Enumeration enumeration -> EngineBehavior.ENUMERATIONS;
      case DataType.Other other -> null;
    };
  }

  private void rows() {
    insert(
        "brands",
        "id name founded",
        row(1, "Acme", 1920),
        row(2, "Borg", 2365),
        row(3, "Zeta", null));
    insert(
        "categories",
        "id parent_id name",
        row(1, null, "All"),
        row(2, 1, "Tools"),
        row(4, 1, "Soft"),
        row(3, 2, "Hand tools"),
        row(5, 2, "Machines"));
    insert("tags", "id label", row(1, "new"), row(2, "sale"), row(3, "heavy"), row(4, "unused"));
    insert(
        "products",
        "id brand_id category_id name description price stock active weight",
        row(1, 1, 3, "Anvil", "Heavy", amount("99.90"), 5, true, 50.5),
        row(2, 1, 3, "Rope", null, amount("9.50"), 100, true, 1.25),
        row(3, 1, 5, "Rocket skates", "Fast", amount("250.00"), 0, false, 8.0),
        row(4, 2, 5, "Cube", null, amount("1000.00"), 1, true, null),
        row(5, 2, null, "anvil", "Lower case", amount("99.90"), null, false, 45.0),
        row(6, 2, 4, "100% wool", "a_b", amount("20.00"), 7, true, 0.5),
        row(7, 2, 4, "Käse", "a\\b", amount("3.30"), 12, true, 0.25),
        row(8, 1, null, "It's \"quoted\"", null, null, 3, true, null));
    insert(
        "prices",
        "product_id currency amount",
        row(1, "EUR", amount("95.00")),
        row(1, "USD", amount("105.00")),
        row(2, "EUR", amount("9.00")),
        row(3, "CHF", amount("255.00")),
        row(3, "EUR", amount("240.00")),
        row(3, "USD", amount("260.00")),
        row(4, "EUR", amount("990.00")));
    insert(
        "price_changes",
        "id product_id currency old_amount",
        row(1, 1, "EUR", amount("90.00")),
        row(2, 1, "EUR", amount("92.50")),
        row(3, 3, "CHF", amount("250.00")),
        row(4, null, null, amount("1.00")),
        row(5, 1, null, amount("2.00")));
    insert(
        "product_tags",
        "product_id tag_id",
        row(1, 2),
        row(1, 3),
        row(2, 2),
        row(3, 1),
        row(4, 1),
        row(4, 3));
    insert("product_details", "product_id manual", row(1, "Drop it."), row(3, "Wear it."));
    insert("places", "id name", row(1, "Oslo"), row(2, "Lima"), row(3, "Rome"));
    insert(
        "routes",
        "id origin_id destination_id",
        row(1, 1, 2),
        row(2, 2, 1),
        row(3, 1, 3),
        row(4, 3, null));
    fixture.insert(
        "select",
        List.of("from", "quo\"te", "with blank; drop table brands", "größe"),
        List.of(row(1, "one", "two", "three")));
  }

  private static BigDecimal amount(String text) {
    return new BigDecimal(text);
  }

  private static List<@Nullable Object> row(@Nullable Object... values) {
    return Collections.unmodifiableList(Arrays.asList(values));
  }

  /**
   * Inserts rows.
   *
   * @param columns separated by blanks
   */
  @SafeVarargs
  final void insert(String table, String columns, List<@Nullable Object>... rows) {
    var all = new ArrayList<List<@Nullable Object>>();
    for (var row : rows) {
      all.add(row);
    }
    fixture.insert(table, List.of(columns.split(" ", -1)), all);
  }

  /** Every fourth score is null, the others repeat. */
  private void readings() {
    var rows = new ArrayList<List<@Nullable Object>>();
    for (int id = 1; id <= READINGS; id++) {
      rows.add(row(id, id % 4 == 0 ? null : id * 7 % 10, "label" + id % 5));
    }
    fixture.insert("readings", List.of("id", "score", "label"), rows);
  }

  private void big() {
    var rows = new ArrayList<List<@Nullable Object>>();
    for (int id = 1; id <= BIG_ROWS; id++) {
      rows.add(row(id, "row number " + id));
    }
    fixture.insert("big", List.of("id", "label"), rows);
  }

  /** Empties the tables that tests write to. */
  void clean() {
    fixture.deleteAll("item_notes");
    fixture.deleteAll("items");
    fixture.deleteAll("all_types");
    if (has.test(EngineBehavior.IDENTITY_ALWAYS)) {
      fixture.deleteAll("tickets");
    }
  }

  /** A table of one column, {@code id}. */
  static TableDefinition small(String name) {
    return new TableDefinition(
        null, name, List.of(integer("id").required()), List.of("id"), List.of(), null);
  }

  private void create(String name, List<String> key, ColumnDefinition... columns) {
    create(name, key, List.of(), columns);
  }

  private void create(
      String name, List<String> key, List<Reference> references, ColumnDefinition... columns) {
    create(null, name, key, references, columns);
  }

  private void create(
      @Nullable String comment,
      String name,
      List<String> key,
      List<Reference> references,
      ColumnDefinition... columns) {
    var all =
        Arrays.stream(columns)
            .map(column -> key.contains(column.name()) ? column.required() : column)
            .toList();
    var foreignKeys = has.test(EngineBehavior.FOREIGN_KEYS) ? references : List.<Reference>of();
    fixture.createTable(new TableDefinition(null, name, all, key, foreignKeys, comment));
  }

  private static ColumnDefinition integer(String name) {
    return ColumnDefinition.of(name, Scalar.INT32);
  }

  private static ColumnDefinition bigint(String name) {
    return ColumnDefinition.of(name, Scalar.INT64);
  }

  private static ColumnDefinition money(String name) {
    return ColumnDefinition.of(name, Scalar.DECIMAL).limited(12, 2);
  }

  private ColumnDefinition text(String name, int length) {
    var column = ColumnDefinition.of(name, Scalar.TEXT);
    return has.test(EngineBehavior.LENGTH_LIMITS) ? column.limited(length, 0) : column;
  }

  private ColumnDefinition unique(ColumnDefinition column) {
    var required = column.required();
    return has.test(EngineBehavior.UNIQUE_CONSTRAINTS) ? required.withoutDuplicates() : required;
  }

  private ColumnDefinition defaulting(ColumnDefinition column, Object value) {
    return has.test(EngineBehavior.DEFAULTS) ? column.withDefault(value) : column;
  }

  private ColumnDefinition generated(
      ColumnDefinition column, EngineBehavior behavior, Generation generation) {
    return has.test(behavior) ? column.generated(generation, null) : column;
  }

  private ColumnDefinition commented(ColumnDefinition column, String text) {
    return has.test(EngineBehavior.COMMENTS) ? column.commented(text) : column;
  }

  private static Reference references(String table, String column) {
    return new Reference(List.of(column), table, List.of("id"));
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

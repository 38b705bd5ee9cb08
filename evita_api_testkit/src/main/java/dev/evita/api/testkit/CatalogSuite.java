// SPDX-License-Identifier: Apache-2.0
package dev.evita.api.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.evita.api.Arguments;
import dev.evita.api.Capability;
import dev.evita.api.Column;
import dev.evita.api.DataType;
import dev.evita.api.DataType.Scalar;
import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import dev.evita.api.Filter;
import dev.evita.api.Key;
import dev.evita.api.Relationship;
import dev.evita.api.Select;
import dev.evita.api.Table;
import dev.evita.api.TableName;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** The content of the catalog. */
interface CatalogSuite extends EngineSuite {

  private Table readTable(String name) {
    return db().catalog().requireTable(db().table(name));
  }

  private Column readColumn(String table, String column) {
    return readTable(table).column(column).orElseThrow();
  }

  @Test
  default void capabilities_matchTheBehaviors() {
    for (var capability : Capability.values()) {
      assertThat(db().engine().capabilities().contains(capability))
          .as("capability and behaviour %s", capability)
          .isEqualTo(supports(EngineBehavior.valueOf(capability.name())));
    }
  }

  @Test
  default void engineName_isNotBlank() {
    assertThat(db().engine().name()).isNotBlank();
  }

  @Test
  default void tables_excludeSystemTables() {
    assertThat(db().catalog().tables())
        .extracting(table -> table.name().table())
        .contains("brands", "products", "prices", "all_types", "select")
        .noneMatch(name -> name.startsWith("sqlite_") || name.startsWith("pg_"));
  }

  @Test
  default void columns_keepTheirOrder() {
    assertThat(readTable("products").columns())
        .extracting(Column::name)
        .containsExactly(
            "id",
            "brand_id",
            "category_id",
            "name",
            "description",
            "price",
            "stock",
            "active",
            "weight");
  }

  @Test
  default void columns_haveTheDeclaredTypes() {
    var table = readTable("all_types");
    shop()
        .typeColumns()
        .forEach((name, type) -> {
          var read = table.column(name).orElseThrow().type();
          if (type instanceof DataType.Enumeration mood) {
            assertThat(read).isInstanceOf(DataType.Enumeration.class);
            assertThat(((DataType.Enumeration) read).labels()).isEqualTo(mood.labels());
          } else {
            assertThat(read).as(name).isEqualTo(type);
          }
        });
  }

  @Test
  default void types_existWithTheirBehaviors() {
    assertThat(shop().hasType(new DataType.Array(Scalar.INT32)))
        .isEqualTo(supports(EngineBehavior.ARRAYS));
    assertThat(shop().hasType(Shop.MOOD)).isEqualTo(supports(EngineBehavior.ENUMERATIONS));
    assertThat(shop().hasType(Scalar.DATE)).isEqualTo(supports(EngineBehavior.NATIVE_DATES));
    assertThat(shop().hasType(Scalar.TIMESTAMP_TZ)).isEqualTo(supports(EngineBehavior.TIME_ZONES));
  }

  @Test
  default void nullability_isRead() {
    assertThat(readColumn("products", "brand_id").nullable()).isFalse();
    assertThat(readColumn("products", "category_id").nullable()).isTrue();
    assertThat(readColumn("products", "id").nullable()).isFalse();
    assertThat(readColumn("products", "name").required()).isTrue();
  }

  @Test
  default void nativeTypes_areNotBlank() {
    assertThat(readTable("products").columns())
        .allSatisfy(column -> assertThat(column.nativeType()).isNotBlank());
  }

  @Test
  default void primaryKey_isRead() {
    assertThat(primaryKey("products")).containsExactly("id");
    assertThat(primaryKey("prices")).containsExactly("product_id", "currency");
    assertThat(readTable("prices").identifies(List.of("currency", "product_id"))).isTrue();
    assertThat(readTable("prices").identifies(List.of("currency"))).isFalse();
  }

  private List<String> primaryKey(String table) {
    return Objects.requireNonNull(readTable(table).primaryKey()).columns();
  }

  @Test
  default void uniqueKeys_excludeThePrimaryKey() {
    var keys = readTable("brands").uniqueKeys();
    if (supports(EngineBehavior.UNIQUE_CONSTRAINTS)) {
      assertThat(keys).extracting(Key::columns).containsExactly(List.of("name"));
    } else {
      assertThat(keys).isEmpty();
    }
    assertThat(readTable("tags").uniqueKeys()).isEmpty();
  }

  @Test
  default void indexes_areRead() {
    if (!supports(EngineBehavior.INDEXES)) {
      assertThat(readTable("readings").indexes()).isEmpty();
      return;
    }
    fixture().createIndex("ix_score", "readings", List.of("score", "label"));
    try {
      db().engine().refresh();
      assertThat(readTable("readings").indexes())
          .extracting(Key::columns)
          .contains(List.of("score", "label"));
    } finally {
      fixture().dropIndex("ix_score");
      db().engine().refresh();
    }
  }

  @Test
  default void defaults_areRead() {
    var column = readColumn("items", "quantity");
    if (supports(EngineBehavior.DEFAULTS)) {
      assertThat(column.defaultExpression()).contains("1");
      assertThat(column.required()).isFalse();
    } else {
      assertThat(column.defaultExpression()).isNull();
      assertThat(column.required()).isTrue();
    }
    assertThat(readColumn("items", "note").defaultExpression()).isNull();
  }

  @Test
  default void identity_isReadAsGeneration() {
    assertThat(readColumn("items", "id").generation())
        .isEqualTo(
            supports(EngineBehavior.IDENTITY_BY_DEFAULT)
                ? Column.Generation.IDENTITY_BY_DEFAULT
                : Column.Generation.NONE);
    assertThat(readColumn("products", "id").generation()).isEqualTo(Column.Generation.NONE);
    if (supports(EngineBehavior.IDENTITY_ALWAYS)) {
      assertThat(readColumn("tickets", "id").generation())
          .isEqualTo(Column.Generation.IDENTITY_ALWAYS);
    } else {
      assertThat(db().catalog().table(db().table("tickets"))).isEmpty();
    }
  }

  @Test
  default void computedColumn_isNotWritable() {
    if (!supports(EngineBehavior.GENERATED_COLUMNS)) {
      assertThat(readTable("items").column("doubled")).isEmpty();
      return;
    }
    assertThat(readColumn("items", "doubled").generation()).isEqualTo(Column.Generation.COMPUTED);
    assertThat(readColumn("items", "doubled").writable()).isFalse();
  }

  @Test
  default void comments_areRead() {
    var there = supports(EngineBehavior.COMMENTS);
    assertThat(readTable("products").comment())
        .isEqualTo(there ? "What is sold; it's all here" : null);
    assertThat(readColumn("products", "price").comment()).isEqualTo(there ? "Without tax" : null);
    assertThat(readTable("brands").comment()).isNull();
    assertThat(readColumn("products", "name").comment()).isNull();
  }

  @Test
  default void foreignKeys_referPositionByPosition() {
    var keys = readTable("price_changes").foreignKeys();
    if (!supports(EngineBehavior.FOREIGN_KEYS)) {
      assertThat(keys).isEmpty();
      return;
    }
    assertThat(keys).hasSize(1);
    assertThat(keys.getFirst().columns()).containsExactly("product_id", "currency");
    assertThat(keys.getFirst().target()).isEqualTo(db().table("prices"));
    assertThat(keys.getFirst().targetColumns()).containsExactly("product_id", "currency");
    assertThat(readTable("routes").foreignKeys()).hasSize(2);
  }

  @Test
  default void relationships_existInBothDirections() {
    var read =
        db().catalog().tables().stream()
            .filter(table -> table.name().schema().equals(db().catalog().defaultSchema()))
            .flatMap(table -> db().catalog().relationships(table.name()).stream())
            .filter(way -> way.to().schema().equals(db().catalog().defaultSchema()))
            .toList();
    if (supports(EngineBehavior.FOREIGN_KEYS)) {
      assertThat(read)
          .usingRecursiveFieldByFieldElementComparatorIgnoringFields("foreignKey")
          .containsExactlyInAnyOrderElementsOf(shop().relationships());
    } else {
      assertThat(read).isEmpty();
    }
  }

  @Test
  default void view_isReadAsView() {
    if (!supports(EngineBehavior.VIEWS)) {
      assertThat(db().catalog().tables()).extracting(Table::kind).containsOnly(Table.Kind.TABLE);
      return;
    }
    var view = readTable("expensive_products");
    assertThat(view.kind()).isEqualTo(Table.Kind.VIEW);
    assertThat(view.primaryKey()).isNull();
    assertThat(view.columns()).extracting(Column::name).containsExactly("id", "name", "price");
    assertThat(db().column(select("expensive_products", "id")))
        .containsExactlyInAnyOrder(1L, 3L, 4L, 5L);
    assertThat(readTable("products").kind()).isEqualTo(Table.Kind.TABLE);
  }

  @Test
  default void otherSchema_hasItsOwnTables() {
    if (!supports(EngineBehavior.SCHEMAS)) {
      assertThat(db().catalog().schemas()).hasSize(1);
      return;
    }
    var name = new TableName(Shop.OTHER_SCHEMA, "shelves");
    assertThat(db().catalog().requireTable(name).columns()).hasSize(2);
    assertThat(db().catalog().apiName(name)).isEqualTo("warehouse_shelves");
    assertThat(db().rows(Select.of(name, EngineSuite.columns("id")))).isEmpty();
    if (supports(EngineBehavior.FOREIGN_KEYS)) {
      assertThat(db().catalog().relationships(db().table("products")))
          .extracting(Relationship::name)
          .contains("warehouse_shelves");
    }
  }

  @Test
  default void unusualNames_areSupported() {
    var odd = "with blank; drop table brands";
    var bind = new Bindings();
    var select =
        select("select", "from", "quo\"te", odd, "größe")
            .where(new Filter.And(List.of(bind.equal("größe", "three"), bind.equal(odd, "two"))));
    assertThat(db().rows(select, bind)).containsExactly(EngineDriver.row(1, "one", "two", "three"));
  }

  @Test
  default void names_differingByCase_areDistinct() {
    if (!supports(EngineBehavior.CASE_SENSITIVE_NAMES)) {
      fixture().createTable(Shop.small("twin"));
      assertThatThrownBy(() -> fixture().createTable(Shop.small("Twin")))
          .isInstanceOf(EvitaException.class);
      fixture().dropTable("twin");
      db().engine().refresh();
      return;
    }
    assertThat(readTable("twin").columns()).hasSize(1);
    assertThat(readTable("Twin").columns())
        .extracting(Column::name)
        .containsExactly("id", "Id", "ID");
    assertThat(db().rows(select("Twin", "id", "Id", "ID"))).isEmpty();
  }

  @Test
  default void unquotedName_isPublishedInLowerCase() {
    db().script("create table folded (folded_id integer)");
    try {
      var catalog = db().engine().refresh();
      var table =
          catalog.tables().stream()
              .filter(candidate -> candidate.name().table().equalsIgnoreCase("folded"))
              .findFirst()
              .orElseThrow();
      assertThat(catalog.apiName(table.name())).isEqualTo("folded");
      var column = table.columns().getFirst().name();
      assertThat(catalog.apiName(table.name(), column)).isEqualTo("folded_id");
    } finally {
      db().script("drop table folded");
      db().engine().refresh();
    }
  }

  @Test
  default void epoch_growsWithDdl() {
    var before = db().catalog();
    fixture().createTable(Shop.small("passing"));
    var during = db().engine().refresh();
    assertThat(during.epoch()).isGreaterThan(before.epoch());
    assertThat(during.table(db().table("passing"))).isPresent();
    assertThat(before.table(db().table("passing"))).isEmpty();
    fixture().dropTable("passing");
    assertThat(db().engine().refresh().epoch()).isGreaterThan(during.epoch());
    assertThat(db().catalog().table(db().table("passing"))).isEmpty();
  }

  @Test
  default void refresh_withoutChange_returnsTheSameInstance() {
    var catalog = db().engine().refresh();
    assertThat(db().engine().refresh()).isSameAs(catalog);
    assertThat(db().catalog()).isSameAs(catalog);
  }

  @Test
  default void preparedBeforeDdl_isCorrectOrCatalogChanged() {
    fixture().createTable(Shop.small("passing"));
    db().engine().refresh();
    var prepared = db().prepare(select("passing", "id"));
    fixture().dropTable("passing");
    var sink = new CollectingSink();
    prepared.run(Arguments.NONE, null, sink);
    var failure = sink.await(EngineDriver.PATIENCE).failure();
    assertThat(failure).isNotNull();
    assertThat(Objects.requireNonNull(failure).code()).isEqualTo(ErrorCode.CATALOG_CHANGED);
  }

  @Test
  default void requireTable_unknown_isUnknownTable() {
    assertThatThrownBy(() -> db().catalog().requireTable(db().table("nowhere")))
        .isInstanceOfSatisfying(
            EvitaException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.UNKNOWN_TABLE));
  }
}

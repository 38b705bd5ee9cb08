// SPDX-License-Identifier: Apache-2.0
package dev.evita.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.evita.api.Catalog.Folding;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class CatalogTest {

  private static final String MAIN = "main";

  private static TableName name(String table) {
    return new TableName(MAIN, table);
  }

  /** A table whose first column is its primary key. */
  private static Table table(TableName name, String... columns) {
    return new Table(
        name,
        Table.Kind.TABLE,
        Arrays.stream(columns)
            .map(column -> Column.of(column, DataType.Scalar.INT32, true))
            .toList(),
        new Key("pk", List.of(columns[0])),
        List.of(),
        List.of(),
        List.of(),
        null);
  }

  private static Table table(String name, String... columns) {
    return table(name(name), columns);
  }

  private static Table referring(Table table, ForeignKey... keys) {
    return new Table(
        table.name(),
        table.kind(),
        table.columns(),
        table.primaryKey(),
        table.uniqueKeys(),
        table.indexes(),
        List.of(keys),
        table.comment());
  }

  private static ForeignKey key(String column, String target) {
    return key(column, name(target));
  }

  private static ForeignKey key(String column, TableName target) {
    return new ForeignKey("fk_" + column, List.of(column), target, List.of("id"));
  }

  private static Catalog catalog(Table... tables) {
    return catalog(Folding.NONE, tables);
  }

  private static Catalog catalog(Folding folding, Table... tables) {
    var schemas = new ArrayList<Schema>();
    Arrays.stream(tables)
        .map(table -> table.name().schema())
        .distinct()
        .forEach(schema ->
            schemas.add(
                new Schema(
                    schema,
                    Arrays.stream(tables)
                        .filter(table -> table.name().schema().equals(schema))
                        .toList(),
                    List.of(),
                    null)));
    return new Catalog(1, MAIN, folding, schemas);
  }

  private static List<String> relationshipsOf(Catalog catalog, TableName from) {
    return catalog.relationships(from).stream().map(Relationship::name).toList();
  }

  @Test
  void apiName_defaultSchemaIsBareOthersArePrefixed() {
    var other = new TableName("SALES", "ORDERS");
    var catalog = catalog(Folding.UPPER, table("PRODUCTS", "ID"), table(other, "ID"));
    assertThat(catalog.apiName(name("PRODUCTS"))).isEqualTo("products");
    assertThat(catalog.apiName(other)).isEqualTo("sales_orders");
    assertThat(catalog.apiName(other, "ID")).isEqualTo("id");
  }

  @Test
  void apiName_unknownObject_throwsIllegalArgument() {
    var catalog = catalog(table("products", "id"));
    assertThatIllegalArgumentException().isThrownBy(() -> catalog.apiName(name("nowhere")));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> catalog.apiName(name("products"), "nothing"));
  }

  @Test
  void apiName_routine_followsTheTableRules() {
    var routine = new Routine("SALES", "TOTAL", List.of(), List.of(), true, true, null);
    assertThat(catalog(Folding.UPPER, table("t", "id")).apiName(routine)).isEqualTo("sales_total");
    var here = new Routine(MAIN, "total", List.of(), List.of(), true, true, null);
    assertThat(catalog(table("t", "id")).apiName(here)).isEqualTo("total");
  }

  private static Routine routine(String... parameters) {
    var columns = new ArrayList<Column>();
    for (var parameter : parameters) {
      var optional = parameter.startsWith("?");
      columns.add(
          new Column(
              optional ? parameter.substring(1) : parameter,
              DataType.Scalar.INT32,
              "integer",
              true,
              optional ? "1" : null,
              Column.Generation.NONE,
              null));
    }
    return new Routine(MAIN, "f", columns, List.of(), false, true, null);
  }

  private static Catalog catalog(Routine... routines) {
    return new Catalog(
        1, MAIN, Folding.NONE, List.of(new Schema(MAIN, List.of(), List.of(routines), null)));
  }

  @Test
  void requireRoutine_exactParameters_precedeDefaults() {
    var one = routine("a");
    var more = routine("a", "?b");
    var other = routine("c", "?d");
    var catalog = catalog(more, one, other);
    assertThat(catalog.requireRoutine(MAIN, "f", Set.of("a"))).isEqualTo(one);
    assertThat(catalog.requireRoutine(MAIN, "f", Set.of("a", "b"))).isEqualTo(more);
    assertThat(catalog.requireRoutine(MAIN, "f", Set.of("c"))).isEqualTo(other);
  }

  @Test
  void requireRoutine_noMatch_isReportedWithTheArguments() {
    var catalog = catalog(routine("a", "?b"), routine("a", "?c"));
    assertThatThrownBy(() -> catalog.requireRoutine(MAIN, "g", Set.of()))
        .isInstanceOfSatisfying(
            EvitaException.class,
            failure -> assertThat(failure.code()).isEqualTo(ErrorCode.UNKNOWN_ROUTINE))
        .hasMessageContaining("main.g");
    for (var arguments : List.of(Set.of("x"), Set.of("b"), Set.of("a"))) {
      assertThatThrownBy(() -> catalog.requireRoutine(MAIN, "f", arguments))
          .isInstanceOfSatisfying(
              EvitaException.class,
              failure -> assertThat(failure.code()).isEqualTo(ErrorCode.INVALID_OPERATION))
          .hasMessageContaining(arguments.toString());
    }
  }

  @Test
  void requireTable_unknown_isReportedByName() {
    assertThatThrownBy(() -> catalog(table("products", "id")).requireTable(name("nowhere")))
        .isInstanceOfSatisfying(
            EvitaException.class,
            failure -> assertThat(failure.code()).isEqualTo(ErrorCode.UNKNOWN_TABLE))
        .hasMessageContaining("main.nowhere");
  }

  @Test
  void toOne_isNamedAfterItsColumnWithoutIdReverseAfterTheTable() {
    var catalog =
        catalog(
            table("brands", "id"),
            referring(table("products", "id", "brand_id"), key("brand_id", "brands")));
    var brand = catalog.relationships(name("products")).getFirst();
    assertThat(brand)
        .isEqualTo(
            new Relationship(
                "brand",
                name("products"),
                List.of("brand_id"),
                name("brands"),
                List.of("id"),
                true,
                "fk_brand_id"));
    var products = catalog.relationships(name("brands")).getFirst();
    assertThat(products.name()).isEqualTo("products");
    assertThat(products.single()).isFalse();
  }

  @Test
  void relationship_upperCaseNames_isLowerCase() {
    var foreignKey = new ForeignKey("FK", List.of("BRAND_ID"), name("BRANDS"), List.of("ID"));
    var catalog =
        catalog(
            Folding.UPPER,
            table("BRANDS", "ID"),
            referring(table("PRODUCTS", "ID", "BRAND_ID"), foreignKey));
    assertThat(relationshipsOf(catalog, name("PRODUCTS"))).containsExactly("brand");
    assertThat(relationshipsOf(catalog, name("BRANDS"))).containsExactly("products");
  }

  @Test
  void toOne_columnWithoutId_isNamedAfterTheTable() {
    var catalog =
        catalog(
            table("brands", "id"),
            referring(table("products", "id", "maker"), key("maker", "brands")));
    assertThat(relationshipsOf(catalog, name("products"))).containsExactly("brands");
  }

  @Test
  void toOne_nameOfAColumn_isNamedAfterTheTable() {
    var catalog =
        catalog(
            table("brands", "id"),
            referring(table("products", "id", "brand_id", "brand"), key("brand_id", "brands")));
    assertThat(relationshipsOf(catalog, name("products"))).containsExactly("brands");
  }

  @Test
  void toOne_allNamesUsed_appendsItsColumns() {
    var catalog =
        catalog(
            table("brands", "id"),
            referring(
                table("products", "id", "brand_id", "brand", "brands"), key("brand_id", "brands")));
    assertThat(relationshipsOf(catalog, name("products"))).containsExactly("brands_by_brand_id");
  }

  @Test
  void twoForeignKeysToOneTable_areDistinctInBothDirections() {
    var catalog =
        catalog(
            table("places", "id"),
            referring(
                table("routes", "id", "origin_id", "destination_id"),
                key("origin_id", "places"),
                key("destination_id", "places")));
    assertThat(relationshipsOf(catalog, name("routes"))).containsExactly("origin", "destination");
    assertThat(relationshipsOf(catalog, name("places")))
        .containsExactly("routes_by_origin_id", "routes_by_destination_id");
  }

  @Test
  void selfReference_hasBothDirections() {
    var catalog =
        catalog(referring(table("categories", "id", "parent_id"), key("parent_id", "categories")));
    assertThat(relationshipsOf(catalog, name("categories")))
        .containsExactly("parent", "categories");
    assertThat(catalog.relationships(name("categories")))
        .extracting(Relationship::single)
        .containsExactly(true, false);
  }

  @Test
  void selfReferenceWithoutStem_hasTwoNames() {
    var catalog = catalog(referring(table("parts", "id", "whole"), key("whole", "parts")));
    assertThat(relationshipsOf(catalog, name("parts"))).hasSize(2).doesNotHaveDuplicates();
  }

  @Test
  void foreignKey_overAUniqueKey_isSingleInBothDirections() {
    var catalog =
        catalog(
            table("products", "id"),
            referring(table("details", "product_id", "text"), key("product_id", "products")));
    assertThat(catalog.relationships(name("products")).getFirst().single()).isTrue();
  }

  @Test
  void compositeForeignKey_isNamedAfterTheTables() {
    var composite =
        new ForeignKey(
            "fk", List.of("product_id", "currency"), name("prices"), List.of("id", "currency"));
    var catalog =
        catalog(
            table("prices", "id", "currency"),
            referring(table("changes", "nr", "product_id", "currency"), composite));
    assertThat(relationshipsOf(catalog, name("changes"))).containsExactly("prices");
    assertThat(relationshipsOf(catalog, name("prices"))).containsExactly("changes");
  }

  @Test
  void tableOfAnotherSchema_isPrefixedInRelationships() {
    var shelves = new TableName("stock", "shelves");
    var catalog =
        catalog(
            table("products", "id"),
            referring(table(shelves, "id", "product_id"), key("product_id", "products")));
    assertThat(relationshipsOf(catalog, name("products"))).containsExactly("stock_shelves");
    assertThat(relationshipsOf(catalog, shelves)).containsExactly("product");
  }

  @Test
  void foreignKey_toAnUnpublishedTable_isNoRelationship() {
    var catalog = catalog(referring(table("products", "id", "x_id"), key("x_id", "hidden")));
    assertThat(relationshipsOf(catalog, name("products"))).isEmpty();
  }

  @Test
  void sameForeignKeyTwice_givesTwoNames() {
    var catalog =
        catalog(
            table("brands", "id"),
            referring(
                table("products", "id", "brand_id"),
                key("brand_id", "brands"),
                key("brand_id", "brands")));
    assertThat(relationshipsOf(catalog, name("products"))).hasSize(2).doesNotHaveDuplicates();
    assertThat(relationshipsOf(catalog, name("brands"))).hasSize(2).doesNotHaveDuplicates();
  }

  private static Catalog products() {
    return catalog(
        table("brands", "id"),
        referring(table("products", "id", "brand_id"), key("brand_id", "brands")));
  }

  @Test
  void renamed_changesOnlyThatRelationship() {
    var renamed = products().renamed(Map.of("products.brand", "maker"));
    assertThat(relationshipsOf(renamed, name("products"))).containsExactly("maker");
    assertThat(relationshipsOf(renamed, name("brands"))).containsExactly("products");
    assertThat(renamed.apiName(name("products"))).isEqualTo("products");
    assertThat(renamed.epoch()).isEqualTo(1);
  }

  @Test
  void renamed_noNames_returnsTheSameCatalog() {
    var catalog = products();
    assertThat(catalog.renamed(Map.of())).isSameAs(catalog);
  }

  @Test
  void renamed_unknownRelationship_isRejectedWithAnExample() {
    assertThatThrownBy(() -> products().renamed(Map.of("products.maker", "x")))
        .isInstanceOfSatisfying(
            EvitaException.class,
            failure -> assertThat(failure.code()).isEqualTo(ErrorCode.INVALID_CONFIGURATION))
        .hasMessageContaining("products.maker")
        .hasMessageContaining("brands.products");
  }

  @Test
  void renamed_toAUsedName_isRejected() {
    assertThatThrownBy(() -> products().renamed(Map.of("products.brand", "brand_id")))
        .isInstanceOfSatisfying(
            EvitaException.class,
            failure -> assertThat(failure.code()).isEqualTo(ErrorCode.INVALID_CONFIGURATION))
        .hasMessageContaining("'brand_id' is already used");
  }

  @Test
  void sameAs_ignoresTheEpoch() {
    var schemas = products().schemas();
    var later = new Catalog(2, MAIN, Folding.NONE, schemas);
    assertThat(products().sameAs(later)).isTrue();
    assertThat(products().sameAs(new Catalog(2, MAIN, Folding.UPPER, schemas))).isFalse();
    assertThat(products().sameAs(catalog(table("brands", "id")))).isFalse();
  }

  @Test
  void identifies_requiresAWholeKey() {
    var table =
        new Table(
            name("t"),
            Table.Kind.TABLE,
            List.of(),
            new Key("pk", List.of("a", "b")),
            List.of(new Key("u", List.of("c"))),
            List.of(new Key("i", List.of("d"))),
            List.of(),
            null);
    assertThat(table.identifies(List.of("b", "x", "a"))).isTrue();
    assertThat(table.identifies(List.of("c"))).isTrue();
    assertThat(table.identifies(List.of("a", "d"))).isFalse();
  }

  @Test
  void column_withoutDefaultOrGeneration_isRequired() {
    assertThat(Column.of("a", DataType.Scalar.TEXT, false).required()).isTrue();
    assertThat(Column.of("a", DataType.Scalar.TEXT, true).required()).isFalse();
    for (var generation : Column.Generation.values()) {
      var column = new Column("a", DataType.Scalar.INT32, "int", false, null, generation, null);
      assertThat(column.required()).isEqualTo(generation == Column.Generation.NONE);
    }
  }

  @Test
  void foreignKey_unevenColumns_isRejected() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new ForeignKey("fk", List.of("a", "b"), name("t"), List.of("id")));
  }
}

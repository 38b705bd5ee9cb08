// SPDX-License-Identifier: Apache-2.0
package dev.evita.api.testkit;

import static dev.evita.api.testkit.EngineDriver.decimal;
import static dev.evita.api.testkit.EngineDriver.row;
import static dev.evita.api.testkit.EngineSuite.column;
import static dev.evita.api.testkit.EngineSuite.columns;
import static dev.evita.api.testkit.EngineSuite.nested;
import static dev.evita.api.testkit.EngineSuite.outputs;
import static org.assertj.core.api.Assertions.assertThat;

import dev.evita.api.Order;
import dev.evita.api.Output;
import dev.evita.api.RowShape;
import dev.evita.api.Select;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Related rows within rows. */
interface NestedSuite extends EngineSuite {

  private Select selectNested(String table, String key, Output... related) {
    return Select.of(db().table(table), outputs(columns(key), related))
        .orderBy(List.of(Order.ascending(key)));
  }

  private Select related(String from, String name, String... names) {
    return Select.of(shop().relationship(from, name).to(), columns(names));
  }

  private Output related(String from, String name, Select select) {
    return new Output.Nested(shop().relationship(from, name), select);
  }

  private int statements(Select select, Bindings bind) {
    return db().run(select, bind.arguments(), null).execution().statements();
  }

  @Test
  default void toOne_returnsItsRowOrNull() {
    var category =
        related("products", "category", related("products", "category", "name", "parent_id"));
    var select = selectNested("products", "id", category);
    assertThat(db().rows(select))
        .startsWith(row(1, row("Hand tools", 2)), row(2, row("Hand tools", 2)))
        .endsWith(row(7, row("Soft", 1)), row(8, null))
        .hasSize(8);
  }

  @Test
  default void toMany_returnsItsRowsInOrderOrNone() {
    var prices =
        related("products", "prices", "currency", "amount")
            .orderBy(List.of(Order.descending("amount")));
    var select = selectNested("products", "id", related("products", "prices", prices));
    var rows = db().rows(select);
    assertThat(rows.get(0))
        .isEqualTo(row(1, List.of(row("USD", decimal("105")), row("EUR", decimal("95")))));
    assertThat(rows.get(2).get(1))
        .isEqualTo(
            List.of(
                row("USD", decimal("260")),
                row("CHF", decimal("255")),
                row("EUR", decimal("240"))));
    assertThat(rows.get(4)).isEqualTo(row(5, List.of()));
    assertThat(rows).hasSize(8);
  }

  @Test
  default void oneToOne_worksBothWays() {
    var details =
        related("products", "product_details", related("products", "product_details", "manual"));
    var select = selectNested("products", "id", details);
    assertThat(db().rows(select))
        .startsWith(row(1, row("Drop it.")), row(2, null), row(3, row("Wear it.")));
    var back = nested(shop().relationship("product_details", "product"), column("name"));
    assertThat(db().rows(selectNested("product_details", "product_id", back)))
        .containsExactly(row(1, row("Anvil")), row(3, row("Rocket skates")));
  }

  @Test
  default void selfReference_worksBothWays() {
    var up = nested(shop().relationship("categories", "parent"), column("name"));
    var down =
        related(
            "categories",
            "categories",
            related("categories", "categories", "id").orderBy(List.of(Order.ascending("id"))));
    var select = selectNested("categories", "id", up, down);
    assertThat(db().rows(select))
        .containsExactly(
            row(1, null, List.of(row(2), row(4))),
            row(2, row("All"), List.of(row(3), row(5))),
            row(3, row("Tools"), List.of()),
            row(4, row("All"), List.of()),
            row(5, row("Tools"), List.of()));
  }

  @Test
  default void toOneAndToMany_belowToOne() {
    var up = nested(shop().relationship("categories", "parent"), column("name"));
    var down =
        related(
            "categories",
            "categories",
            related("categories", "categories", "id").orderBy(List.of(Order.ascending("id"))));
    var parent = Select.of(db().table("categories"), outputs(columns("name"), up, down));
    var select = selectNested("categories", "id", related("categories", "parent", parent));
    var all = row("All", null, List.of(row(2), row(4)));
    var tools = row("Tools", row("All"), List.of(row(3), row(5)));
    assertThat(db().rows(select))
        .containsExactly(row(1, null), row(2, all), row(3, tools), row(4, all), row(5, tools));
  }

  @Test
  default void compositeKey_matchesAllItsColumns() {
    var changes =
        related(
            "prices",
            "price_changes",
            related("prices", "price_changes", "id").orderBy(List.of(Order.ascending("id"))));
    var select =
        Select.of(db().table("prices"), outputs(columns("product_id", "currency"), changes))
            .orderBy(List.of(Order.ascending("product_id"), Order.ascending("currency")));
    assertThat(db().rows(select))
        .startsWith(
            row(1, "EUR", List.of(row(1), row(2))),
            row(1, "USD", List.of()),
            row(2, "EUR", List.of()),
            row(3, "CHF", List.of(row(3))));
  }

  @Test
  default void compositeForeignKey_partlyNull_hasNoRelatedRow() {
    var price = nested(shop().relationship("price_changes", "prices"), column("amount"));
    var select = selectNested("price_changes", "id", price);
    assertThat(db().rows(select))
        .containsExactly(
            row(1, row(decimal("95"))),
            row(2, row(decimal("95"))),
            row(3, row(decimal("255"))),
            row(4, null),
            row(5, null));
  }

  @Test
  default void twoRelationshipsToOneTable_areDistinct() {
    var origin = nested(shop().relationship("routes", "origin"), column("name"));
    var destination = nested(shop().relationship("routes", "destination"), column("name"));
    var select = selectNested("routes", "id", origin, destination);
    assertThat(db().rows(select))
        .containsExactly(
            row(1, row("Oslo"), row("Lima")),
            row(2, row("Lima"), row("Oslo")),
            row(3, row("Oslo"), row("Rome")),
            row(4, row("Rome"), null));
  }

  @Test
  default void sameRelationshipTwice_returnsBoth() {
    var bind = new Bindings();
    var cheap = related("products", "prices", "amount").where(bind.equal("currency", "EUR"));
    var dear = related("products", "prices", "amount").where(bind.equal("currency", "USD"));
    var select =
        selectNested(
                "products",
                "id",
                related("products", "prices", cheap),
                related("products", "prices", dear))
            .where(bind.equal("id", 1));
    assertThat(db().rows(select, bind))
        .containsExactly(row(1, List.of(row(decimal("95"))), List.of(row(decimal("105")))));
  }

  /** Brands, their products, those products' tags through a join table: four levels. */
  private Select brandsToTags(Bindings bind) {
    var tag = nested(shop().relationship("product_tags", "tag"), column("label"));
    var tags =
        Select.of(db().table("product_tags"), List.of(tag))
            .orderBy(List.of(Order.ascending("tag_id")));
    var products =
        Select.of(
                db().table("products"),
                outputs(columns("id"), related("products", "product_tags", tags)))
            .where(bind.equal("active", true))
            .orderBy(List.of(Order.ascending("id")));
    return selectNested("brands", "id", related("brands", "products", products));
  }

  @Test
  default void fourLevels_throughAManyToMany() {
    var bind = new Bindings();
    var select = brandsToTags(bind);
    assertThat(db().rows(select, bind))
        .containsExactly(
            row(
                1,
                List.of(
                    row(1, List.of(row(row("sale")), row(row("heavy")))),
                    row(2, List.of(row(row("sale")))),
                    row(8, List.of()))),
            row(
                2,
                List.of(
                    row(4, List.of(row(row("new")), row(row("heavy")))),
                    row(6, List.of()),
                    row(7, List.of()))),
            row(3, List.of()));
  }

  @Test
  default void statements_areAtMostOneForEachLevel() {
    var bind = new Bindings();
    assertThat(statements(brandsToTags(bind), bind)).isBetween(1, 4);
    assertThat(statements(select("brands", "id"), new Bindings())).isEqualTo(1);
    var brand = nested(shop().relationship("products", "brand"), column("name"));
    assertThat(statements(selectNested("products", "id", brand), new Bindings())).isBetween(1, 2);
  }

  @Test
  default void statements_doNotDependOnTheNumberOfRows() {
    var parent = shop().relationship("item_notes", "item");
    var select =
        Select.of(
            db().table("item_notes"),
            outputs(columns("item_id", "line"), nested(parent, column("code"))));
    var items = new ArrayList<List<@Nullable Object>>();
    var notes = new ArrayList<List<@Nullable Object>>();
    for (int id = 1; id <= 3_000; id++) {
      items.add(row(id, "c" + id, 1));
      notes.add(row(id, 1));
    }
    fixture().insert("items", List.of("id", "code", "quantity"), items);
    fixture().insert("item_notes", List.of("item_id", "line"), notes);
    var sink = db().run(select, new Bindings().arguments(), null);
    assertThat(sink.rows())
        .hasSize(3_000)
        .allSatisfy(note -> assertThat(note.get(2)).isEqualTo(List.of("c" + note.get(0))));
    assertThat(sink.execution().statements()).isBetween(1, 2);
  }

  @Test
  default void nestedFilter_keepsParentsWithoutChildren() {
    var bind = new Bindings();
    var prices = related("products", "prices", "currency").where(bind.equal("currency", "CHF"));
    var select = selectNested("products", "id", related("products", "prices", prices));
    assertThat(db().rows(select, bind))
        .hasSize(8)
        .contains(row(3, List.of(row("CHF"))), row(1, List.of()));
  }

  @Test
  default void nestedFilterOnToOne_returnsNull() {
    var bind = new Bindings();
    var brand = related("products", "brand", "name").where(bind.equal("name", "Acme"));
    var select = selectNested("products", "id", related("products", "brand", brand));
    assertThat(db().rows(select, bind)).contains(row(1, row("Acme")), row(4, null)).hasSize(8);
  }

  @Test
  default void limitAndOffset_applyPerParent() {
    var bind = new Bindings();
    var prices =
        related("products", "prices", "currency")
            .orderBy(List.of(Order.ascending("currency")))
            .limit(bind.value(1))
            .offset(bind.value(1));
    var select = selectNested("products", "id", related("products", "prices", prices));
    assertThat(db().rows(select, bind))
        .startsWith(row(1, List.of(row("USD"))), row(2, List.of()), row(3, List.of(row("EUR"))));
    assertThat(statements(select, bind)).isBetween(1, 2);
  }

  @Test
  default void limitOfParents_appliesOnlyToParents() {
    var bind = new Bindings();
    var prices = related("products", "prices", "currency");
    var select =
        selectNested("products", "id", related("products", "prices", prices))
            .limit(bind.value(2))
            .offset(bind.value(1));
    var rows = db().rows(select, bind);
    assertThat(rows).extracting(List::getFirst).containsExactly(2L, 3L);
    assertThat((List<?>) rows.get(1).get(1)).hasSize(3);
  }

  @Test
  default void nestedWithoutTheJoinColumnsAsOutputs_works() {
    var brand = nested(shop().relationship("products", "brand"), column("name"));
    var bind = new Bindings();
    var select = Select.of(db().table("products"), List.of(brand)).where(bind.equal("id", 4));
    assertThat(db().rows(select, bind)).containsExactly(row(row("Borg")));
  }

  @Test
  default void shape_namesSlotsAndNestedShapes() {
    var brand = nested(shop().relationship("products", "brand"), column("name"));
    var prices = nested(shop().relationship("products", "prices"), column("amount"));
    var select = selectNested("products", "id", brand, prices);
    var slots = db().prepare(select).shape().slots();
    assertThat(slots).extracting(RowShape.Slot::name).containsExactly("id", "brand", "prices");
    assertThat(slots.get(1))
        .isInstanceOfSatisfying(
            RowShape.NestedSlot.class, slot -> assertThat(slot.single()).isTrue());
    assertThat(slots.get(2))
        .isInstanceOfSatisfying(
            RowShape.NestedSlot.class, slot -> assertThat(slot.single()).isFalse());
  }

  @Test
  default void nestedCursor_calledAgain_restarts() {
    var prices = nested(shop().relationship("products", "prices"), column("currency"));
    var bind = new Bindings();
    var select = selectNested("products", "id", prices).where(bind.equal("id", 3));
    var counts = new ArrayList<Integer>();
    var sink =
        CollectingSink.reading(row -> {
          for (int round = 0; round < 2; round++) {
            var cursor = row.nested(1);
            var count = 0;
            while (cursor.next()) {
              count++;
            }
            counts.add(count);
          }
        });
    db().prepare(select).run(bind.arguments(), null, sink);
    sink.await(EngineDriver.PATIENCE);
    assertThat(counts).containsExactly(3, 3);
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.evita.api.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evita.api.Order;
import dev.evita.api.Order.Direction;
import dev.evita.api.Order.Nulls;
import dev.evita.api.Output;
import dev.evita.api.Select;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The order of rows, and pagination. */
interface OrderSuite extends EngineSuite {

  private static Order by(String column, Direction direction, Nulls nulls) {
    return new Order(List.of(), column, direction, nulls);
  }

  private List<@Nullable Object> products(Order... order) {
    return db().column(select("products", "id").orderBy(List.of(order)));
  }

  @Test
  default void order_nulls_areAtTheRequestedEnd() {
    var id = Order.ascending("id");
    assertThat(products(by("category_id", Direction.ASCENDING, Nulls.FIRST), id))
        .containsExactly(5L, 8L, 1L, 2L, 6L, 7L, 3L, 4L);
    assertThat(products(by("category_id", Direction.ASCENDING, Nulls.LAST), id))
        .containsExactly(1L, 2L, 6L, 7L, 3L, 4L, 5L, 8L);
    assertThat(products(by("category_id", Direction.DESCENDING, Nulls.FIRST), id))
        .containsExactly(5L, 8L, 3L, 4L, 6L, 7L, 1L, 2L);
    assertThat(products(by("category_id", Direction.DESCENDING, Nulls.LAST), id))
        .containsExactly(3L, 4L, 6L, 7L, 1L, 2L, 5L, 8L);
  }

  @Test
  default void order_ofDecimals_isByNumber() {
    assertThat(products(Order.ascending("price"), Order.descending("id")))
        .containsExactly(7L, 2L, 6L, 5L, 1L, 3L, 4L, 8L);
  }

  @Test
  default void order_columnIsNoOutput_isSupported() {
    assertThat(db().column(select("brands", "name").orderBy(List.of(Order.descending("id")))))
        .containsExactly("Zeta", "Borg", "Acme");
  }

  @Test
  default void order_throughRelationships() {
    var brand = shop().relationship("products", "brand");
    var category = shop().relationship("products", "category");
    var byBrand = new Order(List.of(brand), "name", Direction.DESCENDING, Nulls.LAST);
    var byCategory = new Order(List.of(category), "name", Direction.ASCENDING, Nulls.FIRST);
    assertThat(products(byBrand, byCategory, Order.ascending("id")))
        .containsExactly(5L, 4L, 6L, 7L, 8L, 1L, 2L, 3L);
  }

  @Test
  default void order_throughAPathOfTwo_withRowsThatHaveNone() {
    var category = shop().relationship("products", "category");
    var parent = shop().relationship("categories", "parent");
    var byParent = new Order(List.of(category, parent), "id", Direction.DESCENDING, Nulls.FIRST);
    assertThat(products(byParent, Order.ascending("id")))
        .containsExactly(5L, 8L, 1L, 2L, 3L, 4L, 6L, 7L);
  }

  private List<@Nullable Object> page(@Nullable Object limit, @Nullable Object offset) {
    var bind = new Bindings();
    var select = select("products", "id").orderBy(List.of(Order.ascending("id")));
    if (limit != null) {
      select = select.limit(bind.value(limit));
    }
    if (offset != null) {
      select = select.offset(bind.value(offset));
    }
    return db().column(select, bind);
  }

  @Test
  default void limitAndOffset_returnAPart() {
    assertThat(page(3, null)).containsExactly(1L, 2L, 3L);
    assertThat(page(3, 2)).containsExactly(3L, 4L, 5L);
    assertThat(page(null, 6)).containsExactly(7L, 8L);
    assertThat(page(100, 7)).containsExactly(8L);
    assertThat(page(5, 100)).isEmpty();
    assertThat(page(0, null)).isEmpty();
    assertThat(page(0, 3)).isEmpty();
    assertThat(page(3_000_000_000L, 0)).hasSize(8);
  }

  private List<@Nullable Object> walk(List<Order> order, int pageSize) {
    var seen = new ArrayList<@Nullable Object>();
    List<@Nullable Object> position = List.of();
    while (true) {
      var bind = new Bindings();
      var after = bind.values(position.toArray());
      var select =
          select("readings", "id", "score", "label")
              .orderBy(order)
              .limit(bind.value(pageSize))
              .after(after);
      var page = db().rows(select, bind);
      page.forEach(row -> seen.add(row.getFirst()));
      if (page.size() < pageSize) {
        return seen;
      }
      position = position(order, page.getLast());
    }
  }

  private static List<@Nullable Object> position(List<Order> order, List<@Nullable Object> row) {
    var columns = List.of("id", "score", "label");
    var values = new ArrayList<@Nullable Object>();
    for (var term : order) {
      values.add(row.get(columns.indexOf(((Output.Column) term.value()).column())));
    }
    return values;
  }

  @Test
  default void keyset_pageByPage_isTheFullOrder() {
    for (var direction : Direction.values()) {
      for (var nulls : Nulls.values()) {
        var order = List.of(by("score", direction, nulls), Order.ascending("id"));
        var full = select("readings", "id").orderBy(order);
        assertThat(walk(order, 7))
            .as("%s nulls %s", direction, nulls)
            .hasSize(Shop.READINGS)
            .isEqualTo(db().column(full));
      }
    }
  }

  @Test
  default void keyset_overThreeColumnsOfMixedDirections_isTheFullOrder() {
    var order =
        List.of(
            by("label", Direction.DESCENDING, Nulls.LAST),
            by("score", Direction.ASCENDING, Nulls.FIRST),
            Order.descending("id"));
    var full = select("readings", "id").orderBy(order);
    assertThat(walk(order, 1)).isEqualTo(db().column(full));
    assertThat(walk(order, 11)).isEqualTo(db().column(full));
  }

  @Test
  default void keyset_positionWithoutRow_continuesAfterIt() {
    var bind = new Bindings();
    var select =
        select("products", "id")
            .orderBy(List.of(Order.ascending("stock"), Order.ascending("id")))
            .after(bind.values(6, 0));
    assertThat(db().column(select, bind)).containsExactly(6L, 7L, 2L, 5L);
  }

  @Test
  default void distinctOn_keepsTheFirstOfEach() {
    Select select =
        select("products", "id")
            .distinctOn(List.of("brand_id"))
            .orderBy(List.of(Order.ascending("brand_id"), Order.descending("id")));
    assertThat(db().column(select)).containsExactly(8L, 7L);
  }

  @Test
  default void distinctOn_treatsNullsAsEqualAndPrecedesLimit() {
    var bind = new Bindings();
    Select select =
        select("products", "category_id", "id")
            .distinctOn(List.of("category_id"))
            .orderBy(List.of(Order.descending("category_id"), Order.ascending("id")))
            .limit(bind.value(3));
    assertThat(db().rows(select, bind))
        .containsExactly(EngineDriver.row(null, 5), EngineDriver.row(5, 3), EngineDriver.row(4, 6));
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.evita.api.testkit;

import static dev.evita.api.testkit.EngineDriver.decimal;
import static dev.evita.api.testkit.EngineDriver.row;
import static dev.evita.api.testkit.EngineSuite.columns;
import static dev.evita.api.testkit.EngineSuite.outputs;
import static org.assertj.core.api.Assertions.assertThat;

import dev.evita.api.Comparison;
import dev.evita.api.ErrorCode;
import dev.evita.api.Filter;
import dev.evita.api.Order;
import dev.evita.api.Order.Direction;
import dev.evita.api.Order.Nulls;
import dev.evita.api.Output;
import dev.evita.api.Output.Function;
import dev.evita.api.Relationship;
import dev.evita.api.Select;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Rows filtered, ordered and paginated by values and aggregates of related rows. */
interface RelatedSuite extends EngineSuite {

  private static Output.Aggregate of(Function function, String... names) {
    return new Output.Aggregate(function, List.of(names), false);
  }

  private Relationship prices() {
    return shop().relationship("products", "prices");
  }

  private static Order by(List<Relationship> path, Output.Value value, Direction direction) {
    var nulls = direction == Direction.ASCENDING ? Nulls.LAST : Nulls.FIRST;
    return new Order(path, value, direction, nulls);
  }

  private Order byPrices(Output.Aggregate aggregate, Direction direction) {
    return by(List.of(prices()), aggregate, direction);
  }

  private List<@Nullable Object> ordered(Order... terms) {
    var select = select("products", "id").orderBy(List.of(terms));
    return db().column(select);
  }

  private void requireIds(List<@Nullable Object> ids, Object... expected) {
    assertThat(ids).containsExactly(expected);
  }

  @Test
  default void order_byCountOfRelatedRows_noneCountsAsZero() {
    requireIds(
        ordered(byPrices(of(Function.COUNT), Direction.DESCENDING), Order.descending("id")),
        3L,
        1L,
        4L,
        2L,
        8L,
        7L,
        6L,
        5L);
  }

  @Test
  default void order_byOtherAggregates_noneCountsAsNull() {
    var id = Order.ascending("id");
    requireIds(
        ordered(byPrices(of(Function.MAX, "amount"), Direction.ASCENDING), id),
        2L,
        1L,
        3L,
        4L,
        5L,
        6L,
        7L,
        8L);
    requireIds(
        ordered(byPrices(of(Function.SUM, "amount"), Direction.DESCENDING), id),
        5L,
        6L,
        7L,
        8L,
        4L,
        3L,
        1L,
        2L);
    requireIds(
        ordered(byPrices(of(Function.AVG, "amount"), Direction.ASCENDING), id),
        2L,
        1L,
        3L,
        4L,
        5L,
        6L,
        7L,
        8L);
  }

  @Test
  default void order_byFilteredRelatedRows_othersCountAsNone() {
    var brand = shop().relationship("products", "brand");
    var bind = new Bindings();
    var second = bind.equal("id", 2);
    var byBrand =
        new Order(
            List.of(brand), new Output.Column("name"), second, Direction.ASCENDING, Nulls.LAST);
    var products = Select.of(db().table("products"), outputs(columns("id"), byBrand.output()));
    var select = products.orderBy(List.of(byBrand, Order.ascending("id")));
    assertThat(db().rows(select.limit(bind.value(6)), bind))
        .containsExactly(
            row(4, "Borg"),
            row(5, "Borg"),
            row(6, "Borg"),
            row(7, "Borg"),
            row(1, null),
            row(2, null));
  }

  @Test
  default void order_byAnAggregateAtTheEndOfAPath() {
    var path =
        List.of(
            shop().relationship("products", "brand"), shop().relationship("brands", "products"));
    var counted = new Output.Aggregate(Function.COUNT, List.of("category_id"), true);
    requireIds(
        ordered(
            by(path, of(Function.MAX, "stock"), Direction.ASCENDING),
            by(path, counted, Direction.DESCENDING),
            Order.descending("id")),
        7L,
        6L,
        5L,
        4L,
        8L,
        3L,
        2L,
        1L);
  }

  @Test
  default void order_byAggregateWithoutRelationship_isRejected() {
    var select =
        select("products", "id")
            .orderBy(List.of(by(List.of(), of(Function.COUNT), Direction.ASCENDING)));
    assertThat(db().failure(select, new Bindings()).code())
        .isIn(ErrorCode.INVALID_OPERATION, ErrorCode.UNSUPPORTED_OPERATION);
  }

  @Test
  default void groups_areOrderedByTheirAggregates() {
    var bind = new Bindings();
    var select =
        Select.of(db().table("products"), outputs(columns("category_id"), of(Function.COUNT)))
            .groupBy(List.of("category_id"))
            .orderBy(
                List.of(
                    by(List.of(), of(Function.COUNT, "description"), Direction.DESCENDING),
                    by(List.of(), of(Function.MAX, "stock"), Direction.ASCENDING)))
            .limit(bind.value(3));
    assertThat(db().rows(select, bind)).containsExactly(row(4, 2), row(5, 2), row(null, 2));
  }

  @Test
  default void nestedGroups_areOrderedByTheirAggregates_andLimitedPerParent() {
    var bind = new Bindings();
    var products =
        Select.of(db().table("products"), outputs(columns("active"), of(Function.COUNT)))
            .groupBy(List.of("active"))
            .orderBy(List.of(by(List.of(), of(Function.COUNT), Direction.DESCENDING)))
            .limit(bind.value(1));
    var nested = new Output.Nested(shop().relationship("brands", "products"), products);
    var select =
        Select.of(db().table("brands"), outputs(columns("id"), nested))
            .orderBy(List.of(Order.ascending("id")));
    assertThat(db().rows(select, bind))
        .containsExactly(
            row(1, List.of(row(true, 3))), row(2, List.of(row(true, 3))), row(3, List.of()));
  }

  private void requireFiltered(Bindings bind, Filter filter, Object... expected) {
    var select = select("products", "id").where(filter).orderBy(List.of(Order.ascending("id")));
    assertThat(db().column(select, bind)).containsExactly(expected);
  }

  private Filter where(@Nullable Filter which, Output.Aggregate aggregate, Filter.Test test) {
    return new Filter.Aggregated(prices(), which, aggregate, test);
  }

  @Test
  default void filter_byTheCountOfRelatedRows() {
    var bind = new Bindings();
    var atLeastTwo = new Filter.Test.Compare(Comparison.GREATER_OR_EQUAL, bind.value(2));
    requireFiltered(bind, where(null, of(Function.COUNT), atLeastTwo), 1L, 3L);
    bind = new Bindings();
    var none = new Filter.Test.In(bind.value(List.of(0, 3)));
    requireFiltered(bind, where(null, of(Function.COUNT), none), 3L, 5L, 6L, 7L, 8L);
    bind = new Bindings();
    var cheap = bind.compare("amount", Comparison.LESS, decimal("250"));
    var one = new Filter.Test.Compare(Comparison.EQUAL, bind.value(1));
    requireFiltered(
        bind,
        where(cheap, new Output.Aggregate(Function.COUNT, List.of("currency"), true), one),
        2L,
        3L);
  }

  @Test
  default void filter_byOtherAggregatesOfRelatedRows() {
    var bind = new Bindings();
    var dear = new Filter.Test.Compare(Comparison.GREATER, bind.value(decimal("199.99")));
    requireFiltered(bind, where(null, of(Function.SUM, "amount"), dear), 1L, 3L, 4L);
    requireFiltered(bind, where(null, of(Function.MIN, "amount"), dear), 3L, 4L);
    requireFiltered(bind, where(null, of(Function.AVG, "amount"), dear), 3L, 4L);
    requireFiltered(
        new Bindings(),
        new Filter.Not(where(null, of(Function.MAX, "amount"), new Filter.Test.IsNull())),
        1L,
        2L,
        3L,
        4L);
  }

  @Test
  default void related_valuesBesideOwnValues_areReturned() {
    var category = shop().relationship("products", "category");
    var parent = shop().relationship("categories", "parent");
    var bind = new Bindings();
    var select =
        Select.of(
                db().table("products"),
                outputs(
                    columns("id"),
                    new Output.Related(List.of(category, parent), new Output.Column("name")),
                    new Output.Related(List.of(prices()), of(Function.COUNT)),
                    new Output.Related(List.of(prices()), of(Function.MAX, "amount"))))
            .where(bind.in("id", List.of(1, 4, 5)))
            .orderBy(List.of(Order.ascending("id")));
    assertThat(db().rows(select, bind))
        .containsExactly(
            row(1, "Tools", 2, decimal("105")),
            row(4, "Tools", 1, decimal("990")),
            row(5, null, 0, null));
  }

  @Test
  default void related_valuesOfNestedRows_withALimitPerParent() {
    var bind = new Bindings();
    var products =
        Select.of(
                db().table("products"),
                outputs(columns("id"), new Output.Related(List.of(prices()), of(Function.COUNT))))
            .orderBy(
                List.of(byPrices(of(Function.COUNT), Direction.DESCENDING), Order.ascending("id")))
            .limit(bind.value(2));
    var nested = new Output.Nested(shop().relationship("brands", "products"), products);
    var select =
        Select.of(db().table("brands"), outputs(columns("id"), nested))
            .orderBy(List.of(Order.ascending("id")));
    assertThat(db().rows(select, bind))
        .containsExactly(
            row(1, List.of(row(3, 3), row(1, 2))),
            row(2, List.of(row(4, 1), row(5, 0))),
            row(3, List.of()));
  }

  /** Pages of two, by positions taken from the rows themselves. */
  private List<@Nullable Object> walk(List<Order> order, boolean backwards) {
    var seen = new ArrayList<@Nullable Object>();
    var wanted = new ArrayList<>(columns("id"));
    for (var term : order) {
      wanted.add(term.output());
    }
    var direction = backwards ? order.stream().map(Order::reversed).toList() : order;
    List<@Nullable Object> position = List.of();
    while (true) {
      var bind = new Bindings();
      var select =
          Select.of(db().table("products"), wanted)
              .orderBy(direction)
              .limit(bind.value(2))
              .after(bind.values(position.toArray()));
      var page = db().rows(select, bind);
      page.forEach(row -> seen.add(row.getFirst()));
      if (page.size() < 2) {
        return backwards ? seen.reversed() : seen;
      }
      position = page.getLast().subList(1, page.getLast().size());
    }
  }

  @Test
  default void keyset_byRelatedValues_isTheFullOrderBothWays() {
    var brand = List.of(shop().relationship("products", "brand"));
    var category = List.of(shop().relationship("products", "category"));
    var orders = new ArrayList<List<Order>>();
    for (var direction : Direction.values()) {
      var id = new Order(List.of(), "id", direction, Nulls.LAST);
      orders.add(List.of(by(category, new Output.Column("name"), direction), id));
      orders.add(List.of(by(brand, new Output.Column("name"), direction), Order.ascending("id")));
      for (var function : Function.values()) {
        orders.add(List.of(byPrices(of(function, "amount"), direction), id));
      }
      orders.add(List.of(byPrices(of(Function.MAX, "currency"), direction), id));
    }
    for (var order : orders) {
      var full = db().column(select("products", "id").orderBy(order));
      assertThat(walk(order, false)).as("%s", order).isEqualTo(full);
      assertThat(walk(order, true)).as("%s backwards", order).isEqualTo(full);
    }
  }

  @Test
  default void keyset_afterAndBefore_returnsRowsBetween() {
    for (var nulls : Nulls.values()) {
      var order =
          List.of(new Order(List.of(), "score", Direction.ASCENDING, nulls), Order.ascending("id"));
      var full = db().rows(select("readings", "score", "id").orderBy(order));
      var bind = new Bindings();
      var select =
          select("readings", "id")
              .orderBy(order)
              .after(bind.values(full.get(9).toArray()))
              .before(bind.values(full.get(50).toArray()));
      assertThat(db().column(select, bind))
          .isEqualTo(
              full.subList(10, 50).stream()
                  .map(row -> Objects.requireNonNull(row.get(1)))
                  .toList());
    }
  }
}

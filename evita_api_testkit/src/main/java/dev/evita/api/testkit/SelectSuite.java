// SPDX-License-Identifier: Apache-2.0
package dev.evita.api.testkit;

import static dev.evita.api.testkit.EngineDriver.decimal;
import static dev.evita.api.testkit.EngineDriver.row;
import static org.assertj.core.api.Assertions.assertThat;

import dev.evita.api.Arguments;
import dev.evita.api.Comparison;
import dev.evita.api.ErrorCode;
import dev.evita.api.Filter;
import dev.evita.api.Order;
import dev.evita.api.Select;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The rows of a select. */
interface SelectSuite extends EngineSuite {

  /** The ids of the matching products, in their order. */
  private List<@Nullable Object> products(Function<Bindings, Filter> where) {
    var bind = new Bindings();
    var select = select("products", "id").where(where.apply(bind));
    return db().column(select.orderBy(List.of(Order.ascending("id"))), bind);
  }

  private List<@Nullable Object> compared(String column, Comparison how, @Nullable Object value) {
    return products(bind -> bind.compare(column, how, value));
  }

  @Test
  default void select_returnsTheValuesOfItsColumnsInOrder() {
    var bind = new Bindings();
    var select =
        select("products", "name", "id", "price", "active", "weight", "description", "id")
            .where(bind.equal("id", 1));
    assertThat(db().rows(select, bind))
        .containsExactly(row("Anvil", 1, decimal("99.90"), true, 50.5, "Heavy", 1));
  }

  @Test
  default void select_withoutFilter_returnsAllRows() {
    assertThat(db().column(select("brands", "id"))).containsExactlyInAnyOrder(1L, 2L, 3L);
  }

  @Test
  default void equalAndNotEqual_excludeNulls() {
    assertThat(compared("category_id", Comparison.EQUAL, 3)).containsExactly(1L, 2L);
    assertThat(compared("category_id", Comparison.NOT_EQUAL, 3)).containsExactly(3L, 4L, 6L, 7L);
  }

  @Test
  default void lessAndGreater_compareNumbers() {
    assertThat(compared("stock", Comparison.LESS, 3)).containsExactly(3L, 4L);
    assertThat(compared("stock", Comparison.LESS_OR_EQUAL, 3)).containsExactly(3L, 4L, 8L);
    assertThat(compared("stock", Comparison.GREATER, 12)).containsExactly(2L);
    assertThat(compared("stock", Comparison.GREATER_OR_EQUAL, 12)).containsExactly(2L, 7L);
  }

  @Test
  default void comparison_ofEachType_findsItsRow() {
    assertThat(compared("price", Comparison.EQUAL, decimal("99.9"))).containsExactly(1L, 5L);
    assertThat(compared("price", Comparison.GREATER, decimal("99.90"))).containsExactly(3L, 4L);
    assertThat(compared("weight", Comparison.EQUAL, 0.25)).containsExactly(7L);
    assertThat(compared("active", Comparison.EQUAL, false)).containsExactly(3L, 5L);
    assertThat(compared("name", Comparison.EQUAL, "Käse")).containsExactly(7L);
    assertThat(compared("id", Comparison.EQUAL, 3L)).containsExactly(3L);
  }

  @Test
  default void equal_text_isCaseSensitive() {
    assertThat(compared("name", Comparison.EQUAL, "anvil")).containsExactly(5L);
    assertThat(compared("name", Comparison.NOT_EQUAL, "anvil")).hasSize(7).doesNotContain(5L);
  }

  @Test
  default void comparisonWithNull_isNeverTrueAndNeverFalse() {
    for (var how :
        List.of(Comparison.EQUAL, Comparison.NOT_EQUAL, Comparison.LESS, Comparison.LIKE)) {
      var column = how == Comparison.LIKE ? "name" : "stock";
      assertThat(compared(column, how, null)).as("%s", how).isEmpty();
      assertThat(products(bind -> new Filter.Not(bind.compare(column, how, null))))
          .as("not %s", how)
          .isEmpty();
    }
  }

  @Test
  default void notDistinct_treatsNullAsEqualToNull() {
    assertThat(compared("category_id", Comparison.NOT_DISTINCT, null)).containsExactly(5L, 8L);
    assertThat(compared("category_id", Comparison.NOT_DISTINCT, 5)).containsExactly(3L, 4L);
    assertThat(products(bind -> new Filter.Not(bind.compare("stock", Comparison.NOT_DISTINCT, 5))))
        .containsExactly(2L, 3L, 4L, 5L, 6L, 7L, 8L);
  }

  @Test
  default void like_patterns_areCaseSensitive() {
    assertThat(compared("name", Comparison.LIKE, "A%")).containsExactly(1L);
    assertThat(compared("name", Comparison.LIKE, "_nvil")).containsExactly(1L, 5L);
    assertThat(compared("name", Comparison.LIKE, "%q%")).containsExactly(8L);
    assertThat(compared("name", Comparison.LIKE, "nvil")).isEmpty();
  }

  @Test
  default void like_backslashEscapes() {
    assertThat(compared("name", Comparison.LIKE, "100\\% wool")).containsExactly(6L);
    assertThat(compared("name", Comparison.LIKE, "A\\%")).isEmpty();
    assertThat(compared("description", Comparison.LIKE, "a\\_b")).containsExactly(6L);
    assertThat(compared("description", Comparison.LIKE, "a\\\\b")).containsExactly(7L);
    assertThat(compared("description", Comparison.LIKE, "a_b")).containsExactly(6L, 7L);
  }

  @Test
  default void like_otherSpecialCharacters_areLiteral() {
    assertThat(compared("name", Comparison.LIKE, "[A]%")).isEmpty();
    assertThat(compared("name", Comparison.LIKE, "*")).isEmpty();
    assertThat(compared("name", Comparison.LIKE, "?nvil")).isEmpty();
  }

  @Test
  default void ilike_ignoresCase() {
    assertThat(compared("name", Comparison.ILIKE, "AN%")).containsExactly(1L, 5L);
    assertThat(compared("name", Comparison.ILIKE, "100\\% WOOL")).containsExactly(6L);
    assertThat(compared("description", Comparison.ILIKE, "A\\_B")).containsExactly(6L);
  }

  @Test
  default void matches_isARegularExpression() {
    var bind = new Bindings();
    var select = select("products", "id").where(bind.compare("name", Comparison.MATCHES, "^A.*l$"));
    assertThat(db().column(select, bind)).containsExactly(1L);
    assertThat(compared("name", Comparison.MATCHES, "nvi")).containsExactly(1L, 5L);
    assertThat(compared("name", Comparison.IMATCHES, "^AN")).containsExactly(1L, 5L);
  }

  @Test
  default void matches_invalidPattern_isAUserError() {
    var bind = new Bindings();
    var select = select("products", "id").where(bind.compare("name", Comparison.MATCHES, "(["));
    assertThat(db().failure(select, bind).code()).isEqualTo(ErrorCode.INVALID_DATA);
  }

  @Test
  default void emptyAnd_isTrueEmptyOr_isFalse() {
    assertThat(products(bind -> new Filter.And(List.of()))).hasSize(8);
    assertThat(products(bind -> new Filter.Or(List.of()))).isEmpty();
    assertThat(products(bind -> new Filter.Not(new Filter.Or(List.of())))).hasSize(8);
  }

  @Test
  default void andOrNot_nest() {
    assertThat(
            products(bind ->
                new Filter.And(
                    List.of(
                        bind.equal("brand_id", 1),
                        new Filter.Or(
                            List.of(
                                bind.equal("stock", 5),
                                new Filter.Not(bind.equal("active", true))))))))
        .containsExactly(1L, 3L);
  }

  @Test
  default void not_ofUnknown_staysUnknown() {
    assertThat(products(bind -> new Filter.Not(bind.equal("category_id", 3))))
        .containsExactly(3L, 4L, 6L, 7L);
    assertThat(
            products(bind ->
                new Filter.Or(List.of(bind.equal("category_id", 3), bind.equal("brand_id", 1)))))
        .containsExactly(1L, 2L, 3L, 8L);
  }

  @Test
  default void deepNesting_works() {
    assertThat(
            products(bind -> {
              Filter filter = bind.equal("id", 4);
              for (int depth = 0; depth < 60; depth++) {
                filter = new Filter.And(List.of(new Filter.Or(List.of(filter))));
              }
              return filter;
            }))
        .containsExactly(4L);
  }

  @Test
  default void isNull_findsNulls() {
    assertThat(products(bind -> new Filter.IsNull("category_id"))).containsExactly(5L, 8L);
    assertThat(products(bind -> new Filter.Not(new Filter.IsNull("stock"))))
        .containsExactly(1L, 2L, 3L, 4L, 6L, 7L, 8L);
  }

  @Test
  default void in_findsItsValues() {
    assertThat(products(bind -> bind.in("id", List.of(1, 3, 99)))).containsExactly(1L, 3L);
    assertThat(products(bind -> bind.in("name", List.of("Rope", "It's \"quoted\""))))
        .containsExactly(2L, 8L);
    assertThat(products(bind -> bind.in("price", List.of(decimal("9.5"), decimal("1000")))))
        .containsExactly(2L, 4L);
    assertThat(products(bind -> bind.in("active", List.of(false)))).containsExactly(3L, 5L);
  }

  @Test
  default void in_emptyList_isFalse() {
    assertThat(products(bind -> bind.in("id", List.of()))).isEmpty();
    assertThat(products(bind -> new Filter.Not(bind.in("category_id", List.of())))).hasSize(8);
  }

  @Test
  default void in_withNulls_neverFindsThem() {
    assertThat(products(bind -> bind.in("category_id", Arrays.asList(3, null))))
        .containsExactly(1L, 2L);
    assertThat(products(bind -> new Filter.Not(bind.in("category_id", Arrays.asList(3, null)))))
        .isEmpty();
  }

  @Test
  default void notIn_excludesNulls() {
    assertThat(products(bind -> new Filter.Not(bind.in("category_id", List.of(3)))))
        .containsExactly(3L, 4L, 6L, 7L);
  }

  @Test
  default void in_ofTenThousandValues_findsAll() {
    var values = LongStream.rangeClosed(5, 10_004).boxed().toList();
    assertThat(products(bind -> bind.in("id", values))).containsExactly(5L, 6L, 7L, 8L);
  }

  @Test
  default void in_runsWithAnyNumberOfValues() {
    var bind = new Bindings();
    var prepared = db().prepare(select("products", "id").where(bind.in("id", List.of())));
    for (int size : List.of(0, 1, 2, 8, 3, 1)) {
      var sink = new CollectingSink();
      List<Object> values = LongStream.rangeClosed(1, size).<Object>mapToObj(n -> n).toList();
      prepared.run(Arguments.of(values), null, sink);
      assertThat(sink.await(EngineDriver.PATIENCE).count()).isEqualTo(size);
    }
  }

  @Test
  default void compareColumns_comparesWithinARow() {
    assertThat(products(bind -> new Filter.CompareColumns("id", Comparison.LESS, "stock")))
        .containsExactly(1L, 2L, 6L, 7L);
    assertThat(products(bind -> new Filter.CompareColumns("id", Comparison.EQUAL, "brand_id")))
        .containsExactly(1L);
    assertThat(
            products(bind -> new Filter.CompareColumns("stock", Comparison.NOT_DISTINCT, "stock")))
        .hasSize(8);
  }

  @Test
  default void exists_throughToOne() {
    var brand = shop().relationship("products", "brand");
    var bind = new Bindings();
    var select =
        select("products", "id").where(new Filter.Exists(brand, bind.equal("name", "Borg")));
    assertThat(db().column(select, bind)).containsExactlyInAnyOrder(4L, 5L, 6L, 7L);
  }

  @Test
  default void exists_throughToMany_returnsEachRowOnce() {
    var prices = shop().relationship("products", "prices");
    var bind = new Bindings();
    var select =
        select("products", "id")
            .where(
                new Filter.Exists(
                    prices, bind.compare("amount", Comparison.GREATER, decimal("90"))));
    assertThat(db().column(select, bind)).containsExactlyInAnyOrder(1L, 3L, 4L);
  }

  @Test
  default void exists_anyRow_andItsNegation() {
    var prices = shop().relationship("products", "prices");
    var any = new Filter.Exists(prices, new Filter.And(List.of()));
    assertThat(products(bind -> any)).containsExactly(1L, 2L, 3L, 4L);
    assertThat(products(bind -> new Filter.Not(any))).containsExactly(5L, 6L, 7L, 8L);
  }

  @Test
  default void exists_throughSelfReference_nestedAndComposite() {
    assertThat(categoriesWithGrandparent("All")).containsExactlyInAnyOrder(3L, 5L);
    assertThat(categoriesWithProductOf("Borg")).containsExactlyInAnyOrder(4L, 5L);
    assertThat(pricesChangedFrom("92.50")).containsExactly(row(1, "EUR"));
  }

  private List<@Nullable Object> categoriesWithGrandparent(String name) {
    var parent = shop().relationship("categories", "parent");
    var bind = new Bindings();
    var grandparent =
        new Filter.Exists(parent, new Filter.Exists(parent, bind.equal("name", name)));
    return db().column(select("categories", "id").where(grandparent), bind);
  }

  private List<@Nullable Object> categoriesWithProductOf(String brand) {
    var bind = new Bindings();
    var made =
        new Filter.Exists(
            shop().relationship("categories", "products"),
            new Filter.Exists(shop().relationship("products", "brand"), bind.equal("name", brand)));
    return db().column(select("categories", "id").where(made), bind);
  }

  private List<List<@Nullable Object>> pricesChangedFrom(String amount) {
    var bind = new Bindings();
    var changed =
        new Filter.Exists(
            shop().relationship("prices", "price_changes"),
            bind.equal("old_amount", decimal(amount)));
    return db().rows(select("prices", "product_id", "currency").where(changed), bind);
  }

  @Test
  default void sameParameter_mayOccurTwice() {
    var bind = new Bindings();
    var five = bind.value(5);
    Select select =
        select("products", "id")
            .where(
                new Filter.Or(
                    List.of(
                        new Filter.Compare("stock", Comparison.EQUAL, five),
                        new Filter.Compare("category_id", Comparison.EQUAL, five))));
    assertThat(db().column(select, bind)).containsExactlyInAnyOrder(1L, 3L, 4L);
  }

  @Test
  default void equalOperations_returnEqualRows() {
    var bind = new Bindings();
    var first = select("products", "name").where(bind.equal("id", 2));
    var second = select("products", "name").where(new Bindings().equal("id", 3));
    assertThat(first).isEqualTo(second);
    assertThat(db().column(first, bind)).isEqualTo(db().column(second, bind));
  }
}

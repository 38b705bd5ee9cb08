// SPDX-License-Identifier: Apache-2.0
package dev.evita.api.testkit;

import static dev.evita.api.testkit.EngineDriver.decimal;
import static dev.evita.api.testkit.EngineDriver.row;
import static dev.evita.api.testkit.EngineSuite.columns;
import static dev.evita.api.testkit.EngineSuite.outputs;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.evita.api.Comparison;
import dev.evita.api.Order;
import dev.evita.api.Output;
import dev.evita.api.Output.Function;
import dev.evita.api.Select;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Values computed over rows. */
interface AggregateSuite extends EngineSuite {

  private static Output of(Function function, String... names) {
    return new Output.Aggregate(function, List.of(names), false);
  }

  private static Output distinct(Function function, String... names) {
    return new Output.Aggregate(function, List.of(names), true);
  }

  private Select aggregate(String table, Output... outputs) {
    return Select.of(db().table(table), List.of(outputs));
  }

  private List<List<@Nullable Object>> aggregated(Select select) {
    return db().rows(select);
  }

  @Test
  default void count_countsRowsOrNonNullValues() {
    var rows =
        aggregated(
            aggregate(
                "products",
                of(Function.COUNT),
                of(Function.COUNT, "category_id"),
                distinct(Function.COUNT, "category_id"),
                of(Function.COUNT, "category_id", "description"),
                distinct(Function.COUNT, "brand_id", "category_id")));
    assertThat(rows).containsExactly(row(8, 6, 3, 4, 4));
  }

  @Test
  default void sumMinMax_ignoreNulls() {
    var rows =
        aggregated(
            aggregate(
                "products",
                of(Function.SUM, "stock"),
                of(Function.MIN, "stock"),
                of(Function.MAX, "stock"),
                of(Function.SUM, "price"),
                of(Function.MIN, "price"),
                of(Function.MAX, "weight"),
                distinct(Function.SUM, "price")));
    assertThat(plainNumbers(rows.getFirst()))
        .containsExactly(
            decimal("128"),
            decimal("0"),
            decimal("100"),
            decimal("1482.60"),
            decimal("3.30"),
            50.5,
            decimal("1382.70"));
  }

  /** A sum of integers may be INT64 or DECIMAL. */
  private static List<@Nullable Object> plainNumbers(List<@Nullable Object> row) {
    var values = new ArrayList<@Nullable Object>();
    for (var value : row) {
      values.add(value instanceof Long whole ? decimal(whole.toString()) : value);
    }
    return values;
  }

  @Test
  default void average_exactTypes_isExactAndNotTruncated() {
    var rows =
        aggregated(
            aggregate(
                "products",
                of(Function.AVG, "stock"),
                of(Function.AVG, "price"),
                of(Function.AVG, "weight"),
                distinct(Function.AVG, "price")));
    var row = rows.getFirst();
    assertThat(rounded(row.get(0))).isEqualByComparingTo("18.286");
    assertThat(rounded(row.get(1))).isEqualByComparingTo("211.800");
    assertThat((Double) row.get(2)).isCloseTo(17.583, within(0.001));
    assertThat(rounded(row.get(3))).isEqualByComparingTo("230.450");
  }

  private static BigDecimal rounded(@Nullable Object value) {
    assertThat(value).isInstanceOf(BigDecimal.class);
    return ((BigDecimal) Objects.requireNonNull(value)).setScale(3, RoundingMode.HALF_UP);
  }

  @Test
  default void minMax_ofTexts() {
    var rows = aggregated(aggregate("tags", of(Function.MIN, "label"), of(Function.MAX, "label")));
    assertThat(rows).containsExactly(row("heavy", "unused"));
  }

  @Test
  default void aggregates_overNoRows_countIsZeroOthersAreNull() {
    var bind = new Bindings();
    var select =
        aggregate(
                "products",
                of(Function.COUNT),
                of(Function.COUNT, "stock"),
                of(Function.SUM, "stock"),
                of(Function.AVG, "price"),
                of(Function.MIN, "name"),
                of(Function.MAX, "weight"))
            .where(bind.equal("id", 999));
    var rows = db().rows(select, bind);
    assertThat(rows).containsExactly(row(0, 0, null, null, null, null));
  }

  @Test
  default void sum_ofLargeNumbers_isExact() {
    var most = Long.MAX_VALUE;
    shop().insert("all_types", "id c_int64", row(1, most), row(2, most));
    var rows = aggregated(aggregate("all_types", of(Function.SUM, "c_int64")));
    assertThat(plainNumbers(rows.getFirst())).containsExactly(decimal("18446744073709551614"));
  }

  @Test
  default void limitAndOrder_selectTheAggregatedRows() {
    var bind = new Bindings();
    var select =
        aggregate("products", of(Function.COUNT), of(Function.MAX, "id"), of(Function.SUM, "stock"))
            .orderBy(List.of(Order.ascending("id")))
            .limit(bind.value(3))
            .offset(bind.value(1));
    var rows = db().rows(select, bind);
    assertThat(plainNumbers(rows.getFirst()))
        .containsExactly(decimal("3"), decimal("4"), decimal("101"));
  }

  @Test
  default void groupBy_returnsARowForEachGroupIncludingNull() {
    var select =
        Select.of(
                db().table("products"),
                outputs(columns("category_id"), of(Function.COUNT), of(Function.MAX, "id")))
            .groupBy(List.of("category_id"))
            .orderBy(List.of(Order.ascending("category_id")));
    var rows = db().rows(select);
    assertThat(rows).containsExactly(row(3, 2, 2), row(4, 2, 7), row(5, 2, 4), row(null, 2, 8));
  }

  @Test
  default void groupBy_limit_appliesToGroups() {
    var bind = new Bindings();
    var select =
        Select.of(
                db().table("products"), outputs(columns("brand_id", "active"), of(Function.COUNT)))
            .groupBy(List.of("brand_id", "active"))
            .orderBy(List.of(Order.ascending("brand_id"), Order.descending("active")))
            .limit(bind.value(2))
            .offset(bind.value(1));
    var rows = db().rows(select, bind);
    assertThat(rows).containsExactly(row(1, false, 1), row(2, true, 3));
  }

  @Test
  default void groupBy_noRows_returnsNoGroups() {
    var bind = new Bindings();
    var select =
        Select.of(db().table("products"), outputs(columns("brand_id"), of(Function.COUNT)))
            .groupBy(List.of("brand_id"))
            .where(bind.equal("id", 999));
    assertThat(db().rows(select, bind)).isEmpty();
  }

  @Test
  default void nestedAggregate_returnsOneRowForEachParent() {
    var prices = aggregate("prices", of(Function.COUNT), of(Function.MAX, "amount"));
    var select = nestedIn("prices", prices);
    var rows = db().rows(select);
    assertThat(rows)
        .startsWith(
            row(1, List.of(row(2, decimal("105")))),
            row(2, List.of(row(1, decimal("9")))),
            row(3, List.of(row(3, decimal("260")))))
        .endsWith(row(8, List.of(row(0, null))));
  }

  private Select nestedIn(String relationship, Select aggregate) {
    var nested = new Output.Nested(shop().relationship("products", relationship), aggregate);
    return Select.of(db().table("products"), outputs(columns("id"), nested))
        .orderBy(List.of(Order.ascending("id")));
  }

  @Test
  default void nestedAggregate_filterAndLimit_applyPerParent() {
    var bind = new Bindings();
    var prices =
        aggregate("prices", of(Function.COUNT), of(Function.MIN, "amount"))
            .where(bind.compare("amount", Comparison.GREATER, decimal("10")))
            .orderBy(List.of(Order.descending("amount")))
            .limit(bind.value(2));
    var select = nestedIn("prices", prices);
    var rows = db().rows(select, bind);
    assertThat(rows)
        .startsWith(
            row(1, List.of(row(2, decimal("95")))),
            row(2, List.of(row(0, null))),
            row(3, List.of(row(2, decimal("255")))));
  }

  @Test
  default void nestedGroupBy_returnsGroupsForEachParent() {
    var products =
        Select.of(db().table("products"), outputs(columns("active"), of(Function.COUNT)))
            .groupBy(List.of("active"))
            .orderBy(List.of(Order.ascending("active")));
    var nested = new Output.Nested(shop().relationship("brands", "products"), products);
    var select =
        Select.of(db().table("brands"), outputs(columns("id"), nested))
            .orderBy(List.of(Order.ascending("id")));
    var rows = db().rows(select);
    assertThat(rows)
        .containsExactly(
            row(1, List.of(row(false, 1), row(true, 3))),
            row(2, List.of(row(false, 1), row(true, 3))),
            row(3, List.of()));
  }
}

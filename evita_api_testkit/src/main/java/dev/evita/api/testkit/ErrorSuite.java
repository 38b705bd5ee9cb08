// SPDX-License-Identifier: Apache-2.0
package dev.evita.api.testkit;

import static dev.evita.api.testkit.EngineSuite.columns;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.evita.api.Call;
import dev.evita.api.Comparison;
import dev.evita.api.Delete;
import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import dev.evita.api.Filter;
import dev.evita.api.Insert;
import dev.evita.api.Insert.OnConflict;
import dev.evita.api.Operation;
import dev.evita.api.Order;
import dev.evita.api.Order.Direction;
import dev.evita.api.Order.Nulls;
import dev.evita.api.Output;
import dev.evita.api.Output.Function;
import dev.evita.api.Parameter;
import dev.evita.api.Select;
import dev.evita.api.Update;
import dev.evita.api.Update.Change;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Operations that are rejected when they are prepared, and their error codes. */
interface ErrorSuite extends EngineSuite {

  private static Parameter any() {
    return new Parameter(0);
  }

  private void assertRejected(ErrorCode code, Operation operation) {
    // If a behavior is denied as well, either may be found first.
    var codes =
        db().denied(operation).isEmpty()
            ? List.of(code)
            : List.of(code, ErrorCode.UNSUPPORTED_OPERATION);
    assertThatThrownBy(() -> db().engine().prepare(operation))
        .as("%s", operation)
        .isInstanceOfSatisfying(
            EvitaException.class, failure -> assertThat(failure.code()).isIn(codes));
  }

  private Output aggregate(Function function, String... names) {
    return new Output.Aggregate(function, List.of(names), false);
  }

  private Update update(Change... changes) {
    return new Update(db().table("items"), List.of(changes), null, List.of());
  }

  private Insert insert(List<String> names, @Nullable OnConflict onConflict) {
    return new Insert(db().table("items"), names, any(), onConflict, List.of());
  }

  @Test
  default void unknownTable_isRejectedEverywhere() {
    var nowhere = db().table("nowhere");
    assertRejected(ErrorCode.UNKNOWN_TABLE, Select.of(nowhere, columns("id")));
    assertRejected(ErrorCode.UNKNOWN_TABLE, new Delete(nowhere, null, List.of()));
    assertRejected(
        ErrorCode.UNKNOWN_TABLE, new Insert(nowhere, List.of("id"), any(), null, List.of()));
    assertRejected(
        ErrorCode.UNKNOWN_TABLE,
        new Update(nowhere, List.of(new Change.Assign("id", any())), null, List.of()));
  }

  @Test
  default void tableOfAnotherCase_isUnknown() {
    assertRejected(ErrorCode.UNKNOWN_TABLE, Select.of(db().table("PRODUCTS"), columns("id")));
    assertRejected(ErrorCode.UNKNOWN_COLUMN, select("products", "ID"));
  }

  @Test
  default void unknownColumn_inSelects_isRejected() {
    var good = select("products", "id");
    assertRejected(ErrorCode.UNKNOWN_COLUMN, select("products", "id", "nothing"));
    assertRejected(
        ErrorCode.UNKNOWN_COLUMN,
        good.where(new Filter.Compare("nothing", Comparison.EQUAL, any())));
    assertRejected(ErrorCode.UNKNOWN_COLUMN, good.where(new Filter.IsNull("x\" is null or \"id")));
    assertRejected(ErrorCode.UNKNOWN_COLUMN, good.where(new Filter.In("nothing", any())));
    assertRejected(
        ErrorCode.UNKNOWN_COLUMN,
        good.where(new Filter.CompareColumns("id", Comparison.EQUAL, "nothing")));
    assertRejected(ErrorCode.UNKNOWN_COLUMN, good.orderBy(List.of(Order.ascending("nothing"))));
    assertRejected(ErrorCode.UNKNOWN_COLUMN, good.distinctOn(List.of("nothing")));
    assertRejected(
        ErrorCode.UNKNOWN_COLUMN,
        Select.of(db().table("products"), List.of(aggregate(Function.MAX, "nothing"))));
    assertRejected(
        ErrorCode.UNKNOWN_COLUMN,
        Select.of(db().table("products"), List.of(aggregate(Function.COUNT)))
            .groupBy(List.of("nothing")));
  }

  @Test
  default void unknownColumn_inNestedSelects_isRejected() {
    var brand = shop().relationship("products", "brand");
    var nested = new Output.Nested(brand, Select.of(brand.to(), columns("nothing")));
    assertRejected(ErrorCode.UNKNOWN_COLUMN, Select.of(db().table("products"), List.of(nested)));
    assertRejected(
        ErrorCode.UNKNOWN_COLUMN,
        select("products", "id").where(new Filter.Exists(brand, new Filter.IsNull("price"))));
  }

  @Test
  default void unknownColumn_inWrites_isRejected() {
    assertRejected(ErrorCode.UNKNOWN_COLUMN, insert(List.of("id", "nothing"), null));
    assertRejected(ErrorCode.UNKNOWN_COLUMN, update(new Change.Assign("nothing", any())));
    assertRejected(
        ErrorCode.UNKNOWN_COLUMN,
        new Delete(db().table("items"), new Filter.IsNull("nothing"), List.of()));
    assertRejected(
        ErrorCode.UNKNOWN_COLUMN, new Delete(db().table("items"), null, columns("nothing")));
    assertRejected(
        ErrorCode.UNKNOWN_COLUMN,
        insert(List.of("id"), new OnConflict(List.of("nothing"), List.of())));
    assertRejected(
        ErrorCode.UNKNOWN_COLUMN,
        insert(List.of("id"), new OnConflict(List.of("id"), List.of("nothing"))));
  }

  @Test
  default void unknownRoutine_isRejected() {
    var schema = db().catalog().defaultSchema();
    assertThat(
            db().failure(new Call(schema, "nothing", Map.of(), List.of()), new Bindings()).code())
        .isIn(ErrorCode.UNKNOWN_ROUTINE, ErrorCode.UNSUPPORTED_OPERATION);
  }

  @Test
  default void errorMessages_containTheOffendingName() {
    assertThatThrownBy(() -> db().prepare(select("products", "nmae"))).hasMessageContaining("nmae");
    assertThatThrownBy(() -> db().prepare(Select.of(db().table("prodcuts"), columns("id"))))
        .hasMessageContaining("prodcuts");
  }

  @Test
  default void keyset_lengthDiffersFromOrder_isInvalid() {
    var select = select("products", "id").orderBy(List.of(Order.ascending("id")));
    assertRejected(ErrorCode.INVALID_OPERATION, select.after(List.of(any(), any())));
    assertRejected(ErrorCode.INVALID_OPERATION, select("products", "id").after(List.of(any())));
  }

  @Test
  default void inconsistentSelect_isInvalid() {
    var products = db().table("products");
    assertRejected(
        ErrorCode.INVALID_OPERATION,
        Select.of(products, List.of(new Output.Column("name"), aggregate(Function.COUNT))));
    assertRejected(
        ErrorCode.INVALID_OPERATION,
        Select.of(products, List.of(new Output.Column("name"), aggregate(Function.COUNT)))
            .groupBy(List.of("brand_id")));
    assertRejected(
        ErrorCode.INVALID_OPERATION, Select.of(products, List.of(aggregate(Function.SUM))));
    assertRejected(
        ErrorCode.INVALID_OPERATION,
        Select.of(products, List.of(aggregate(Function.MAX, "id", "stock"))));
    assertRejected(
        ErrorCode.INVALID_OPERATION, Select.of(products, List.of(aggregate(Function.SUM, "name"))));
  }

  @Test
  default void relationshipFromAnotherTable_isInvalid() {
    var foreign = shop().relationship("routes", "origin");
    assertRejected(
        ErrorCode.INVALID_OPERATION,
        Select.of(
            db().table("products"),
            List.of(new Output.Nested(foreign, Select.of(foreign.to(), columns("name"))))));
    assertRejected(
        ErrorCode.INVALID_OPERATION,
        select("products", "id").where(new Filter.Exists(foreign, new Filter.And(List.of()))));
    var brand = shop().relationship("products", "brand");
    assertRejected(
        ErrorCode.INVALID_OPERATION,
        Select.of(
            db().table("products"), List.of(new Output.Nested(brand, select("places", "name")))));
  }

  @Test
  default void order_throughToMany_isInvalid() {
    var prices = shop().relationship("products", "prices");
    var order = new Order(List.of(prices), "amount", Direction.ASCENDING, Nulls.LAST);
    assertRejected(ErrorCode.INVALID_OPERATION, select("products", "id").orderBy(List.of(order)));
  }

  @Test
  default void inconsistentWrite_isInvalid() {
    assertRejected(ErrorCode.INVALID_OPERATION, update());
    assertRejected(
        ErrorCode.INVALID_OPERATION,
        update(new Change.Assign("note", any()), new Change.Assign("note", any())));
    assertRejected(ErrorCode.INVALID_OPERATION, update(new Change.Increment("note", any())));
    assertRejected(ErrorCode.INVALID_OPERATION, insert(List.of("id", "id"), null));
    assertRejected(
        ErrorCode.INVALID_OPERATION,
        insert(List.of("id", "note"), new OnConflict(List.of("note"), List.of("id"))));
    var brand = shop().relationship("items", "brand");
    var nested = new Output.Nested(brand, Select.of(brand.to(), columns("name")));
    assertRejected(
        ErrorCode.INVALID_OPERATION, new Delete(db().table("items"), null, List.of(nested)));
  }

  @Test
  default void row_lengthDiffersFromColumns_isInvalid() {
    var bind = new Bindings();
    var insert =
        new Insert(
            db().table("items"),
            List.of("id", "code"),
            bind.rows(List.of(List.of(1))),
            null,
            List.of());
    assertThat(db().failure(insert, bind).code()).isEqualTo(ErrorCode.INVALID_OPERATION);
  }

  @Test
  default void argumentMissing_isInvalid() {
    var bind = new Bindings();
    var select = select("products", "id").where(new Filter.Compare("id", Comparison.EQUAL, any()));
    assertThat(db().failure(select, bind).code()).isEqualTo(ErrorCode.INVALID_OPERATION);
  }

  @Test
  default void argument_wrongClass_isInvalidValue() {
    for (var value : List.of("abc", List.of(1))) {
      var bind = new Bindings();
      var select = select("products", "name").where(bind.equal("id", value));
      assertThat(db().failure(select, bind).code()).isEqualTo(ErrorCode.INVALID_VALUE);
    }
  }

  @Test
  default void negativeLimitOrOffset_isInvalidValue() {
    for (Object rows : List.of(-1, "x")) {
      var limit = new Bindings();
      assertThat(db().failure(select("products", "id").limit(limit.value(rows)), limit).code())
          .isEqualTo(ErrorCode.INVALID_VALUE);
      var offset = new Bindings();
      assertThat(db().failure(select("products", "id").offset(offset.value(rows)), offset).code())
          .isEqualTo(ErrorCode.INVALID_VALUE);
    }
  }

  @Test
  default void writeToAView_isRejected() {
    var bind = new Bindings();
    var insert =
        new Insert(
            db().table("expensive_products"),
            List.of("id"),
            bind.rows(List.of(List.of(1))),
            null,
            List.of());
    assertThat(db().failure(insert, bind).code().category())
        .isNotEqualTo(ErrorCode.Category.INTERNAL);
  }
}

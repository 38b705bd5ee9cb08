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

/** What is refused when an operation is prepared, and with which code. */
interface ErrorSuite extends EngineSuite {

  private static Parameter any() {
    return new Parameter(0);
  }

  private void refused(ErrorCode code, Operation operation) {
    assertThatThrownBy(() -> db().engine().prepare(operation))
        .as("%s", operation)
        .isInstanceOfSatisfying(
            EvitaException.class, failure -> assertThat(failure.code()).isEqualTo(code));
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
  default void unknownTable_isRefusedEverywhere() {
    var nowhere = db().table("nowhere");
    refused(ErrorCode.UNKNOWN_TABLE, Select.of(nowhere, columns("id")));
    refused(ErrorCode.UNKNOWN_TABLE, new Delete(nowhere, null, List.of()));
    refused(ErrorCode.UNKNOWN_TABLE, new Insert(nowhere, List.of("id"), any(), null, List.of()));
    refused(
        ErrorCode.UNKNOWN_TABLE,
        new Update(nowhere, List.of(new Change.Assign("id", any())), null, List.of()));
  }

  @Test
  default void tableOfAnotherCase_isUnknown() {
    refused(ErrorCode.UNKNOWN_TABLE, Select.of(db().table("PRODUCTS"), columns("id")));
    refused(ErrorCode.UNKNOWN_COLUMN, select("products", "ID"));
  }

  @Test
  default void unknownColumn_isRefusedInSelects() {
    var good = select("products", "id");
    refused(ErrorCode.UNKNOWN_COLUMN, select("products", "id", "nothing"));
    refused(
        ErrorCode.UNKNOWN_COLUMN,
        good.where(new Filter.Compare("nothing", Comparison.EQUAL, any())));
    refused(ErrorCode.UNKNOWN_COLUMN, good.where(new Filter.IsNull("x\" is null or \"id")));
    refused(ErrorCode.UNKNOWN_COLUMN, good.where(new Filter.In("nothing", any())));
    refused(
        ErrorCode.UNKNOWN_COLUMN,
        good.where(new Filter.CompareColumns("id", Comparison.EQUAL, "nothing")));
    refused(ErrorCode.UNKNOWN_COLUMN, good.orderBy(List.of(Order.ascending("nothing"))));
    refused(ErrorCode.UNKNOWN_COLUMN, good.distinctOn(List.of("nothing")));
    refused(
        ErrorCode.UNKNOWN_COLUMN,
        Select.of(db().table("products"), List.of(aggregate(Function.MAX, "nothing"))));
    refused(
        ErrorCode.UNKNOWN_COLUMN,
        Select.of(db().table("products"), List.of(aggregate(Function.COUNT)))
            .groupBy(List.of("nothing")));
  }

  @Test
  default void unknownColumn_isRefusedInNestedSelects() {
    var brand = shop().relationship("products", "brand");
    var nested = new Output.Nested(brand, Select.of(brand.to(), columns("nothing")));
    refused(ErrorCode.UNKNOWN_COLUMN, Select.of(db().table("products"), List.of(nested)));
    refused(
        ErrorCode.UNKNOWN_COLUMN,
        select("products", "id").where(new Filter.Exists(brand, new Filter.IsNull("price"))));
  }

  @Test
  default void unknownColumn_isRefusedInWrites() {
    refused(ErrorCode.UNKNOWN_COLUMN, insert(List.of("id", "nothing"), null));
    refused(ErrorCode.UNKNOWN_COLUMN, update(new Change.Assign("nothing", any())));
    refused(
        ErrorCode.UNKNOWN_COLUMN,
        new Delete(db().table("items"), new Filter.IsNull("nothing"), List.of()));
    refused(ErrorCode.UNKNOWN_COLUMN, new Delete(db().table("items"), null, columns("nothing")));
    refused(
        ErrorCode.UNKNOWN_COLUMN,
        insert(List.of("id"), new OnConflict(List.of("nothing"), List.of())));
    refused(
        ErrorCode.UNKNOWN_COLUMN,
        insert(List.of("id"), new OnConflict(List.of("id"), List.of("nothing"))));
  }

  @Test
  default void unknownRoutine_isRefused() {
    var schema = db().catalog().defaultSchema();
    assertThat(
            db().failure(new Call(schema, "nothing", Map.of(), List.of()), new Bindings()).code())
        .isIn(ErrorCode.UNKNOWN_ROUTINE, ErrorCode.UNSUPPORTED_OPERATION);
  }

  @Test
  default void errorMessages_nameTheOffender() {
    assertThatThrownBy(() -> db().engine().prepare(select("products", "nmae")))
        .hasMessageContaining("nmae");
    assertThatThrownBy(
            () -> db().engine().prepare(Select.of(db().table("prodcuts"), columns("id"))))
        .hasMessageContaining("prodcuts");
  }

  @Test
  default void keysetOfAnotherLengthThanTheOrder_isInvalid() {
    var select = select("products", "id").orderBy(List.of(Order.ascending("id")));
    refused(ErrorCode.INVALID_OPERATION, select.after(List.of(any(), any())));
    refused(ErrorCode.INVALID_OPERATION, select("products", "id").after(List.of(any())));
  }

  @Test
  default void selectThatContradictsItself_isInvalid() {
    var products = db().table("products");
    refused(
        ErrorCode.INVALID_OPERATION,
        Select.of(products, List.of(new Output.Column("name"), aggregate(Function.COUNT))));
    refused(
        ErrorCode.INVALID_OPERATION,
        Select.of(products, List.of(new Output.Column("name"), aggregate(Function.COUNT)))
            .groupBy(List.of("brand_id")));
    refused(ErrorCode.INVALID_OPERATION, Select.of(products, List.of(aggregate(Function.SUM))));
    refused(
        ErrorCode.INVALID_OPERATION,
        Select.of(products, List.of(aggregate(Function.MAX, "id", "stock"))));
    refused(
        ErrorCode.INVALID_OPERATION, Select.of(products, List.of(aggregate(Function.SUM, "name"))));
  }

  @Test
  default void relationshipFromAnotherTable_isInvalid() {
    var foreign = shop().relationship("routes", "origin");
    refused(
        ErrorCode.INVALID_OPERATION,
        Select.of(
            db().table("products"),
            List.of(new Output.Nested(foreign, Select.of(foreign.to(), columns("name"))))));
    refused(
        ErrorCode.INVALID_OPERATION,
        select("products", "id").where(new Filter.Exists(foreign, new Filter.And(List.of()))));
    var brand = shop().relationship("products", "brand");
    refused(
        ErrorCode.INVALID_OPERATION,
        Select.of(
            db().table("products"), List.of(new Output.Nested(brand, select("places", "name")))));
  }

  @Test
  default void orderThroughMany_isInvalid() {
    var prices = shop().relationship("products", "prices");
    var order = new Order(List.of(prices), "amount", Direction.ASCENDING, Nulls.LAST);
    refused(ErrorCode.INVALID_OPERATION, select("products", "id").orderBy(List.of(order)));
  }

  @Test
  default void writeThatContradictsItself_isInvalid() {
    refused(ErrorCode.INVALID_OPERATION, update());
    refused(
        ErrorCode.INVALID_OPERATION,
        update(new Change.Assign("note", any()), new Change.Assign("note", any())));
    refused(ErrorCode.INVALID_OPERATION, update(new Change.Increment("note", any())));
    refused(ErrorCode.INVALID_OPERATION, insert(List.of("id", "id"), null));
    refused(
        ErrorCode.INVALID_OPERATION,
        insert(List.of("id", "note"), new OnConflict(List.of("note"), List.of("id"))));
    var brand = shop().relationship("items", "brand");
    var nested = new Output.Nested(brand, Select.of(brand.to(), columns("name")));
    refused(ErrorCode.INVALID_OPERATION, new Delete(db().table("items"), null, List.of(nested)));
  }

  @Test
  default void rowOfAnotherLengthThanTheColumns_isInvalid() {
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
  default void argumentOfAWrongClass_isInvalidValue() {
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
  default void writeToAView_isRefused() {
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

// SPDX-License-Identifier: Apache-2.0
package dev.evita.api.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evita.api.Arguments;
import dev.evita.api.DataType.Scalar;
import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import dev.evita.api.Filter;
import dev.evita.api.Order;
import dev.evita.api.Output;
import dev.evita.api.RowShape;
import dev.evita.api.Select;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Conversions of values to other types. */
interface CastSuite extends EngineSuite {

  private static Output cast(String column, Scalar type) {
    return new Output.Cast(new Output.Column(column), type);
  }

  private @Nullable Object product(int id, String column, Scalar type) {
    return one("products", bind -> bind.equal("id", id), column, type);
  }

  private @Nullable Object one(
      String table, Function<Bindings, Filter> where, String column, Scalar type) {
    var bind = new Bindings();
    var select = Select.of(db().table(table), List.of(cast(column, type))).where(where.apply(bind));
    var slot = db().prepare(select).shape().slots().getFirst();
    assertThat(slot).isEqualTo(new RowShape.ValueSlot(slot.name(), type));
    return db().rows(select, bind).getFirst().getFirst();
  }

  private @Nullable Object text(String text, Scalar type) {
    store(text);
    return one("all_types", bind -> bind.equal("id", 1), "c_text", type);
  }

  private void store(String text) {
    fixture().deleteAll("all_types");
    shop().insert("all_types", "id c_text", EngineDriver.row(1, text));
  }

  private EvitaException.Code failure(String text, Scalar type) {
    store(text);
    return failure(Select.of(db().table("all_types"), List.of(cast("c_text", type))));
  }

  /** Returns the failure of the execution, or of the read if the engine casts only then. */
  private EvitaException.Code failure(Select select) {
    var read = new AtomicReference<@Nullable EvitaException>();
    var sink =
        CollectingSink.reading(row -> {
          try {
            row.objectAt(0);
          } catch (EvitaException e) {
            read.set(e);
          }
        });
    db().prepare(select).run(Arguments.NONE, null, sink);
    var failure = read.get() == null ? sink.await(EngineDriver.PATIENCE).failure() : read.get();
    return Objects.requireNonNull(failure, "nothing failed").code();
  }

  private boolean denied() {
    if (supports(EngineBehavior.CASTS)) {
      return false;
    }
    var select = Select.of(db().table("products"), List.of(cast("price", Scalar.INT32)));
    requireUnsupported(select, new Bindings());
    return true;
  }

  @Test
  default void cast_numbersAndBooleans_returnsTheType() {
    if (denied()) {
      return;
    }
    assertThat(product(2, "price", Scalar.INT32)).isEqualTo(10L);
    assertThat(product(7, "price", Scalar.INT16)).isEqualTo(3L);
    assertThat(product(7, "price", Scalar.FLOAT64)).isEqualTo(3.3);
    assertThat(product(8, "price", Scalar.INT64)).isNull();
    assertThat(product(1, "stock", Scalar.BOOLEAN)).isEqualTo(true);
    assertThat(product(3, "stock", Scalar.BOOLEAN)).isEqualTo(false);
    assertThat(product(1, "active", Scalar.INT32)).isEqualTo(1L);
    assertThat(product(3, "active", Scalar.INT64)).isEqualTo(0L);
    assertThat((BigDecimal) product(1, "stock", Scalar.DECIMAL)).isEqualByComparingTo("5");
  }

  @Test
  default void cast_texts_parsesThem() {
    if (denied()) {
      return;
    }
    assertThat(text("42", Scalar.INT32)).isEqualTo(42L);
    assertThat((BigDecimal) text("1.50", Scalar.DECIMAL)).isEqualByComparingTo("1.5");
    assertThat(text("NaN", Scalar.DECIMAL)).isEqualTo(Double.NaN);
    assertThat(text("1.5", Scalar.FLOAT64)).isEqualTo(1.5);
    assertThat(text("true", Scalar.BOOLEAN)).isEqualTo(true);
    assertThat(text("2026-01-31", Scalar.DATE)).isEqualTo(LocalDate.of(2026, 1, 31));
    assertThat(text("2026-01-31 13:45:00", Scalar.TIMESTAMP))
        .isEqualTo(LocalDateTime.of(2026, 1, 31, 13, 45));
    assertThat(text("2026-01-31", Scalar.TIMESTAMP)).isEqualTo(LocalDateTime.of(2026, 1, 31, 0, 0));
    var uuid = UUID.randomUUID();
    assertThat(text(uuid.toString(), Scalar.UUID)).isEqualTo(uuid);
    assertThat(String.valueOf(text("{\"a\":1}", Scalar.JSON)).replace(" ", ""))
        .isEqualTo("{\"a\":1}");
  }

  @Test
  default void cast_invalidText_isAUserError() {
    if (denied()) {
      return;
    }
    for (var type :
        List.of(
            Scalar.INT32,
            Scalar.DECIMAL,
            Scalar.FLOAT64,
            Scalar.BOOLEAN,
            Scalar.DATE,
            Scalar.TIMESTAMP,
            Scalar.UUID,
            Scalar.JSON)) {
      assertThat(failure("x y", type)).as("%s", type).isEqualTo(ErrorCode.INVALID_DATA);
    }
    assertThat(failure("99999999999", Scalar.INT32))
        .isIn(ErrorCode.INVALID_DATA, ErrorCode.VALUE_OUT_OF_RANGE);
  }

  @Test
  default void cast_outOfRange_isRejected() {
    if (denied()) {
      return;
    }
    shop().insert("all_types", "id c_int64", EngineDriver.row(1, 99_999_999_999L));
    var select = Select.of(db().table("all_types"), List.of(cast("c_int64", Scalar.INT32)));
    assertThat(failure(select)).isEqualTo(ErrorCode.VALUE_OUT_OF_RANGE);
  }

  @Test
  default void cast_betweenUnrelatedTypes_isUnsupported() {
    for (var output :
        List.of(
            cast("price", Scalar.DATE), cast("active", Scalar.UUID), cast("id", Scalar.BINARY))) {
      requireUnsupported(Select.of(db().table("products"), List.of(output)), new Bindings());
    }
  }

  @Test
  default void cast_inRelatedRows_isSupported() {
    if (denied()) {
      return;
    }
    var select =
        Select.of(
                db().table("brands"),
                List.of(
                    new Output.Column("id"),
                    EngineSuite.nested(
                        shop().relationship("brands", "products"), cast("price", Scalar.INT32))))
            .orderBy(List.of(Order.ascending("id")));
    var rows = db().rows(select, new Bindings());
    assertThat(rows.getLast()).isEqualTo(List.of(3L, List.of()));
    assertThat(rows.get(1).get(1).toString()).contains("1000", "20", "3");
  }
}

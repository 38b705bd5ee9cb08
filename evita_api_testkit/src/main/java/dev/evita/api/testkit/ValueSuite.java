// SPDX-License-Identifier: Apache-2.0
package dev.evita.api.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evita.api.Comparison;
import dev.evita.api.DataType;
import dev.evita.api.DataType.Scalar;
import dev.evita.api.ErrorCode;
import dev.evita.api.Insert;
import dev.evita.api.RowShape;
import dev.evita.api.Update;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.OffsetTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Random;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Round trips of values of all types. */
interface ValueSuite extends EngineSuite {

  private static String columnOf(Scalar type) {
    return "c_" + type.name().toLowerCase(Locale.ROOT);
  }

  private void store(String column, @Nullable Object value) {
    fixture().deleteAll("all_types");
    var bind = new Bindings();
    var rows = bind.rows(List.of(EngineDriver.row(1, value)));
    // row() normalizes numbers to classes that arguments may have as well
    var insert = new Insert(db().table("all_types"), List.of("id", column), rows, null, List.of());
    assertThat(db().affected(insert, bind)).isEqualTo(1);
  }

  private @Nullable Object load(String column) {
    var sink = db().run(select("all_types", column), new Bindings().arguments(), null);
    assertThat(sink.failure()).isNull();
    return sink.rows().getFirst().getFirst();
  }

  private void requireSame(Scalar type, Object... values) {
    if (!shop().hasType(type)) {
      assertThat(db().catalog().requireTable(db().table("all_types")).column(columnOf(type)))
          .isEmpty();
      return;
    }
    for (var value : values) {
      store(columnOf(type), value);
      assertThat(comparable(load(columnOf(type)))).as("%s", type).isEqualTo(comparable(value));
      assertThat(found(columnOf(type), value)).as("%s found by its value", type).isEqualTo(1);
    }
  }

  /** The number of rows found by a value; binary and JSON are not compared. */
  private int found(String column, Object value) {
    if (column.equals("c_binary") || column.equals("c_json") || isApproximate(value)) {
      return 1;
    }
    var bind = new Bindings();
    var where = bind.compare(column, Comparison.EQUAL, value);
    return db().rows(select("all_types", "id").where(where), bind).size();
  }

  private static boolean isApproximate(Object value) {
    var large = value instanceof String text && text.length() > 10_000;
    return large || value instanceof Float || value instanceof Double;
  }

  /** A form that is equal for all representations of the same value. */
  private static @Nullable Object comparable(@Nullable Object value) {
    return switch (value) {
      case null -> null;
      case Byte number -> number.longValue();
      case Short number -> number.longValue();
      case Integer number -> number.longValue();
      case BigDecimal decimal -> decimal.stripTrailingZeros();
      case OffsetDateTime time -> time.toInstant();
      case OffsetTime time -> time.withOffsetSameInstant(ZoneOffset.UTC);
      default -> value;
    };
  }

  @Test
  default void integers_extremes_roundTrip() {
    requireSame(Scalar.INT16, Short.MIN_VALUE, 0, Short.MAX_VALUE);
    requireSame(Scalar.INT32, Integer.MIN_VALUE, -1, Integer.MAX_VALUE);
    requireSame(Scalar.INT64, Long.MIN_VALUE, 9007199254740993L, Long.MAX_VALUE);
  }

  @Test
  default void integers_areReadAsLong() {
    store("c_int32", 7);
    assertThat(load("c_int32")).isEqualTo(7L);
    store("c_int64", 7);
    assertThat(load("c_int64")).isEqualTo(7L);
  }

  @Test
  default void booleans_roundTrip() {
    requireSame(Scalar.BOOLEAN, true, false);
  }

  @Test
  default void decimals_ofMoneySize_areExact() {
    requireSame(
        Scalar.DECIMAL,
        new BigDecimal("0"),
        new BigDecimal("0.1"),
        new BigDecimal("-12345.67"),
        new BigDecimal("99.90"));
  }

  @Test
  default void decimals_of38Digits_areExactOrRejected() {
    var longest = new BigDecimal("1234567890123456789012345678.0123456789");
    if (supports(EngineBehavior.EXACT_DECIMAL)) {
      requireSame(Scalar.DECIMAL, longest, longest.negate(), new BigDecimal("0.0000000001"));
      return;
    }
    var bind = new Bindings();
    var rows = bind.rows(List.of(Arrays.asList(1, longest)));
    var insert =
        new Insert(db().table("all_types"), List.of("id", "c_decimal"), rows, null, List.of());
    assertThat(db().failure(insert, bind).code()).isEqualTo(ErrorCode.VALUE_OUT_OF_RANGE);
  }

  @Test
  default void decimals_keepTheScaleOfTheColumn() {
    var scale = new ArrayList<Integer>();
    var bind = new Bindings();
    var sink =
        CollectingSink.reading(row -> {
          var value = (BigDecimal) Objects.requireNonNull(row.objectAt(0));
          scale.add(value.scale());
        });
    var select = select("products", "price").where(bind.equal("id", 2));
    db().prepare(select).run(bind.arguments(), null, sink);
    sink.await(EngineDriver.PATIENCE);
    assertThat(scale).hasSize(1);
    if (supports(EngineBehavior.EXACT_DECIMAL)) {
      assertThat(scale).containsExactly(2);
    }
  }

  @Test
  default void doubles_extremes_roundTrip() {
    requireSame(
        Scalar.FLOAT64, 0.1, -1e300, Double.MIN_NORMAL, Double.MAX_VALUE, 1.0 / 3, 123456789.0);
    requireSame(Scalar.FLOAT32, 0.1f, -1e30f, Float.MAX_VALUE);
  }

  @Test
  default void notANumber_roundTripsOrIsRejected() {
    var values = List.of(Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY);
    for (var value : values) {
      if (supports(EngineBehavior.NOT_A_NUMBER)) {
        requireSame(Scalar.FLOAT64, value);
      } else {
        var bind = new Bindings();
        var rows = bind.rows(List.of(List.of(1, value)));
        var insert =
            new Insert(db().table("all_types"), List.of("id", "c_float64"), rows, null, List.of());
        assertThat(db().failure(insert, bind).code()).isEqualTo(ErrorCode.VALUE_OUT_OF_RANGE);
      }
    }
  }

  @Test
  default void negativeZero_roundTripsOrIsZero() {
    store("c_float64", -0.0);
    assertThat(load("c_float64")).isEqualTo(supports(EngineBehavior.NEGATIVE_ZERO) ? -0.0 : 0.0);
  }

  @Test
  default void texts_roundTrip() {
    requireSame(
        Scalar.TEXT,
        "",
        " blank ",
        "it's \"quoted\" \\ and\nbroken\r\n\ttabbed",
        "Ünïcödé שלום 你好 👩‍👩‍👧‍👦 \uD83D\uDE00 \u0001\uFFFD",
        "null",
        "x".repeat(1_000_000) + "ö");
  }

  @Test
  default void binaries_roundTrip() {
    var large = new byte[1_000_000];
    new Random(1).nextBytes(large);
    var all = new byte[256];
    for (int i = 0; i < all.length; i++) {
      all[i] = (byte) i;
    }
    requireSame(Scalar.BINARY, new byte[0], new byte[] {0}, all, large);
  }

  @Test
  default void dates_extremes_roundTrip() {
    requireSame(
        Scalar.DATE,
        LocalDate.of(1, 1, 1),
        LocalDate.of(1582, 10, 10),
        LocalDate.of(1900, 2, 28),
        LocalDate.of(2024, 2, 29),
        LocalDate.of(9999, 12, 31));
  }

  private LocalTime precise(int hour, int minute, int second) {
    var digits = "123456789".substring(0, fixture().fractionDigits());
    var nanos = Integer.parseInt((digits + "000000000").substring(0, 9));
    return LocalTime.of(hour, minute, second, nanos);
  }

  @Test
  default void times_keepTheirFraction() {
    requireSame(Scalar.TIME, LocalTime.MIDNIGHT, LocalTime.of(23, 59, 59), precise(13, 45, 1));
  }

  @Test
  default void timesWithOffset_areTheSameInstant() {
    requireSame(
        Scalar.TIME_TZ,
        LocalTime.NOON.atOffset(ZoneOffset.UTC),
        precise(13, 45, 1).atOffset(ZoneOffset.ofHoursMinutes(5, 30)));
  }

  @Test
  default void timestamps_extremesAndFraction_roundTrip() {
    requireSame(
        Scalar.TIMESTAMP,
        LocalDateTime.of(1, 1, 1, 0, 0),
        LocalDateTime.of(1582, 10, 10, 12, 0),
        // an hour that some time zones skip
        LocalDateTime.of(2026, 3, 29, 2, 30),
        LocalDate.of(2026, 1, 31).atTime(precise(13, 45, 1)),
        LocalDateTime.of(9999, 12, 31, 23, 59, 59));
  }

  @Test
  default void timestampsWithOffset_areTheSameInstant() {
    requireSame(
        Scalar.TIMESTAMP_TZ,
        LocalDate.of(2026, 1, 31).atTime(precise(13, 45, 1)).atOffset(ZoneOffset.UTC),
        LocalDateTime.of(2026, 1, 31, 1, 0).atOffset(ZoneOffset.ofHoursMinutes(5, 30)),
        LocalDateTime.of(2026, 10, 25, 1, 30).atOffset(ZoneOffset.ofHours(-11)),
        LocalDateTime.of(1, 1, 2, 0, 0).atOffset(ZoneOffset.UTC),
        LocalDateTime.of(9999, 12, 30, 23, 59, 59).atOffset(ZoneOffset.UTC));
  }

  @Test
  default void uuids_roundTrip() {
    requireSame(
        Scalar.UUID,
        new UUID(0, 0),
        new UUID(-1, -1),
        UUID.fromString("123e4567-e89b-12d3-a456-426614174000"));
  }

  @Test
  default void intervals_areIsoText() {
    requireSame(Scalar.INTERVAL, "P1DT2H", "PT0S");
  }

  @Test
  default void json_roundTrips() {
    if (!shop().hasType(Scalar.JSON)) {
      assertThat(db().catalog().requireTable(db().table("all_types")).column("c_json")).isEmpty();
      return;
    }
    for (var json :
        List.of("{\"a\":[1,2.50,null,\"é\\\"\"]}", "[]", "\"text\"", "12345678901234567890.5")) {
      store("c_json", json);
      assertThat(String.valueOf(load("c_json")).replace(" ", "")).isEqualTo(json);
    }
  }

  @Test
  default void arrays_keepTheirOrderAndNulls() {
    if (!supports(EngineBehavior.ARRAYS)) {
      assertThat(db().catalog().requireTable(db().table("all_types")).column("c_int32_array"))
          .isEmpty();
      return;
    }
    for (var list : List.of(List.of(), List.of(3L, 1L, 2L), Arrays.asList(1L, null))) {
      store("c_int32_array", list);
      assertThat(load("c_int32_array")).isEqualTo(list);
    }
    var texts = Arrays.asList("a,b", "\"{}\"", null, "", "NULL");
    store("c_text_array", texts);
    assertThat(load("c_text_array")).isEqualTo(texts);
  }

  @Test
  default void enumerations_areTheirLabels() {
    if (!supports(EngineBehavior.ENUMERATIONS)) {
      assertThat(db().catalog().requireTable(db().table("all_types")).column("c_mood")).isEmpty();
      return;
    }
    for (var label : Shop.MOOD.labels()) {
      store("c_mood", label);
      assertThat(load("c_mood")).isEqualTo(label);
    }
    var bind = new Bindings();
    assertThat(db().column(select("all_types", "id").where(bind.equal("c_mood", "happy")), bind))
        .containsExactly(1L);
    var among = new Bindings();
    var in = select("all_types", "id").where(among.in("c_mood", List.of("happy", "sad")));
    assertThat(db().column(in, among)).containsExactly(1L);
  }

  @Test
  default void nulls_areNullInEachType() {
    shop().insert("all_types", "id", EngineDriver.row(1));
    for (var name : shop().typeColumns().keySet()) {
      assertThat(load(name)).as(name).isNull();
    }
  }

  @Test
  default void nulls_canBeStoredInEachType() {
    for (var name : shop().typeColumns().keySet()) {
      store(name, null);
      var bind = new Bindings();
      var change = new Update.Change.Assign(name, bind.value(null));
      var update = new Update(db().table("all_types"), List.of(change), null, List.of());
      assertThat(db().affected(update, bind)).as(name).isEqualTo(1);
      assertThat(load(name)).as(name).isNull();
    }
  }

  @Test
  default void shape_containsTheTypesOfColumns() {
    shop()
        .typeColumns()
        .forEach((name, type) -> {
          var slot = db().prepare(select("all_types", name)).shape().slots();
          assertThat(slot)
              .singleElement()
              .isInstanceOfSatisfying(
                  RowShape.ValueSlot.class,
                  value -> assertThat(kind(value.type())).isEqualTo(kind(type)));
        });
  }

  private static Object kind(DataType type) {
    return type instanceof DataType.Enumeration mood ? mood.labels() : type;
  }

  @Test
  default void numbersOfAnyClass_areAcceptedAsIntegers() {
    for (Object number : List.of(5, 5L, (short) 5, new BigDecimal("5"))) {
      var bind = new Bindings();
      assertThat(db().column(select("products", "id").where(bind.equal("id", number)), bind))
          .as("%s", number.getClass())
          .containsExactly(5L);
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core.json;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evita.api.DataType;
import dev.evita.api.Values;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.core.JsonParser;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/** Round trips through Jackson. */
final class JsonWriterTest {

  private static final JsonFactory JACKSON = new JsonFactory();

  @Test
  void string_anyCharacters_roundTrips() {
    var random = new Random(1);
    for (int i = 0; i < 20_000; i++) {
      var text = text(random);
      try (var parser = parse(json -> json.string(text))) {
        parser.nextToken();
        assertThat(parser.getString()).isEqualTo(paired(text));
        assertThat(parser.nextToken()).isNull();
      }
    }
  }

  /** Long texts without escapes, with one character anywhere that may need one. */
  @Test
  void string_longPlainExceptOneCharacter_roundTrips() {
    var random = new Random(4);
    for (int i = 0; i < 20_000; i++) {
      var text = new StringBuilder("a plain text of some length. ".repeat(1 + random.nextInt(3)));
      var other = (char) (random.nextBoolean() ? random.nextInt(0x100) : random.nextInt(0x10000));
      text.setCharAt(random.nextInt(text.length()), random.nextInt(8) == 0 ? '?' : other);
      try (var parser = parse(json -> json.string(text.toString()))) {
        parser.nextToken();
        assertThat(parser.getString()).isEqualTo(paired(text.toString()));
      }
    }
  }

  @Test
  void double_anyDecimalPlaces_isWrittenAsItsText() {
    var random = new Random(6);
    for (int i = 0; i < 200_000; i++) {
      var places = Math.pow(10, random.nextInt(6));
      var size = Math.pow(10, random.nextInt(12) - 3);
      var value = Math.rint((random.nextDouble() - 0.5) * size * places) / places;
      for (var each : List.of(value, Math.nextUp(value), value * 3)) {
        assertThat(written(json -> json.number(each.doubleValue()))).isEqualTo(each.toString());
      }
    }
    for (var edge :
        List.of(0.0, -0.0, 1e-3, Math.nextDown(1e-3), 1e7, Math.nextDown(1e7), 9999999.999)) {
      assertThat(written(json -> json.number(edge.doubleValue()))).isEqualTo(edge.toString());
    }
  }

  @Test
  void integer_anyLength_isWrittenAsItsText() {
    var power = 1L;
    for (int digits = 0; digits < 19; digits++, power *= 10) {
      for (var each : List.of(power - 1, power, power + 1, -power, -power + 1, -power - 1)) {
        assertThat(written(json -> json.number(each.longValue()))).isEqualTo(each.toString());
      }
    }
    assertThat(written(json -> json.number(Long.MIN_VALUE))).isEqualTo("" + Long.MIN_VALUE);
    assertThat(written(json -> json.number(Long.MAX_VALUE))).isEqualTo("" + Long.MAX_VALUE);
  }

  @Test
  void decimal_anyScale_isWrittenPlainAndExactly() {
    var random = new Random(5);
    for (int i = 0; i < 20_000; i++) {
      var value =
          new BigDecimal(
              new BigInteger(random.nextInt(80), random)
                  .multiply(BigInteger.valueOf(random.nextInt(3) - 1)),
              random.nextInt(-3, 24));
      assertThat(written(json -> json.number(value))).isEqualTo(value.toPlainString());
    }
  }

  /** Ranges that need one to four bytes, an escape, or are unpaired surrogates. */
  private static String text(Random random) {
    var text = new StringBuilder();
    for (int length = random.nextInt(40); length > 0; length--) {
      switch (random.nextInt(6)) {
        case 0 -> text.append((char) random.nextInt(0x20));
        case 1 -> text.append((char) random.nextInt(0x80, 0x800));
        case 2 -> text.append((char) random.nextInt(0x800, 0xd800));
        case 3 -> text.appendCodePoint(random.nextInt(0x10000, 0x110000));
        case 4 -> text.append((char) random.nextInt(0xd800, 0xe000));
        default -> text.append("\"\\/ax\u007f".charAt(random.nextInt(6)));
      }
    }
    return text.toString();
  }

  private static String paired(String text) {
    var paired = new StringBuilder();
    text.codePoints()
        .forEach(
            point -> paired.appendCodePoint(point >= 0xd800 && point < 0xe000 ? 0xfffd : point));
    return paired.toString();
  }

  @Test
  void time_anyMoment_isWrittenAsItsText() {
    var random = new Random(3);
    for (int i = 0; i < 20_000; i++) {
      var year = random.nextInt(10) == 0 ? random.nextInt(-20_000, 20_000) : random.nextInt(10_000);
      var nanos = random.nextInt(1_000_000_000);
      var unit = (int) Math.pow(10, random.nextInt(11));
      var time = LocalTime.ofSecondOfDay(random.nextInt(86_400)).withNano(nanos - nanos % unit);
      var moment = LocalDate.of(year, 1, 1).plusDays(random.nextInt(365)).atTime(time);
      var offset =
          ZoneOffset.ofTotalSeconds(random.nextInt(3) == 0 ? 0 : random.nextInt(-60_000, 60_000));
      for (var value : List.of(moment, moment.toLocalDate(), time, moment.atOffset(offset))) {
        assertThat(written(json -> json.value(DataType.Scalar.TIMESTAMP, value)))
            .isEqualTo('"' + Values.format(value) + '"');
      }
    }
  }

  @Test
  void number_anyLong_roundTrips() {
    var random = new Random(2);
    for (int i = 0; i < 20_000; i++) {
      assertLong(random.nextLong() >> random.nextInt(64));
    }
    for (int digits = 0; digits < 19; digits++) {
      var power = BigInteger.TEN.pow(digits).longValue();
      assertLong(power);
      assertLong(power - 1);
      assertLong(-power);
    }
    assertLong(Long.MIN_VALUE);
    assertLong(Long.MAX_VALUE);
  }

  private static void assertLong(long value) {
    assertThat(written(json -> json.number(value))).isEqualTo(Long.toString(value));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"0", "-0.10", "1E+30", "1E-30", "123456789012345678901234567890.123456789"})
  void number_decimal_isExactAndPlain(String text) {
    var value = new BigDecimal(text);
    assertThat(written(json -> json.number(value))).isEqualTo(value.toPlainString());
  }

  @Test
  void number_anyDouble_roundTrips() {
    var random = new Random(3);
    for (int i = 0; i < 20_000; i++) {
      var value = Double.longBitsToDouble(random.nextLong());
      try (var parser = parse(json -> json.number(value))) {
        parser.nextToken();
        if (Double.isFinite(value)) {
          assertThat(parser.getDoubleValue()).isEqualTo(value);
        } else {
          assertThat(parser.getString()).isEqualTo(Double.toString(value));
        }
      }
    }
    assertThat(written(json -> json.number(0.1f))).isEqualTo("0.1");
    assertThat(written(json -> json.number(Double.NEGATIVE_INFINITY))).isEqualTo("\"-Infinity\"");
  }

  @Test
  void position_rewound_discardsLaterText() {
    assertThat(
            written(json -> {
              json.raw("[1");
              var position = json.position();
              json.string("gone".repeat(1_000));
              json.position(position);
              json.raw(']');
            }))
        .isEqualTo("[1]");
  }

  private static JsonParser parse(Consumer<JsonWriter> write) {
    return JACKSON.createParser(ObjectReadContext.empty(), written(write));
  }

  /** From a buffer that is too small at first. */
  private static String written(Consumer<JsonWriter> write) {
    var json = new JsonWriter(new byte[1]);
    write.accept(json);
    return new String(json.buffer(), 0, json.position(), StandardCharsets.UTF_8);
  }
}

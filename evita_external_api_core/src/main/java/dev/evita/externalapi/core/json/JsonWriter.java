// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core.json;

import com.dynatrace.hash4j.hashing.Hashing;
import dev.evita.api.DataType;
import dev.evita.api.Row;
import dev.evita.api.Values;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Writes compact JSON (RFC 8259), in UTF-8, directly to a buffer.
 *
 * <p>Not a library's generator, because a response is mostly fragments that were encoded when its
 * plan was compiled, copied between unboxed values; and because it must be truncated, rewound and
 * passed to the socket at the end of any row. The caller balances braces and commas; values are
 * escaped here.
 *
 * <p>Not thread-safe.
 */
public final class JsonWriter {

  private static final byte[] NULL = {'n', 'u', 'l', 'l'};
  private static final byte[] TRUE = {'t', 'r', 'u', 'e'};
  private static final byte[] FALSE = {'f', 'a', 'l', 's', 'e'};

  private static final int INITIAL = 512;

  private byte[] buffer;
  private int position;

  public JsonWriter(byte[] buffer) {
    this.buffer = buffer;
  }

  /** A writer to its own memory, for parts that are added to a response later, or not at all. */
  public static JsonWriter inMemory() {
    return new JsonWriter(new byte[INITIAL]);
  }

  /** Returns all bytes written so far; the writer is empty afterwards. */
  public byte[] take() {
    var taken = Arrays.copyOf(buffer, position);
    position = 0;
    return taken;
  }

  /** The number of bytes in memory. */
  public int size() {
    return position;
  }

  /** A 64-bit hash of the bytes between two positions. */
  public long hash(int from, int to) {
    return Hashing.xxh3_64().hashBytesToLong(buffer, from, to - from);
  }

  /** Copies the bytes between two positions, as returned by {@link #size}. */
  public void copyTo(JsonWriter other, int from, int to) {
    other.ensure(to - from);
    System.arraycopy(buffer, from, other.buffer, other.position, to - from);
    other.position += to - from;
  }

  public byte[] buffer() {
    return buffer;
  }

  public int position() {
    return position;
  }

  public void position(int newPosition) {
    position = newPosition;
  }

  /** Copies bytes unchanged. */
  public JsonWriter raw(byte[] bytes) {
    ensure(bytes.length);
    System.arraycopy(bytes, 0, buffer, position, bytes.length);
    position += bytes.length;
    return this;
  }

  /** Writes one byte unchanged. */
  public JsonWriter raw(char ascii) {
    ensure(1);
    buffer[position++] = (byte) ascii;
    return this;
  }

  /** Writes text that is JSON already, or a fragment of it. */
  public JsonWriter raw(String json) {
    return raw(json.getBytes(StandardCharsets.UTF_8));
  }

  public void nullValue() {
    raw(NULL);
  }

  public void bool(boolean value) {
    raw(value ? TRUE : FALSE);
  }

  /** Writes a number, without loss. */
  public void number(long value) {
    ensure(JsonNumbers.LONGEST);
    position = JsonNumbers.whole(value, buffer, position);
  }

  /**
   * Writes a number; values without a JSON number are strings: {@code "NaN"}, {@code "-Infinity"}.
   */
  public void number(double value) {
    if (JsonNumbers.isShort(value)) {
      ensure(JsonNumbers.LONGEST);
      position = JsonNumbers.shortDecimal(value, buffer, position);
    } else if (Double.isFinite(value)) {
      ascii(Double.toString(value));
    } else {
      string(Double.toString(value));
    }
  }

  /** Writes a number with the fewest digits that distinguish it from other floats. */
  public void number(float value) {
    if (Float.isFinite(value)) {
      ascii(Float.toString(value));
    } else {
      string(Float.toString(value));
    }
  }

  /** Writes a number, without loss and without an exponent. */
  public void number(BigDecimal value) {
    var scale = value.scale();
    if (scale > 0
        && scale < JsonNumbers.LONG_DIGITS
        && value.precision() <= JsonNumbers.LONG_DIGITS) {
      ensure(JsonNumbers.LONGEST);
      position = JsonNumbers.decimal(value.unscaledValue().longValue(), scale, buffer, position);
    } else {
      ascii(value.toPlainString());
    }
  }

  /** Writes ASCII without the copy that {@link String#getBytes()} makes. */
  @SuppressWarnings("deprecation") // it drops the high bytes, which are all zero
  private void ascii(String text) {
    ensure(text.length());
    text.getBytes(0, text.length(), buffer, position);
    position += text.length();
  }

  /** Writes a string, quoted and escaped; an unpaired surrogate becomes U+FFFD. */
  public void string(String value) {
    var widest = value.length() * (long) JsonStrings.WIDEST + 2;
    ensure((int) Math.min(Integer.MAX_VALUE - 64L, widest));
    buffer[position++] = '"';
    position = JsonStrings.write(value, buffer, position);
    buffer[position++] = '"';
  }

  /** Writes the value of a slot: the one encoding of database values in JSON. See docs/types.md. */
  public void value(DataType type, Row row, int slot) {
    if (row.isNull(slot)) {
      nullValue();
    } else {
      present(type, row, slot);
    }
  }

  /** The same for a slot that is not null. */
  public void present(DataType type, Row row, int slot) {
    switch (type) {
      case DataType.Scalar scalar -> scalar(scalar, row, slot);
      case DataType.Enumeration enumeration -> text(row.textAt(slot));
      case DataType.Other other -> text(row.textAt(slot));
      case DataType.Array array -> value(type, row.objectAt(slot));
    }
  }

  private void scalar(DataType.Scalar type, Row row, int slot) {
    switch (type) {
      case BOOLEAN -> bool(row.booleanAt(slot));
      case INT16, INT32, INT64 -> number(row.longAt(slot));
      case FLOAT32 -> number(row.floatAt(slot));
      case FLOAT64 -> number(row.doubleAt(slot));
      case TEXT, INTERVAL -> text(row.textAt(slot));
      case JSON, DECIMAL, BINARY, DATE, TIME, TIME_TZ, TIMESTAMP, TIMESTAMP_TZ, UUID ->
          value(type, row.objectAt(slot));
    }
  }

  private void text(@Nullable String value) {
    if (value == null) {
      nullValue();
    } else {
      string(value);
    }
  }

  /** Writes a value of the class that {@link dev.evita.api.Arguments} specifies for the type. */
  public void value(DataType type, @Nullable Object value) {
    switch (value) {
      case null -> nullValue();
      case String text when type == DataType.Scalar.JSON -> raw(text);
      case String text -> string(text);
      case Boolean bool -> bool(bool);
      case Double number -> number(number.doubleValue());
      case Float number -> number(number.floatValue());
      case BigDecimal number -> number(number);
      case Number number -> number(number.longValue());
      case LocalDateTime moment when JsonTimes.fourDigits(moment.getYear()) ->
          timestamp(moment, "");
      case OffsetDateTime moment when JsonTimes.fourDigits(moment.getYear()) ->
          timestamp(moment.toLocalDateTime(), moment.getOffset().getId());
      case LocalDate date when JsonTimes.fourDigits(date.getYear()) -> date(date);
      case List<?> list -> list(type instanceof DataType.Array(var element) ? element : type, list);
      default -> string(Values.format(value));
    }
  }

  private void timestamp(LocalDateTime moment, String offset) {
    ensure(JsonTimes.LONGEST);
    buffer[position++] = '"';
    position = JsonTimes.date(moment.toLocalDate(), buffer, position);
    buffer[position++] = 'T';
    position = JsonTimes.time(moment.toLocalTime(), buffer, position);
    ascii(offset);
    buffer[position++] = '"';
  }

  private void date(LocalDate date) {
    ensure(JsonTimes.LONGEST);
    buffer[position++] = '"';
    position = JsonTimes.date(date, buffer, position);
    buffer[position++] = '"';
  }

  private void list(DataType element, List<?> values) {
    raw('[');
    for (int i = 0; i < values.size(); i++) {
      if (i > 0) {
        raw(',');
      }
      value(element, values.get(i));
    }
    raw(']');
  }

  /** Writes parsed JSON: maps, lists, strings, numbers, booleans and nulls. */
  public void tree(@Nullable Object value) {
    switch (value) {
      case Map<?, ?> map -> object(map);
      case List<?> list -> {
        raw('[');
        for (int i = 0; i < list.size(); i++) {
          if (i > 0) {
            raw(',');
          }
          tree(list.get(i));
        }
        raw(']');
      }
      case java.math.BigInteger number -> raw(number.toString());
      case null, default -> value(DataType.Scalar.TEXT, value);
    }
  }

  private void object(Map<?, ?> map) {
    raw('{');
    var first = true;
    for (var entry : map.entrySet()) {
      if (!first) {
        raw(',');
      }
      first = false;
      string(String.valueOf(entry.getKey()));
      raw(':');
      tree(entry.getValue());
    }
    raw('}');
  }

  private void ensure(int more) {
    if (buffer.length - position < more) {
      grow(more);
    }
  }

  private void grow(int more) {
    var needed = (long) position + more;
    var grown = Math.max(needed, buffer.length * 2L);
    buffer = Arrays.copyOf(buffer, (int) Math.min(grown, Integer.MAX_VALUE - 16L));
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core;

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
 * Compact JSON (RFC 8259), in UTF-8, straight into a buffer.
 *
 * <p>Why not a library's generator: an answer is mostly fragments that were encoded when its plan
 * was compiled, copied between values that come unboxed; and it must be cut, rewound and handed to
 * the socket at the end of any row. The caller keeps braces and commas right; values are escaped
 * here.
 *
 * <p>Not thread-safe.
 */
public final class JsonWriter {

  private static final byte[] NULL = {'n', 'u', 'l', 'l'};
  private static final byte[] TRUE = {'t', 'r', 'u', 'e'};
  private static final byte[] FALSE = {'f', 'a', 'l', 's', 'e'};
  private static final byte[] HEX = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] LONG_MIN = "-9223372036854775808".getBytes(StandardCharsets.US_ASCII);

  /** Bytes that one UTF-16 unit takes at most: an escape such as {@code \u001f}. */
  private static final int WIDEST = 6;

  private static final int INITIAL = 512;

  private byte[] buffer;
  private int position;

  JsonWriter(byte[] buffer) {
    this.buffer = buffer;
  }

  /** A writer into memory of its own, for what is put into an answer later, or not at all. */
  public static JsonWriter inMemory() {
    return new JsonWriter(new byte[INITIAL]);
  }

  /** Takes out all that was written so far: the writer is empty afterwards. */
  public byte[] take() {
    var taken = Arrays.copyOf(buffer, position);
    position = 0;
    return taken;
  }

  /** How many bytes are in memory. */
  public int size() {
    return position;
  }

  /** Copies what was written from one {@link #size} to another. */
  public void copyTo(JsonWriter other, int from, int to) {
    other.ensure(to - from);
    System.arraycopy(buffer, from, other.buffer, other.position, to - from);
    other.position += to - from;
  }

  byte[] buffer() {
    return buffer;
  }

  int position() {
    return position;
  }

  void position(int newPosition) {
    position = newPosition;
  }

  /** Copies bytes as they are. */
  public JsonWriter raw(byte[] bytes) {
    ensure(bytes.length);
    System.arraycopy(bytes, 0, buffer, position, bytes.length);
    position += bytes.length;
    return this;
  }

  /** One byte as it is. */
  public JsonWriter raw(char ascii) {
    ensure(1);
    buffer[position++] = (byte) ascii;
    return this;
  }

  /** Text that is JSON already, or a piece of it. */
  public JsonWriter raw(String json) {
    return raw(json.getBytes(StandardCharsets.UTF_8));
  }

  public void nullValue() {
    raw(NULL);
  }

  public void bool(boolean value) {
    raw(value ? TRUE : FALSE);
  }

  /** A number, digit by digit and exactly. */
  public void number(long value) {
    if (value == Long.MIN_VALUE) {
      raw(LONG_MIN);
      return;
    }
    ensure(20);
    var rest = value;
    if (rest < 0) {
      buffer[position++] = '-';
      rest = -rest;
    }
    var end = position + digits(rest);
    position = end;
    do {
      buffer[--end] = (byte) ('0' + rest % 10);
      rest /= 10;
    } while (rest != 0);
  }

  private static int digits(long value) {
    var digits = 1;
    for (var rest = value; rest >= 10; rest /= 10) {
      digits++;
    }
    return digits;
  }

  /** A number; what JSON has no number for is a string: {@code "NaN"}, {@code "-Infinity"}. */
  public void number(double value) {
    if (Double.isFinite(value)) {
      ascii(Double.toString(value));
    } else {
      string(Double.toString(value));
    }
  }

  /** A number, in the fewest digits that tell it from other floats. */
  public void number(float value) {
    if (Float.isFinite(value)) {
      ascii(Float.toString(value));
    } else {
      string(Float.toString(value));
    }
  }

  /** A number, exactly, without an exponent. */
  public void number(BigDecimal value) {
    ascii(value.toPlainString());
  }

  /** Without the copy that {@link String#getBytes} makes. */
  private void ascii(String text) {
    ensure(text.length());
    for (int i = 0; i < text.length(); i++) {
      buffer[position + i] = (byte) text.charAt(i);
    }
    position += text.length();
  }

  /** A string, quoted and escaped; an unpaired surrogate becomes U+FFFD. */
  public void string(String value) {
    ensure((int) Math.min(Integer.MAX_VALUE - 64L, value.length() * (long) WIDEST + 2));
    buffer[position++] = '"';
    var length = value.length();
    for (int i = plain(value); i < length; i++) {
      var c = value.charAt(i);
      if (c < 0x80) {
        ascii(c);
      } else if (c < 0x800) {
        buffer[position++] = (byte) (0xc0 | (c >> 6));
        buffer[position++] = (byte) (0x80 | (c & 0x3f));
      } else if (Character.isHighSurrogate(c)
          && i + 1 < length
          && Character.isLowSurrogate(value.charAt(i + 1))) {
        fourBytes(Character.toCodePoint(c, value.charAt(++i)));
      } else {
        threeBytes(Character.isSurrogate(c) ? '\ufffd' : c);
      }
    }
    buffer[position++] = '"';
  }

  /**
   * Copies what needs neither escapes nor more than a byte, in variables that stay in registers.
   */
  private int plain(String value) {
    var into = buffer;
    var start = position;
    var length = value.length();
    for (int i = 0; i < length; i++) {
      var c = value.charAt(i);
      if (c < ' ' || c >= 0x80 || c == '"' || c == '\\') {
        position = start + i;
        return i;
      }
      into[start + i] = (byte) c;
    }
    position = start + length;
    return length;
  }

  private void ascii(char c) {
    if (c >= ' ' && c != '"' && c != '\\') {
      buffer[position++] = (byte) c;
      return;
    }
    buffer[position++] = '\\';
    switch (c) {
      case '"', '\\' -> buffer[position++] = (byte) c;
      case '\n' -> buffer[position++] = 'n';
      case '\r' -> buffer[position++] = 'r';
      case '\t' -> buffer[position++] = 't';
      case '\b' -> buffer[position++] = 'b';
      case '\f' -> buffer[position++] = 'f';
      default -> {
        buffer[position++] = 'u';
        buffer[position++] = '0';
        buffer[position++] = '0';
        buffer[position++] = HEX[c >> 4];
        buffer[position++] = HEX[c & 0xf];
      }
    }
  }

  private void threeBytes(char c) {
    buffer[position++] = (byte) (0xe0 | (c >> 12));
    buffer[position++] = (byte) (0x80 | ((c >> 6) & 0x3f));
    buffer[position++] = (byte) (0x80 | (c & 0x3f));
  }

  private void fourBytes(int codePoint) {
    buffer[position++] = (byte) (0xf0 | (codePoint >> 18));
    buffer[position++] = (byte) (0x80 | ((codePoint >> 12) & 0x3f));
    buffer[position++] = (byte) (0x80 | ((codePoint >> 6) & 0x3f));
    buffer[position++] = (byte) (0x80 | (codePoint & 0x3f));
  }

  /** The value of a slot: the one encoding of database values in JSON. See docs/types.md. */
  public void value(DataType type, Row row, int slot) {
    if (row.isNull(slot)) {
      nullValue();
      return;
    }
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

  /** A value of its own, of the class that {@link dev.evita.api.Arguments} names for the type. */
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

  /** JSON as it was parsed: maps, lists, strings, numbers, booleans and nulls. */
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
      var needed = (long) position + more;
      var grown = Math.max(needed, buffer.length * 2L);
      buffer = Arrays.copyOf(buffer, (int) Math.min(grown, Integer.MAX_VALUE - 16L));
    }
  }
}

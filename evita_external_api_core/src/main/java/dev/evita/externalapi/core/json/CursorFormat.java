// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core.json;

import dev.evita.api.DataType;
import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import dev.evita.api.Order;
import dev.evita.api.Output;
import dev.evita.api.Row;
import dev.evita.api.TableName;
import dev.evita.api.Values;
import java.io.ByteArrayOutputStream;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;

/**
 * Encodes cursors of one order: the position of a row in that order, as opaque text.
 *
 * <pre>
 * base64url( version, order, (length or -1, UTF-8)*, check )
 *          1 byte   4      4               each      4
 * </pre>
 *
 * <p>{@code order} is a hash of the table and the order terms, so that a cursor of another order is
 * rejected; {@code check} is a checksum of all bytes before it, so that a corrupted cursor is
 * rejected rather than taken for another position. Neither is secret: a client could request any
 * position by {@code where}.
 *
 * @param order the hash
 * @param types the types of the terms
 */
public record CursorFormat(int order, List<DataType> types) {

  private static final byte VERSION = 1;
  private static final int ABSENT = -1;

  public CursorFormat {
    types = List.copyOf(types);
  }

  /**
   * Returns the format for rows of a table.
   *
   * @param types the types of the terms
   */
  public static CursorFormat of(TableName table, List<Order> orders, List<DataType> types) {
    var text = new StringBuilder(table.toString());
    for (var term : orders) {
      for (var step : term.path()) {
        text.append('>').append(step.fromColumns()).append(step.to()).append(step.toColumns());
      }
      text.append('\n')
          .append(
              switch (term.value()) {
                case Output.Column(var column) -> column;
                case Output.Path path -> path.toString();
                case Output.Aggregate(var function, var columns, var distinct) ->
                    function + "" + columns;
              })
          .append(term.direction())
          .append(term.nulls());
    }
    return new CursorFormat(checksum(text.toString().getBytes(StandardCharsets.UTF_8)), types);
  }

  private static int checksum(byte[] bytes) {
    var crc = new CRC32();
    crc.update(bytes);
    return (int) crc.getValue();
  }

  /** Encodes the position of a row whose order values are in the slots from the first one. */
  public String encode(Row row, int firstSlot) {
    var values = new ArrayList<@Nullable Object>(types.size());
    for (int i = 0; i < types.size(); i++) {
      values.add(row.isNull(firstSlot + i) ? null : row.objectAt(firstSlot + i));
    }
    return encode(values);
  }

  /** Encodes a position. */
  public String encode(List<@Nullable Object> values) {
    var bytes = new ByteArrayOutputStream();
    bytes.write(VERSION);
    bytes.writeBytes(number(order));
    for (var value : values) {
      if (value == null) {
        bytes.writeBytes(number(ABSENT));
      } else {
        var text = Values.format(value).getBytes(StandardCharsets.UTF_8);
        bytes.writeBytes(number(text.length));
        bytes.writeBytes(text);
      }
    }
    bytes.writeBytes(number(checksum(bytes.toByteArray())));
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes.toByteArray());
  }

  private static byte[] number(int number) {
    return ByteBuffer.allocate(Integer.BYTES).putInt(number).array();
  }

  /**
   * Decodes a cursor to a position: one value for each term.
   *
   * @throws EvitaException {@code INVALID_VALUE} if it is no cursor of this order
   */
  public List<@Nullable Object> decode(String cursor) {
    try {
      var bytes = ByteBuffer.wrap(Base64.getUrlDecoder().decode(cursor));
      var end = bytes.limit() - Integer.BYTES;
      var checked = new byte[Math.max(0, end)];
      bytes.get(checked);
      if (bytes.getInt() != checksum(checked)) {
        throw garbled(cursor);
      }
      bytes.position(0).limit(end);
      if (bytes.get() != VERSION) {
        throw garbled(cursor);
      }
      if (bytes.getInt() != order) {
        throw new EvitaException(
            ErrorCode.INVALID_VALUE,
            "this cursor belongs to another table or another order; expected one from a page with the"
                + " same order");
      }
      return values(bytes, cursor);
    } catch (IllegalArgumentException | BufferUnderflowException e) {
      throw garbled(cursor);
    }
  }

  private List<@Nullable Object> values(ByteBuffer bytes, String cursor) {
    var values = new ArrayList<@Nullable Object>(types.size());
    for (var type : types) {
      var length = bytes.getInt();
      if (length == ABSENT) {
        values.add(null);
      } else if (length < 0 || length > bytes.remaining()) {
        throw garbled(cursor);
      } else {
        var text = new byte[length];
        bytes.get(text);
        values.add(value(type, new String(text, StandardCharsets.UTF_8), cursor));
      }
    }
    if (bytes.hasRemaining()) {
      throw garbled(cursor);
    }
    return values;
  }

  private static Object value(DataType type, String text, String cursor) {
    try {
      return Values.parse(type, text);
    } catch (EvitaException e) {
      throw garbled(cursor);
    }
  }

  private static EvitaException garbled(String cursor) {
    var shown = cursor.length() > 80 ? cursor.substring(0, 80) + "..." : cursor;
    return new EvitaException(
        ErrorCode.INVALID_VALUE,
        "'" + shown + "' is not a cursor; expected one from an earlier page");
  }
}

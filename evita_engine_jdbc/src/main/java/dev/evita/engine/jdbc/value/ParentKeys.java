// SPDX-License-Identifier: Apache-2.0
package dev.evita.engine.jdbc.value;

import dev.evita.api.DataType;
import dev.evita.api.EvitaException;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The distinct keys of parent rows, numbered from 0 in the order of their first appearance.
 *
 * <p>Parents and children may have the key in different types ({@code integer} and {@code bigint},
 * {@code numeric(9)} and {@code integer}); keys are compared in a form that both share. A key with
 * a null has no number: nothing refers to it.
 */
public final class ParentKeys {

  public static final int NONE = -1;

  private final Codec[] target;
  private final boolean decimal;
  private final LongIdMap longs = new LongIdMap();
  private final Map<Object, Integer> objects = new HashMap<>();
  private final List<List<Object>> values = new ArrayList<>();
  private final boolean allLong;
  private int size;

  /**
   * No keys yet.
   *
   * @param source the codecs of the parents' columns
   * @param target the codecs of the children's columns, position by position
   */
  public ParentKeys(Codec[] source, Codec[] target) {
    this.target = target;
    this.allLong =
        target.length == 1
            && source[0].kind() == Codec.Kind.LONG
            && target[0].kind() == Codec.Kind.LONG;
    var anyDecimal = false;
    for (int i = 0; i < target.length; i++) {
      values.add(new ArrayList<>());
      anyDecimal |= isDecimal(source[i]) || isDecimal(target[i]);
    }
    this.decimal = anyDecimal;
  }

  private static boolean isDecimal(Codec codec) {
    return codec.type() == DataType.Scalar.DECIMAL;
  }

  public int size() {
    return size;
  }

  /** One part of all keys, by their numbers; checked for the children's column. */
  public List<Object> values(int part) {
    return values.get(part);
  }

  /** The number of the row's key, which gets one if it is new; or {@link #NONE}. */
  public int add(ColumnarRows block, int row, int[] columns) {
    if (allLong) {
      return addLong(block, row, columns[0]);
    }
    var key = key(block, row, columns);
    if (key == null) {
      return NONE;
    }
    var known = objects.get(key);
    return known != null ? known : addNew(key, block, row, columns);
  }

  private int addLong(ColumnarRows block, int row, int column) {
    if (block.isAbsent(column, row)) {
      return NONE;
    }
    var key = block.longAt(column, row);
    var id = longs.add(key, size);
    if (id == size) {
      values.getFirst().add(key);
      size++;
    }
    return id;
  }

  private int addNew(Object key, ColumnarRows block, int row, int[] columns) {
    var parts = new ArrayList<Object>();
    for (int i = 0; i < columns.length; i++) {
      var part = fitting(i, value(block, columns[i], row));
      if (part == null) {
        return NONE;
      }
      parts.add(part);
    }
    for (int i = 0; i < parts.size(); i++) {
      values.get(i).add(parts.get(i));
    }
    objects.put(key, size);
    return size++;
  }

  /** The value as the children's column has it; null where that column cannot hold it. */
  private @Nullable Object fitting(int part, @Nullable Object value) {
    if (value == null) {
      return null;
    }
    try {
      return ArgumentCoercion.value(target[part].type(), value, target[part].where());
    } catch (EvitaException e) {
      // No child can have this key.
      return null;
    }
  }

  /** The number of a child row's key, or {@link #NONE}. */
  public int find(ColumnarRows block, int row, int[] columns) {
    if (allLong) {
      return block.isAbsent(columns[0], row) ? NONE : longs.find(block.longAt(columns[0], row));
    }
    var key = key(block, row, columns);
    return key == null ? NONE : objects.getOrDefault(key, NONE);
  }

  private @Nullable Object key(ColumnarRows block, int row, int[] columns) {
    if (columns.length == 1) {
      return comparable(value(block, columns[0], row));
    }
    var parts = new ArrayList<Object>(columns.length);
    for (var column : columns) {
      var part = comparable(value(block, column, row));
      if (part == null) {
        return null;
      }
      parts.add(part);
    }
    return parts;
  }

  /** What its type cannot say is no key either. */
  private static @Nullable Object value(ColumnarRows block, int column, int row) {
    return block.isAbsent(column, row) ? null : block.objectAt(column, row);
  }

  private @Nullable Object comparable(@Nullable Object value) {
    return switch (value) {
      case null -> null;
      case BigDecimal number -> number.stripTrailingZeros();
      case Long number when decimal -> BigDecimal.valueOf(number).stripTrailingZeros();
      case byte[] bytes -> ByteBuffer.wrap(bytes);
      case OffsetDateTime time -> time.toInstant();
      default -> value;
    };
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core.insert;

import dev.evita.api.Row;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A key whose values compare by value: {@code 1} equals {@code 1.00}, whatever its class. */
public final class RowKey {

  private RowKey() {}

  /** The key in these slots of a row. */
  public static List<Object> of(Row row, int firstSlot, int size) {
    var key = new ArrayList<Object>(size);
    for (int i = 0; i < size; i++) {
      key.add(comparable(row.objectAt(firstSlot + i)));
    }
    return key;
  }

  /** The key of these values. */
  public static List<Object> of(List<? extends @Nullable Object> values) {
    var key = new ArrayList<Object>(values.size());
    values.forEach(value -> key.add(comparable(value)));
    return key;
  }

  private static Object comparable(@Nullable Object value) {
    return switch (value) {
      case BigDecimal decimal -> decimal.stripTrailingZeros();
      case Double number -> number;
      case Float number -> number.doubleValue();
      case Number number -> BigDecimal.valueOf(number.longValue()).stripTrailingZeros();
      case byte[] bytes -> ByteBuffer.wrap(bytes);
      case OffsetDateTime time -> time.toInstant();
      case null, default -> Objects.requireNonNull(value, "a key must not contain null");
    };
  }
}

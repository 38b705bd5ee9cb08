// SPDX-License-Identifier: Apache-2.0
package dev.evita.api;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The values of one execution, by {@link Parameter#index()}.
 *
 * <p>Accepted classes by type: {@code Boolean}; any exact {@code Number} for integers; {@code
 * BigDecimal} for decimals, and {@code Double} for NaN and the infinities; {@code Double} or {@code
 * Float}; {@code String} for text, JSON, enumerations, intervals and engine-specific types; {@code
 * byte[]}; {@code LocalDate}, {@code LocalTime}, {@code OffsetTime}, {@code LocalDateTime}, {@code
 * OffsetDateTime}; {@code UUID}; {@code List} for arrays and for {@link Filter.In}; {@link
 * InsertRows} for {@link Insert#rows()}. {@link Values#parse} parses them from text.
 */
public final class Arguments {

  /** No values. */
  public static final Arguments NONE = new Arguments(new Object[0]);

  private final @Nullable Object[] values;

  private Arguments(@Nullable Object[] values) {
    this.values = values;
  }

  /** Wraps the values without a copy: the caller must not modify the array afterwards. */
  public static Arguments of(@Nullable Object... values) {
    return new Arguments(values);
  }

  /** Returns the value of the parameter. */
  public @Nullable Object get(Parameter parameter) {
    return values[parameter.index()];
  }

  /** The number of values. */
  public int size() {
    return values.length;
  }

  @Override
  public String toString() {
    return Arrays.toString(values);
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.graphql.input;

import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Stands in an argument for the value that a request gives.
 *
 * @param index the variable's position in its operation
 * @param defaultJson its default, as the JSON that a request would give; null for none
 */
public record VariableRef(int index, String name, @Nullable Object defaultJson)
    implements Placeholder {

  @Override
  public @Nullable Object value(@Nullable Object[] values) {
    return values[index];
  }

  /**
   * Returns the value as the request gives it, whatever type it was declared with.
   *
   * @param given the variables of the request
   */
  @Nullable Object json(Map<?, ?> given) {
    return given.containsKey(name) ? given.get(name) : defaultJson;
  }

  /** The variables as the request gave them, with which the values end. */
  static Map<?, ?> given(@Nullable Object[] values) {
    return (Map<?, ?>) Objects.requireNonNull(values[values.length - 1]);
  }
}

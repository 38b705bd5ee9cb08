// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.graphql.input;

import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A placeholder in an argument for the value of a variable.
 *
 * @param index the variable's position in its operation
 * @param defaultJson its default value, as the JSON that a request would contain; null for none
 */
public record VariableRef(int index, String name, @Nullable Object defaultJson)
    implements Placeholder {

  @Override
  public @Nullable Object value(@Nullable Object[] values) {
    return values[index];
  }

  /**
   * Returns the value as given by the request, regardless of its declared type.
   *
   * @param given the variables of the request
   */
  @Nullable Object json(Map<?, ?> given) {
    return given.containsKey(name) ? given.get(name) : defaultJson;
  }

  /** Returns the variables as given by the request, which are the last of the values. */
  static Map<?, ?> given(@Nullable Object[] values) {
    return (Map<?, ?>) Objects.requireNonNull(values[values.length - 1]);
  }
}

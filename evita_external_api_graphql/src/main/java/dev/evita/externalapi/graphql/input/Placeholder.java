// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.graphql.input;

import org.jspecify.annotations.Nullable;

/** A placeholder in an argument for a value that depends on a request's variables. */
public sealed interface Placeholder permits VariableRef, JsonLiteral, ArrayVariable {

  /**
   * Returns its value; {@link AbsentValue} for a variable that has no value.
   *
   * @param values as returned by {@code CompiledOperation.values}
   */
  @Nullable Object value(@Nullable Object[] values);
}

// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.graphql.input;

import org.jspecify.annotations.Nullable;

/** Stands in an argument for what a request's variables give. */
public sealed interface Placeholder permits VariableRef, JsonLiteral, ArrayVariable {

  /**
   * Returns what it stands for; {@link AbsentValue} for a variable that has no value.
   *
   * @param values as {@code CompiledOperation.values} made them
   */
  @Nullable Object value(@Nullable Object[] values);
}

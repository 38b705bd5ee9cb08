// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.graphql.input;

import dev.evita.externalapi.core.live.ValuePath;
import org.jspecify.annotations.Nullable;

/**
 * The arguments of a list of rows, as {@link Inputs} made them; null where there is none.
 *
 * @param by the columns that rows are grouped by; null where they are not
 * @param trail where the field stands, for messages; null at the root
 */
public record RowArguments(
    @Nullable Object where,
    @Nullable Object orderBy,
    @Nullable Object distinctOn,
    @Nullable Object limit,
    @Nullable Object offset,
    @Nullable Object by,
    @Nullable ValuePath trail) {

  public static final RowArguments NONE = byFilter(null);

  /** Those of a filter alone. */
  public static RowArguments byFilter(@Nullable Object where) {
    return new RowArguments(where, null, null, null, null, null, null);
  }

  /** A filter at the root alone. */
  public static RowArguments of(@Nullable Object where) {
    return new RowArguments(where, null, null, null, null, null, null);
  }

  public ValuePath trail(String argument) {
    return ValuePath.below(trail, argument);
  }
}

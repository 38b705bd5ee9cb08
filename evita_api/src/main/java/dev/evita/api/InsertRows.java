// SPDX-License-Identifier: Apache-2.0
package dev.evita.api;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The rows of one execution of an {@link Insert}: each as long as {@link Insert#columns()}, in that
 * order. Also the rows of input of a {@link NativeQuery}.
 *
 * <p>The number of rows is not part of an insert's shape: it may be one, or ten thousand.
 */
public record InsertRows(List<@Nullable Object[]> rows) {

  /** Represents the column's default in a row. */
  public static final Object DEFAULT =
      new Object() {
        @Override
        public String toString() {
          return "DEFAULT";
        }
      };
}

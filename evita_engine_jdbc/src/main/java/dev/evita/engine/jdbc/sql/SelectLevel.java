// SPDX-License-Identifier: Apache-2.0
package dev.evita.engine.jdbc.sql;

import dev.evita.api.RowShape;
import dev.evita.engine.jdbc.dialect.SqlText;
import dev.evita.engine.jdbc.value.Codec;
import java.util.List;
import java.util.function.Supplier;

/**
 * One level of a select: its statements, and how the columns of a result become slots.
 *
 * @param part how they do
 * @param ofRow as SQL, those columns of the statement that are made of the row alone
 * @param columns the codecs of the statement's columns, in its order
 * @param keyColumns the columns that hold the parent's key, or the one that holds its number; empty
 *     at the root
 * @param keyCodecs the codecs of the keys
 * @param numbered whether rows hold the numbers of keys, from 1, rather than keys
 * @param all the statement for the root, or for any number of parents
 * @param one the statement for a single parent, rendered when first asked for
 * @param zeroWhenEmpty for each column whether it is zero in the row that stands for no rows: the
 *     counts of an aggregate. Empty where no rows give no row
 */
public record SelectLevel(
    SlotMapping part,
    List<String> ofRow,
    Codec[] columns,
    List<Child> children,
    int[] keyColumns,
    Codec[] keyCodecs,
    boolean numbered,
    SqlText all,
    Supplier<SqlText> one,
    boolean[] zeroWhenEmpty) {

  /**
   * A nested level.
   *
   * @param parentColumns where the parent's statement has the key
   */
  public record Child(SelectLevel level, int[] parentColumns) {}

  public SelectLevel {
    ofRow = List.copyOf(ofRow);
    children = List.copyOf(children);
  }

  public RowShape shape() {
    return part.shape();
  }

  /** Whether its statement is the only one. */
  public boolean flat() {
    return children.isEmpty();
  }
}

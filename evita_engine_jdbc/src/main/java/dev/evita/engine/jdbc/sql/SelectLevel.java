// SPDX-License-Identifier: Apache-2.0
package dev.evita.engine.jdbc.sql;

import dev.evita.api.RowShape;
import dev.evita.engine.jdbc.dialect.SqlText;
import dev.evita.engine.jdbc.value.Codec;
import java.util.List;
import java.util.function.Supplier;

/**
 * One level of a select: its statements, and the mapping of result columns to slots.
 *
 * @param part the mapping
 * @param ofRow as SQL, the columns of the statement that are computed from the row alone
 * @param columns the codecs of the statement's columns, in its order
 * @param keyColumns the columns of the parent's key, or the one of its number; empty at the root
 * @param keyCodecs the codecs of the keys
 * @param numbered whether rows contain the numbers of keys, from 1, rather than keys
 * @param all the statement for the root, or for any number of parents
 * @param one the statement for a single parent, rendered on first use
 * @param zeroWhenEmpty for each column whether it is zero in the row that represents no rows: the
 *     counts of an aggregate. Empty if no rows yield no row
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
   * @param parentColumns the key's columns in the parent's statement
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

// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.graphql.plan;

import dev.evita.externalapi.core.json.CursorFormat;
import org.jspecify.annotations.Nullable;

/**
 * The requested page of a connection.
 *
 * @param backward whether its rows come last to first
 * @param size the maximum number of rows
 * @param first as requested, or null
 * @param last as requested, or null
 * @param after whether it begins after a cursor
 * @param before whether it ends before a cursor
 * @param cursors the encoding of positions
 * @param cursorSlot the first of the slots that hold a row's position
 */
public record ConnectionPaging(
    boolean backward,
    long size,
    @Nullable Long first,
    @Nullable Long last,
    boolean after,
    boolean before,
    CursorFormat cursors,
    int cursorSlot) {

  /**
   * Returns the number of rows read that are not on the page, if both {@code first} and {@code
   * last} are given.
   */
  public int skipped(int rows) {
    return backward || last == null ? 0 : (int) Math.max(0, rows - last);
  }

  /** The number of rows to read: one more than are counted, to detect whether there are more. */
  long limit() {
    return (first != null && last != null ? Math.max(first, last) : size) + 1;
  }

  /**
   * Whether rows precede the page, as the specification defines it: counted if {@code last} is
   * given, else derived from the cursor, which was a row's.
   *
   * @param seen the number of rows read, at most {@link #limit}
   */
  public boolean hasPrevious(long seen) {
    return last != null ? seen > last : after;
  }

  /** Whether rows follow the page, likewise. */
  public boolean hasNext(long seen) {
    return backward ? before : seen > size || (first == null && before);
  }
}

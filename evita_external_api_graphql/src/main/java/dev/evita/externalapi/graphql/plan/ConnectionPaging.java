// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.graphql.plan;

import dev.evita.externalapi.core.json.CursorFormat;
import org.jspecify.annotations.Nullable;

/**
 * Which page a connection was asked for.
 *
 * @param backward whether its rows come last to first
 * @param size at most so many rows
 * @param first as asked, or null
 * @param last as asked, or null
 * @param after whether it begins behind a cursor
 * @param before whether it ends before a cursor
 * @param cursors how positions are written
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

  /** How many of the rows that came are not on the page: where both first and last are given. */
  public int skipped(int rows) {
    return backward || last == null ? 0 : (int) Math.max(0, rows - last);
  }

  /** How many rows are read: one more than are counted, to know whether there are more. */
  long limit() {
    return (first != null && last != null ? Math.max(first, last) : size) + 1;
  }

  /**
   * Whether rows stand before the page, as the specification has it: counted where {@code last} is
   * given, else told by the cursor, which was a row's.
   *
   * @param seen how many rows came, at most {@link #limit}
   */
  public boolean hasPrevious(long seen) {
    return last != null ? seen > last : after;
  }

  /** Whether rows stand behind the page, likewise. */
  public boolean hasNext(long seen) {
    return backward ? before : seen > size || (first == null && before);
  }
}

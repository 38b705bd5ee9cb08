// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.rest.request;

/**
 * Which rows of all an answer shows.
 *
 * @param offset how many are skipped
 * @param limit how many come at most
 */
public record RowWindow(long offset, long limit) {

  /** All rows. */
  public static final RowWindow ALL = new RowWindow(0, Long.MAX_VALUE);

  /** Where the number of all rows is not known. */
  public static final long UNKNOWN = -1;

  public static RowWindow of(ReadQuery request) {
    var root = request.root();
    return new RowWindow(
        request.number(root.offset(), 0), request.number(root.limit(), Long.MAX_VALUE));
  }

  /** The window of rows that are made into one by aggregates: that one, or none. */
  public RowWindow ofOne() {
    return new RowWindow(offset, offset == 0 ? Math.min(limit, 1) : 0);
  }

  /**
   * Looks whether it begins within all rows.
   *
   * @throws RestFailure 416, PGRST103
   */
  public void requireStart(long total) {
    if (offset > 0 && offset >= total) {
      throw RowRange.notSatisfiable(
          "An offset of " + offset + " was requested, but there are only " + total + " rows");
    }
  }

  /** 206 for a part of what is there, where that is known (RFC 9110, section 15.3.7). */
  public int status(long total) {
    return total != UNKNOWN && rows(total) < total ? 206 : 200;
  }

  /** How many rows come, of so many. */
  public long rows(long total) {
    return Math.min(limit, total - offset);
  }

  /** The header {@code Content-Range} of so many rows that come. */
  public String range(long rows, long total) {
    var all = total == UNKNOWN ? "*" : Long.toString(total);
    return rows <= 0 ? "*/" + all : offset + "-" + (offset + rows - 1) + "/" + all;
  }
}

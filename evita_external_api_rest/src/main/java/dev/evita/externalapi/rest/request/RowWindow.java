// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.rest.request;

/**
 * The rows of all that a response contains.
 *
 * @param offset the number of skipped rows
 * @param limit the maximum number of rows
 */
public record RowWindow(long offset, long limit) {

  /** All rows. */
  public static final RowWindow ALL = new RowWindow(0, Long.MAX_VALUE);

  /** The total where the number of all rows is not known. */
  public static final long UNKNOWN = -1;

  public static RowWindow of(ReadQuery request) {
    var root = request.root();
    return new RowWindow(
        request.number(root.offset(), 0), request.number(root.limit(), Long.MAX_VALUE));
  }

  /** Returns the window over a single aggregated row: that row, or none. */
  public RowWindow ofOne() {
    return new RowWindow(offset, offset == 0 ? Math.min(limit, 1) : 0);
  }

  /**
   * Checks that it begins within all rows.
   *
   * @throws RestFailure 416, PGRST103
   */
  public void requireStart(long total) {
    if (offset > 0 && offset >= total) {
      throw RowRange.notSatisfiable(
          "An offset of " + offset + " was requested, but there are only " + total + " rows");
    }
  }

  /** Returns 206 for a part of all rows, if their number is known (RFC 9110, section 15.3.7). */
  public int status(long total) {
    return total != UNKNOWN && rows(total) < total ? 206 : 200;
  }

  /** Returns the number of rows in the window, given the number of all. */
  public long rows(long total) {
    return Math.min(limit, total - offset);
  }

  /** Returns the header {@code Content-Range} for the given number of returned rows. */
  public String range(long rows, long total) {
    var all = total == UNKNOWN ? "*" : Long.toString(total);
    return rows <= 0 ? "*/" + all : offset + "-" + (offset + rows - 1) + "/" + all;
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core.limits;

import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;

/** Enforces the limits of rows and bytes on one response. Used by one thread at a time. */
public final class Quota implements RowCounter {

  private final int maxRows;
  private final String key;
  private final long maxBytes;
  private final int before;
  private int rows;
  private long bytes;

  private Quota(int maxRows, String key, long maxBytes, int rows) {
    this.maxRows = maxRows;
    this.key = key;
    this.maxBytes = maxBytes;
    this.before = rows;
    this.rows = rows;
  }

  /**
   * Returns the quota of a response that is sent while it is written.
   *
   * @param rows rows counted before, towards the same limit
   */
  public static Quota of(Limits limits, int rows) {
    return new Quota(limits.maxRows(), "max-rows", limits.maxAnswerBytes(), rows);
  }

  /** Returns the quota of a response that is buffered until it is complete; see {@link #of}. */
  public static Quota held(Limits limits, int rows) {
    return limits.maxHeldRows() < limits.maxRows()
        ? new Quota(limits.maxHeldRows(), "max-held-rows", limits.maxAnswerBytes(), rows)
        : of(limits, rows);
  }

  /** The number of rows counted. */
  public int rows() {
    return rows;
  }

  /** Resets the count of rows. */
  public void restart() {
    rows = before;
    bytes = 0;
  }

  /** Resets the count to an earlier one. */
  public void backTo(int counted) {
    rows = counted;
  }

  @Override
  public void count() {
    if (++rows > maxRows) {
      throw new EvitaException(
          ErrorCode.TOO_MANY_ROWS,
          "The response has more than "
              + maxRows
              + " rows, the limit of "
              + key
              + "; request fewer");
    }
  }

  /**
   * Adds to the number of buffered bytes.
   *
   * @throws EvitaException {@code ANSWER_TOO_LARGE}
   */
  public void hold(int more) {
    bytes += more;
    requireShort(bytes);
  }

  /**
   * Checks the current length of the response.
   *
   * @throws EvitaException {@code ANSWER_TOO_LARGE}
   */
  public void requireShort(long bytes) {
    if (bytes > maxBytes) {
      throw new EvitaException(
          ErrorCode.ANSWER_TOO_LARGE,
          "The response has more than "
              + maxBytes
              + " bytes, the limit of max-answer-bytes; request less data");
    }
  }
}

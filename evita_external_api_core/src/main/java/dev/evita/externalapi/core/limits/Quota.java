// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core.limits;

import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import dev.evita.externalapi.core.error.HttpErrorCode;

/** Holds one answer to the limits of rows and bytes. Used by one thread at a time. */
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
   * Of an answer that leaves while it is written.
   *
   * @param rows how many were counted before, towards the same limit
   */
  public static Quota of(Limits limits, int rows) {
    return new Quota(limits.maxRows(), "max-rows", limits.maxAnswerBytes(), rows);
  }

  /** Of an answer that is held until it is complete; as {@link #of}. */
  public static Quota held(Limits limits, int rows) {
    return limits.maxHeldRows() < limits.maxRows()
        ? new Quota(limits.maxHeldRows(), "max-held-rows", limits.maxAnswerBytes(), rows)
        : of(limits, rows);
  }

  /** How many rows were counted. */
  public int rows() {
    return rows;
  }

  /** All that was counted is counted again. */
  public void restart() {
    rows = before;
    bytes = 0;
  }

  /** What came after so many rows is counted again. */
  public void backTo(int counted) {
    rows = counted;
  }

  @Override
  public void count() {
    if (++rows > maxRows) {
      throw new EvitaException(
          ErrorCode.TOO_MANY_ROWS,
          "The answer has more than " + maxRows + " rows, the limit of " + key + "; ask for fewer");
    }
  }

  /**
   * So many bytes more are held.
   *
   * @throws EvitaException {@code ANSWER_TOO_LARGE}
   */
  public void hold(int more) {
    bytes += more;
    requireShort(bytes);
  }

  /**
   * Judges the length that the answer has so far.
   *
   * @throws EvitaException {@code ANSWER_TOO_LARGE}
   */
  public void requireShort(long bytes) {
    if (bytes > maxBytes) {
      throw new EvitaException(
          HttpErrorCode.ANSWER_TOO_LARGE,
          "The answer has more than "
              + maxBytes
              + " bytes, the limit of max-answer-bytes; ask for less");
    }
  }
}

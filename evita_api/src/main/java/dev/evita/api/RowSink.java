// SPDX-License-Identifier: Apache-2.0
package dev.evita.api;

/**
 * Receives the rows of one execution. The engine pushes: {@code started row* (completed | failed)},
 * or {@code failed} alone.
 *
 * <p>Calls are sequential, never concurrent, though not always on the same thread. A sink does not
 * block: if it cannot accept more rows it returns {@link Demand#PAUSE} and later calls {@link
 * Execution#resume}. It throws no exceptions.
 */
public interface RowSink {

  /**
   * The execution began. Called before its first statement is executed, so that a long statement
   * can be cancelled; the sink may keep the execution to cancel or resume it, also within this
   * call.
   */
  default void started(Execution execution) {}

  /**
   * Receives a row.
   *
   * @param row valid during this call only: the engine reuses it for the next one
   */
  Demand row(Row row);

  /**
   * The maximum number of rows that the engine may buffer for this execution, as a select with
   * nested outputs must; one more fails with {@code TOO_MANY_ROWS}. Streamed rows do not count.
   */
  default int maxHeldRows() {
    return Integer.MAX_VALUE;
  }

  /**
   * All rows were pushed, or the sink returned {@link Demand#STOP}. The last call.
   *
   * @param affected for writes, the number of changed rows, without those that an upsert left
   *     unchanged; for reads, the number of rows pushed; for a script, that of its last statement
   */
  void completed(long affected);

  /** The execution failed. The last call. */
  void failed(EvitaException failure);
}

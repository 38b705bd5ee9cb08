// SPDX-License-Identifier: Apache-2.0
package dev.evita.api;

/**
 * Takes the rows of one run. The engine pushes: {@code started row* (completed | failed)}, or
 * {@code failed} alone.
 *
 * <p>Calls come one after another, never two at once, though not always on the same thread. A sink
 * does not block: where it cannot take more it answers {@link Demand#PAUSE} and later calls {@link
 * Execution#resume}. It throws nothing.
 */
public interface RowSink {

  /**
   * The run began. Before its first statement is executed, so that a statement that takes long can
   * be cancelled; the sink may keep the execution to cancel or resume it, also within this call.
   */
  default void started(Execution execution) {}

  /**
   * A row.
   *
   * @param row valid during this call only: the engine uses it again for the next
   */
  Demand row(Row row);

  /**
   * How many rows the engine may hold in memory for this run, as a select with nested outputs must;
   * one more fails with {@code TOO_MANY_ROWS}. Rows that are streamed do not count.
   */
  default int maxHeldRows() {
    return Integer.MAX_VALUE;
  }

  /**
   * All rows were given, or the sink answered {@link Demand#STOP}. The last call.
   *
   * @param affected how many rows a write changed, without those that an upsert left as they were;
   *     for reads, how many were given; for a script, that of its last statement
   */
  void completed(long affected);

  /** The run failed. The last call. */
  void failed(EvitaException failure);
}

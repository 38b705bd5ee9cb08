// SPDX-License-Identifier: Apache-2.0
package dev.evita.api;

/** A sink's request after a row. */
public enum Demand {
  /** The next row. */
  MORE,
  /** No row until {@link Execution#resume}. */
  PAUSE,
  /** No more rows: the engine ends the execution as completed. */
  STOP
}

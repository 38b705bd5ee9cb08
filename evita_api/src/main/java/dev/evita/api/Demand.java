// SPDX-License-Identifier: Apache-2.0
package dev.evita.api;

/** What a sink wants after a row. */
public enum Demand {
  /** The next row. */
  MORE,
  /** No row until {@link Execution#resume}. */
  PAUSE,
  /** No row any more: the engine ends the run as completed. */
  STOP
}

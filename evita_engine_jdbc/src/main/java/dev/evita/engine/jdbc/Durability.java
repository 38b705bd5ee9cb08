// SPDX-License-Identifier: Apache-2.0
package dev.evita.engine.jdbc;

/**
 * The failures that an acknowledged write survives. {@code docs/durability.md} has the settings and
 * the cost for each database.
 */
public enum Durability {
  /** The end of the process, even by {@code kill -9}: written to the operating system. */
  PROCESS,
  /** The loss of power: forced to the device before the acknowledgement. */
  POWER
}

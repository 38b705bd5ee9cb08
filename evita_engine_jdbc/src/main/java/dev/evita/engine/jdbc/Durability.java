// SPDX-License-Identifier: Apache-2.0
package dev.evita.engine.jdbc;

/**
 * What an acknowledged write survives. Docs: {@code docs/durability.md} has the settings and the
 * price for each database.
 */
public enum Durability {
  /** The end of the process, also by {@code kill -9}: written to the operating system. */
  PROCESS,
  /** The loss of power: forced to the device before the acknowledgement. */
  POWER
}

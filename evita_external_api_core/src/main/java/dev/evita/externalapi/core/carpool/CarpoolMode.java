// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core.carpool;

/** Whether concurrent executions of the same operation share statements. */
public enum CarpoolMode {
  /** Never. */
  OFF,
  /** As long as measurements show that it is better; never where an execution uses no worker. */
  AUTO,
  /** Always. */
  ON
}

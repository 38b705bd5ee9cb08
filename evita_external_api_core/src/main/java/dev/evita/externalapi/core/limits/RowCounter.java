// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core.limits;

/** Counts the rows of a response, nested ones included. */
@FunctionalInterface
public interface RowCounter {

  /**
   * Counts one more row.
   *
   * @throws dev.evita.api.EvitaException {@code TOO_MANY_ROWS}
   */
  void count();
}

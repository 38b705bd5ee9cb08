// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core.limits;

/** Counts the rows of an answer, nested ones included. */
@FunctionalInterface
public interface RowCounter {

  /**
   * One more.
   *
   * @throws dev.evita.api.EvitaException {@code TOO_MANY_ROWS}
   */
  void count();
}

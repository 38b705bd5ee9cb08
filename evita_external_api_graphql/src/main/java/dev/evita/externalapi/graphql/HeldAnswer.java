// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.graphql;

import dev.evita.externalapi.core.RowCounter;

/** Counts what is held in memory for an answer that leaves as a whole. */
interface HeldAnswer extends RowCounter {

  /**
   * So many bytes more.
   *
   * @throws dev.evita.api.EvitaException {@code ANSWER_TOO_LARGE}
   */
  void hold(int bytes);
}

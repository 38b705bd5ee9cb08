// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.graphql.plan;

/** A root field of a mutation, compiled. Thread-safe. */
public interface MutationSource {

  /**
   * Returns the work for these values of variables. All statements are prepared here, so that an
   * invalid mutation never begins a transaction.
   *
   * @throws dev.evita.api.EvitaException {@code INVALID_VALUE}, {@code TOO_DEEP}, and as {@link
   *     dev.evita.externalapi.core.work.Statements#prepare}
   */
  MutationWork bind(Object[] values);
}

// SPDX-License-Identifier: Apache-2.0
package dev.evita.api;

/**
 * A feature that an engine may support beyond the core of the contract.
 *
 * <p>An operation that requires a missing capability must fail with {@link
 * ErrorCode#UNSUPPORTED_OPERATION}, never silently behave differently.
 */
public enum Capability {
  /**
   * The engine works in this process on the calling thread, so that a bounded operation may run on
   * an I/O thread.
   */
  IN_PROCESS,
  /** {@link Engine#watch} publishes committed changes. */
  WATCH,
  /** {@link Comparison#MATCHES} and {@link Comparison#IMATCHES}: regular expressions. */
  REGULAR_EXPRESSIONS,
  /**
   * Columns of {@link DataType.Array}, with {@link Comparison#CONTAINS}, {@link
   * Comparison#CONTAINED_IN} and {@link Comparison#OVERLAPS}.
   */
  ARRAYS,
  /** {@link Comparison#CONTAINS} and {@link Comparison#CONTAINED_IN} of JSON. */
  JSON_CONTAINMENT,
  /** {@link Output.Path}: values inside JSON. */
  JSON_PATHS,
  /** {@link Filter.FullText}. */
  FULL_TEXT,
  /** Columns of {@link DataType.Enumeration}. */
  ENUMERATIONS,
  /** {@link Call}. */
  ROUTINES,
  /** {@link NativeQuery}. */
  NATIVE_QUERIES,
  /** {@link TransactionOptions#readOnly()} is enforced. */
  READ_ONLY_TRANSACTIONS
}

// SPDX-License-Identifier: Apache-2.0
package dev.evita.api;

/**
 * What an engine may or may not have beyond the core of the contract.
 *
 * <p>What is absent must fail with {@link ErrorCode#UNSUPPORTED_OPERATION}, never silently differ.
 */
public enum Capability {
  /**
   * The engine works in this process on the calling thread, so that a bounded operation may run on
   * an I/O thread.
   */
  IN_PROCESS,
  /** {@link Engine#watch} tells committed changes. */
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
  /** {@link Output.Path}: values inside of JSON. */
  JSON_PATHS,
  /** {@link Filter.FullText}. */
  FULL_TEXT,
  /** Columns of {@link DataType.Enumeration}. */
  ENUMERATIONS,
  /** {@link Call}. */
  ROUTINES,
  /** {@link TransactionOptions#readOnly()} is enforced. */
  READ_ONLY_TRANSACTIONS
}

// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.rest.response;

import dev.evita.api.TransactionOptions.Isolation;
import dev.evita.externalapi.core.transaction.TransactionExecution;
import org.jspecify.annotations.Nullable;

/**
 * A request as a part of a transaction: its statements, one after another, and then its answer.
 * Used once, by one thread at a time; what its methods throw undoes the transaction.
 */
public interface TransactionStep {

  /** What the transaction must be for it. */
  default Isolation isolation() {
    return Isolation.DEFAULT;
  }

  /** Whether the transaction must refuse what it writes. */
  default boolean readOnly() {
    return false;
  }

  /**
   * What it is estimated to cost, as {@code Cost} tells.
   *
   * @param estimatedRows what a list without a limit is taken for
   */
  default double cost(int estimatedRows) {
    return 0;
  }

  /** Which part of the request is at work, for the answer where that fails; null for all of it. */
  default @Nullable String place() {
    return null;
  }

  /** The next statement, once the one before has ended; null where there is none left. */
  TransactionExecution.@Nullable Statement next();

  /** The answer, once all statements have ended. Called once. */
  BufferedResponse answer();
}

// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.rest.response;

import dev.evita.api.TransactionOptions.Isolation;
import dev.evita.externalapi.core.transaction.TransactionExecution;
import org.jspecify.annotations.Nullable;

/**
 * A request as a part of a transaction: its statements, one after another, and then its response.
 * Used once, by one thread at a time; an exception thrown by its methods rolls the transaction
 * back.
 */
public interface TransactionStep {

  /** The required transaction mode. */
  default Isolation isolation() {
    return Isolation.DEFAULT;
  }

  /** Whether the transaction must reject writes. */
  default boolean readOnly() {
    return false;
  }

  /** See {@link TransactionExecution.Task#sharesCommit}. */
  default boolean sharesCommit() {
    return false;
  }

  /**
   * The estimated cost, as computed by {@code Cost}.
   *
   * @param estimatedRows the assumed length of a list without a limit
   */
  default double cost(int estimatedRows) {
    return 0;
  }

  /**
   * The part of the request that is being executed, for the response if it fails; null for all of
   * it.
   */
  default @Nullable String place() {
    return null;
  }

  /** Returns the next statement, once the previous one has ended; null if there is none left. */
  TransactionExecution.@Nullable Statement next();

  /** Returns the response, once all statements have ended. Called once. */
  BufferedResponse response();
}

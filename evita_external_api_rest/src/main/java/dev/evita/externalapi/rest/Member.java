// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.rest;

import dev.evita.api.TransactionOptions.Isolation;
import dev.evita.externalapi.core.TransactionRun;
import org.jspecify.annotations.Nullable;

/**
 * A request as a part of a transaction: its statements, one after another, and then its answer.
 * Used once, by one thread at a time; what its methods throw undoes the transaction.
 */
interface Member {

  /** What the transaction must be for it. */
  default Isolation isolation() {
    return Isolation.DEFAULT;
  }

  /** The next statement, once the one before has ended; null where there is none left. */
  TransactionRun.@Nullable Statement next();

  /** The answer, once all statements have ended. Called once. */
  Answer answer();
}

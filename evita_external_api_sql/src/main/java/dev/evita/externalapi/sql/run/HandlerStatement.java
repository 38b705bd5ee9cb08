// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.sql.run;

import dev.evita.externalapi.core.transaction.TransactionExecution;
import dev.evita.externalapi.sql.outcome.HandlerOutcome;
import org.jspecify.annotations.Nullable;

/** The one statement of the transaction around a handler. */
interface HandlerStatement extends TransactionExecution.Statement {

  /** The response; null if the handler has none. */
  @Nullable HandlerOutcome outcome();

  /** Forgets the response, before the transaction begins again. */
  void restart();
}

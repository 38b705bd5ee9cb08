// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.rest.writes;

import dev.evita.externalapi.core.transaction.TransactionExecution;
import dev.evita.externalapi.rest.response.BufferedResponse;
import dev.evita.externalapi.rest.response.TransactionStep;
import org.jspecify.annotations.Nullable;

/** An update of no columns, which changes no row. */
record EmptyUpdate(WriteResponseRows written) implements TransactionStep {

  @Override
  public boolean sharesCommit() {
    return true;
  }

  @Override
  public TransactionExecution.@Nullable Statement next() {
    return null;
  }

  @Override
  public BufferedResponse response() {
    written.begin();
    written.end(0);
    return written.response(0);
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.rest.writes;

import dev.evita.externalapi.core.transaction.TransactionRun;
import dev.evita.externalapi.rest.response.Answer;
import dev.evita.externalapi.rest.response.Member;
import org.jspecify.annotations.Nullable;

/** A change of no columns, which touches no row. */
record NoChange(WrittenRows written) implements Member {

  @Override
  public TransactionRun.@Nullable Statement next() {
    return null;
  }

  @Override
  public Answer answer() {
    written.begin();
    written.end(0);
    return written.answer(0);
  }
}

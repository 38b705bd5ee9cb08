// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core.work;

import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;

/** The end of background work: only the first counts, as a deadline may coincide with a result. */
public final class Outcome {

  private boolean settled;

  /** Runs the task and ends the work, unless it has ended before. Returns whether it was run. */
  public boolean settle(Work work, Runnable task) {
    synchronized (this) {
      if (settled) {
        return false;
      }
      settled = true;
    }
    task.run();
    work.end();
    return true;
  }

  /** The failure of aborted work. */
  public static EvitaException failure(Work work) {
    var reason = work.expired();
    return Work.failure(reason == null ? ErrorCode.CANCELLED : reason);
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core.limits;

import dev.evita.api.EvitaException;
import dev.evita.externalapi.core.error.HttpErrorCode;

/**
 * The limit {@code max-depth}: how deep filters, selections and rows may be nested.
 *
 * @param levels of which the outermost is 1
 */
public record NestingLimit(int levels) {

  /**
   * Refuses what is nested too deep.
   *
   * @param what is nested, such as "filter"
   * @param level that was reached
   * @throws EvitaException {@code TOO_DEEP}
   */
  public void require(String what, int level) {
    if (level > levels) {
      throw exceeded(what);
    }
  }

  /** The refusal of what is nested too deep. */
  public EvitaException exceeded(String what) {
    return new EvitaException(
        HttpErrorCode.TOO_DEEP,
        "The " + what + " is nested deeper than " + levels + " levels, the limit of max-depth");
  }
}

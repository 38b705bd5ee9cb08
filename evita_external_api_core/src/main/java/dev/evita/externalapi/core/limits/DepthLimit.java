// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core.limits;

import dev.evita.api.EvitaException;
import dev.evita.externalapi.core.error.HttpErrorCode;

/**
 * The limit {@code max-depth} on the nesting of filters, selections and rows.
 *
 * @param levels the number of levels; the outermost is 1
 */
public record DepthLimit(int levels) {

  /**
   * Rejects a level beyond the limit.
   *
   * @param what the nested element, such as "filter"
   * @param level the level reached
   * @throws EvitaException {@code TOO_DEEP}
   */
  public void require(String what, int level) {
    if (level > levels) {
      throw exceeded(what);
    }
  }

  /** The exception for nesting beyond the limit. */
  public EvitaException exceeded(String what) {
    return new EvitaException(
        HttpErrorCode.TOO_DEEP,
        "The " + what + " is nested too deeply; max-depth is " + levels + " levels");
  }
}

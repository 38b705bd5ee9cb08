// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core.json;

import dev.evita.api.EvitaException;
import java.util.List;

/** Is told which values of a row could not be written. */
@FunctionalInterface
public interface ValueErrorListener {

  /**
   * A value, or the nearest object around it that may be null, is null.
   *
   * @param failure {@code STORED_VALUE_INVALID}
   * @param path from the row to the value: names of members, and places in lists from 0
   */
  void fault(EvitaException failure, List<Object> path);
}

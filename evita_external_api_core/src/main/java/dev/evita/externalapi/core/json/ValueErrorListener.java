// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core.json;

import dev.evita.api.EvitaException;
import java.util.List;

/** Receives the values of a row that could not be written. */
@FunctionalInterface
public interface ValueErrorListener {

  /**
   * A value, or the nearest enclosing object that may be null, was written as null.
   *
   * @param failure {@code STORED_VALUE_INVALID}
   * @param path from the row to the value: member names, and zero-based list indexes
   */
  void fault(EvitaException failure, List<Object> path);
}

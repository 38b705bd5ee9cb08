// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.sql.store;

import java.util.Map;

/** A place that handlers come from. */
public interface HandlerSource {

  /**
   * The texts of all handlers by their names, in the order of the names. May block.
   *
   * @throws dev.evita.api.EvitaException {@code INVALID_CONFIGURATION} if they cannot be read;
   *     others of the engine
   */
  Map<String, String> read();
}

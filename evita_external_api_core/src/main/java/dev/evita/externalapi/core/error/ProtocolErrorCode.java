// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core.error;

import dev.evita.api.EvitaException;

/** A code that protocols raise and no engine does. It carries its own HTTP status. */
public interface ProtocolErrorCode extends EvitaException.Code {

  /** The HTTP status of a response with this code. */
  int status();
}

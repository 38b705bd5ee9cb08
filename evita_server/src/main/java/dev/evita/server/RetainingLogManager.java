// SPDX-License-Identifier: Apache-2.0
package dev.evita.server;

import java.util.logging.LogManager;

/**
 * Keeps log handlers until the process ends: the JDK's own manager removes all handlers as soon as
 * a signal arrives, and messages during the graceful drain would be lost.
 *
 * <p>Public, as {@code java.util.logging.manager} creates it by name.
 */
public final class RetainingLogManager extends LogManager {

  /** Does nothing: handlers are kept. */
  @Override
  public void reset() {}
}

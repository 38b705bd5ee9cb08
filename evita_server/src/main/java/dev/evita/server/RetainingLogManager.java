// SPDX-License-Identifier: Apache-2.0
package dev.evita.server;

import java.util.logging.LogManager;

/**
 * Keeps the log until the very end: the JDK's own manager drops all handlers as soon as a signal
 * arrives, and what happens while requests drain would go untold.
 *
 * <p>Public, as {@code java.util.logging.manager} has it made by name.
 */
public final class RetainingLogManager extends LogManager {

  /** Does nothing: handlers stay. */
  @Override
  public void reset() {}
}

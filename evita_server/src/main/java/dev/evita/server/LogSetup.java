// SPDX-License-Identifier: Apache-2.0
package dev.evita.server;

import java.util.List;
import java.util.logging.ConsoleHandler;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.Logger;

/** Writes logs to standard error, one line each; libraries log only warnings. */
final class LogSetup {

  private static final List<String> LIBRARIES =
      List.of("io.undertow", "org.jboss", "org.jooq", "org.postgresql", "org.xnio");

  /** JUL discards unreferenced loggers together with their levels. */
  private static final List<Logger> KEPT = LIBRARIES.stream().map(Logger::getLogger).toList();

  /**
   * The pool logs each broken connection with a stack trace: hundreds at once when the database
   * ends. The engine logs the same failure once.
   */
  private static final Logger POOL = Logger.getLogger("com.zaxxer");

  private LogSetup() {}

  /** Applies the setup; to be called before the first log line. */
  static void apply() {
    System.setProperty("org.jooq.no-logo", "true");
    System.setProperty("org.jooq.no-tips", "true");
    var root = Logger.getLogger("");
    for (Handler handler : root.getHandlers()) {
      root.removeHandler(handler);
    }
    var console = new ConsoleHandler();
    console.setFormatter(new LineFormatter());
    root.addHandler(console);
    POOL.setLevel(Level.SEVERE);
    KEPT.forEach(logger -> logger.setLevel(Level.WARNING));
  }
}

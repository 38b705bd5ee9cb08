// SPDX-License-Identifier: Apache-2.0
package dev.evita.server;

import java.util.List;
import java.util.logging.ConsoleHandler;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.Logger;

/** Logs go to standard error, one line each; libraries only warn. */
final class LogSetup {

  private static final List<String> LIBRARIES =
      List.of("io.undertow", "org.jboss", "org.jooq", "org.postgresql", "org.xnio");

  /** JUL forgets loggers that nobody holds, and their levels with them. */
  private static final List<Logger> KEPT = LIBRARIES.stream().map(Logger::getLogger).toList();

  /**
   * The pool warns of each connection that breaks, with a stack trace: hundreds in a moment where
   * the database ends. The engine logs the same fault once.
   */
  private static final Logger POOL = Logger.getLogger("com.zaxxer");

  private LogSetup() {}

  /** Before the first log line. */
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

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
      List.of("com.zaxxer", "io.undertow", "org.jboss", "org.jooq", "org.postgresql", "org.xnio");

  /** JUL forgets loggers that nobody holds, and their levels with them. */
  private static final List<Logger> KEPT = LIBRARIES.stream().map(Logger::getLogger).toList();

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
    KEPT.forEach(logger -> logger.setLevel(Level.WARNING));
  }
}

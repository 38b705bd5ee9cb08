// SPDX-License-Identifier: Apache-2.0
package dev.evita.server;

import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;

/** The way in from the command line, and the only place that ends the process. */
public final class Main {

  private Main() {}

  /** Runs a command; {@code --help} tells which. */
  public static void main(String[] arguments) {
    System.setProperty("java.util.logging.manager", RetainingLogManager.class.getName());
    LogSetup.apply();
    var terminal =
        new Terminal(
            new PrintWriter(System.out, true, StandardCharsets.UTF_8),
            new PrintWriter(System.err, true, StandardCharsets.UTF_8),
            Boolean.getBoolean("evita.terminal"));
    var lifetime = new ShutdownSequence();
    Runtime.getRuntime().addShutdownHook(new Thread(lifetime::stop, "evita-stop"));
    var status = new Commands(terminal, System.getenv(), lifetime).run(arguments);
    lifetime.end();
    System.exit(status);
  }
}

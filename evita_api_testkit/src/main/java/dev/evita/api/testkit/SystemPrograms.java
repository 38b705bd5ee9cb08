// SPDX-License-Identifier: Apache-2.0
package dev.evita.api.testkit;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import org.opentest4j.TestAbortedException;

/** Programs of the operating system's packages that tests run. */
final class SystemPrograms {

  private SystemPrograms() {}

  /**
   * Demands a program.
   *
   * @param subject what is not tested without it
   * @param packages those of Debian that have it
   * @throws TestAbortedException if it is not on the {@code PATH}, after saying so loudly
   */
  static void require(String program, String subject, String packages) {
    for (var directory : System.getenv("PATH").split(File.pathSeparator, -1)) {
      if (Files.isExecutable(Path.of(directory, program))) {
        return;
      }
    }
    throw missing(program + " is not on the PATH", subject, packages);
  }

  /** Says loudly what is not tested, why, and what to do about it. */
  static TestAbortedException missing(String reason, String subject, String packages) {
    var line = "!".repeat(78);
    System.err.println(line);
    System.err.println("!! NOT TESTED: " + subject + ".");
    System.err.println("!! " + reason);
    System.err.println("!! Remedy: apt-get install " + packages);
    System.err.println(line);
    return new TestAbortedException(reason);
  }
}

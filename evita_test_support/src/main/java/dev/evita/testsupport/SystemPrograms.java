// SPDX-License-Identifier: Apache-2.0
package dev.evita.testsupport;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import org.opentest4j.TestAbortedException;

/** Programs of the operating system's packages that tests run. */
final class SystemPrograms {

  private SystemPrograms() {}

  /**
   * Requires a program.
   *
   * @param subject the part that is not tested without it
   * @param packages the Debian packages that contain it
   * @throws TestAbortedException if it is not on the {@code PATH}, after a warning
   */
  static void require(String program, String subject, String packages) {
    var unused = find(program, subject, packages);
  }

  /**
   * Returns the path of a program, also of one for administrators.
   *
   * @throws TestAbortedException see {@link #require}
   */
  static Path find(String program, String subject, String packages) {
    var path = System.getenv("PATH") + File.pathSeparator + "/usr/sbin";
    for (var directory : path.split(File.pathSeparator, -1)) {
      var file = Path.of(directory, program);
      if (Files.isExecutable(file)) {
        return file;
      }
    }
    throw missing(program + " is not on the PATH", subject, packages);
  }

  /** Warns of the part that is not tested, with the reason and the remedy. */
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

// SPDX-License-Identifier: Apache-2.0
package dev.evita.testsupport;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.opentest4j.TestAbortedException;

/**
 * A Go project of the test resources. The exact modules are listed in {@code go.mod} and {@code
 * go.sum}; one of their commands is built into {@code target}.
 */
public final class GoProject {

  private GoProject() {}

  /**
   * Builds a command; takes seconds after the first time.
   *
   * @param name of the project's directory, and of the built command
   * @param command the package of the command
   * @param subject the part that is not tested if Go is missing
   * @return the path of the command
   * @throws TestAbortedException if Go is missing, after a warning
   */
  public static Path build(String name, String command, String subject)
      throws IOException, InterruptedException {
    SystemPrograms.require("go", subject, "golang-go");
    var project = TestFiles.copyProject(name);
    var output = project.resolve("build.txt");
    var process =
        new ProcessBuilder("go", "build", "-buildvcs=false", "-o", name, command)
            .directory(project.toFile())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    try {
      assertThat(process.waitFor(10, TimeUnit.MINUTES)).isTrue();
      assertThat(process.exitValue()).as(Files.readString(output)).isZero();
    } finally {
      process.destroyForcibly();
    }
    return project.resolve(name);
  }
}

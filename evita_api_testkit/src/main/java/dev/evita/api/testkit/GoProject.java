// SPDX-License-Identifier: Apache-2.0
package dev.evita.api.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.opentest4j.TestAbortedException;

/**
 * A project of the test resources for Go. The exact modules stand in {@code go.mod} and {@code
 * go.sum}; a command of theirs is built into {@code target}.
 */
public final class GoProject {

  private GoProject() {}

  /**
   * Builds a command; after the first time that is a matter of seconds.
   *
   * @param name of the project's directory, and what the command is to be called
   * @param command the package that is the command
   * @param subject what is not tested where Go is missing
   * @return where the command is
   * @throws TestAbortedException if Go is missing, after saying so loudly
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

// SPDX-License-Identifier: Apache-2.0
package dev.evita.testsupport;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.opentest4j.TestAbortedException;

/**
 * A node project of the test resources. The exact packages are listed in {@code package-lock.json}
 * and are installed into {@code target}.
 */
public final class NodeProject {

  private final Path installed;

  private NodeProject(Path installed) {
    this.installed = installed;
  }

  /**
   * Installs a project.
   *
   * @param name of its directory, all files of which belong to it
   * @param subject the part that is not tested if node is missing
   * @throws TestAbortedException if node is missing, after a warning
   */
  public static NodeProject install(String name, String subject)
      throws IOException, InterruptedException {
    for (var tool : List.of("node", "npm")) {
      SystemPrograms.require(tool, subject, "nodejs npm");
    }
    var project = new NodeProject(TestFiles.copyProject(name));
    project.run("npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund");
    return project;
  }

  /** A file of the project, or one created by a command. */
  public Path file(String name) {
    return installed.resolve(name);
  }

  /** Starts a command; its standard error is written to a file in the project. */
  public Process start(String... command) throws IOException {
    return new ProcessBuilder(command)
        .directory(installed.toFile())
        .redirectError(complaints(command).toFile())
        .start();
  }

  private Path complaints(String... command) {
    return installed.resolve(command[0] + ".err");
  }

  /** Returns the standard output of a command, once it has ended successfully. */
  public String run(String... command) throws IOException, InterruptedException {
    var process = start(command);
    try {
      process.getOutputStream().close();
      var output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(process.waitFor(2, TimeUnit.MINUTES)).isTrue();
      assertThat(process.exitValue()).as(Files.readString(complaints(command))).isZero();
      return output;
    } finally {
      process.destroyForcibly();
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.evita.testsupport;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.opentest4j.TestAbortedException;

/**
 * A Python project of the test resources. The exact packages are listed in {@code requirements.txt}
 * and are installed into {@code target}.
 */
public final class PythonProject {

  private final Path installed;

  private PythonProject(Path installed) {
    this.installed = installed;
  }

  /**
   * Installs a project.
   *
   * @param name of its directory, all files of which belong to it
   * @param subject the part that is not tested if Python is missing
   * @throws TestAbortedException if Python is missing, after a warning
   */
  public static PythonProject install(String name, String subject)
      throws IOException, InterruptedException {
    SystemPrograms.require("python3", subject, "python3-venv");
    var project = new PythonProject(TestFiles.copyProject(name));
    project.run("python3", "-m", "venv", "packages");
    project.run(
        project.tool("pip"),
        "install",
        "--quiet",
        "--disable-pip-version-check",
        "--no-deps",
        "-r",
        "requirements.txt");
    return project;
  }

  /** The path of a command that the packages install. */
  public String tool(String name) {
    return installed.resolve(Path.of("packages", "bin", name)).toString();
  }

  /** Returns the output of a command, once it has ended successfully. */
  public String run(String... command) throws IOException, InterruptedException {
    var process =
        new ProcessBuilder(command).directory(installed.toFile()).redirectErrorStream(true).start();
    try {
      process.getOutputStream().close();
      var output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(process.waitFor(3, TimeUnit.MINUTES)).isTrue();
      assertThat(process.exitValue()).as(output).isZero();
      return output;
    } finally {
      process.destroyForcibly();
    }
  }
}

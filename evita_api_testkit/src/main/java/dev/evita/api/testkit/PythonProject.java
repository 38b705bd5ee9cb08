// SPDX-License-Identifier: Apache-2.0
package dev.evita.api.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.opentest4j.TestAbortedException;

/**
 * A project of the test resources for Python. The exact packages stand in {@code requirements.txt}
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
   * @param name of its directory
   * @param config the other file beside the packages' list
   * @param subject what is not tested where Python is missing
   * @throws TestAbortedException if it is, after saying so loudly
   */
  public static PythonProject install(String name, String config, String subject)
      throws IOException, InterruptedException {
    SystemPrograms.require("python3", subject, "python3-venv");
    var project = new PythonProject(Path.of("target", name).toAbsolutePath());
    Files.createDirectories(project.installed);
    for (var file : List.of("requirements.txt", config)) {
      var source = Path.of("src", "test", "resources", name, file);
      Files.write(project.installed.resolve(file), Files.readAllBytes(source));
    }
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

  /** The path of a command that the packages bring. */
  public String tool(String name) {
    return installed.resolve(Path.of("packages", "bin", name)).toString();
  }

  /** What a command writes, once it has ended well. */
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

// SPDX-License-Identifier: Apache-2.0
package dev.evita.api.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.opentest4j.TestAbortedException;

/**
 * A project of the test resources for node. The exact packages stand in {@code package-lock.json}
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
   * @param name of its directory
   * @param script the file beside the packages' lists
   * @param subject what is not tested where node is missing
   * @throws TestAbortedException if it is, after saying so loudly
   */
  public static NodeProject install(String name, String script, String subject)
      throws IOException, InterruptedException {
    for (var tool : List.of("node", "npm")) {
      if (!onPath(tool)) {
        throw missing(subject, tool + " is not on the PATH");
      }
    }
    var project = new NodeProject(Path.of("target", name));
    Files.createDirectories(project.installed);
    for (var file : List.of("package.json", "package-lock.json", script)) {
      var source = Path.of("src", "test", "resources", name, file);
      Files.write(project.installed.resolve(file), Files.readAllBytes(source));
    }
    project.run("npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund");
    return project;
  }

  private static boolean onPath(String tool) {
    for (var directory : System.getenv("PATH").split(File.pathSeparator, -1)) {
      if (Files.isExecutable(Path.of(directory, tool))) {
        return true;
      }
    }
    return false;
  }

  private static TestAbortedException missing(String subject, String reason) {
    var line = "!".repeat(78);
    System.err.println(line);
    System.err.println("!! NOT TESTED: " + subject + ".");
    System.err.println("!! " + reason);
    System.err.println("!! Remedy: apt-get install nodejs npm");
    System.err.println(line);
    return new TestAbortedException(reason);
  }

  /** Starts a command; what it writes to standard error goes to a file in the project. */
  public Process start(String... command) throws IOException {
    return new ProcessBuilder(command)
        .directory(installed.toFile())
        .redirectError(complaints(command).toFile())
        .start();
  }

  private Path complaints(String... command) {
    return installed.resolve(command[0] + ".err");
  }

  /** What a command writes to standard output, once it has ended well. */
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

// SPDX-License-Identifier: Apache-2.0
package dev.evita.benchmarks;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Builds a program of another language from its directory, by the tool of that language and its
 * lock file: Go, Rust, Node.js or Python. What it compiles goes to {@code target/candidates}; npm
 * installs into the directory itself.
 */
final class CandidateBuild {

  private static final Path OUTPUT = Path.of("target", "candidates").toAbsolutePath();
  private static final int LAST_CHARACTERS = 250;

  private final Path directory;
  private final String name;

  CandidateBuild(Path directory) {
    this.directory = directory.toAbsolutePath();
    this.name = this.directory.getFileName().toString();
  }

  /**
   * Builds it, unless that was done before, and returns the words of the command that runs it.
   *
   * @throws IOException if the tool is missing or fails, with the end of its output
   */
  List<String> command() throws IOException, InterruptedException {
    Files.createDirectories(OUTPUT);
    if (has("go.mod")) {
      return go();
    }
    if (has("Cargo.toml")) {
      return rust();
    }
    if (has("package.json")) {
      return node();
    }
    if (has("requirements.txt")) {
      return python();
    }
    throw new IOException(
        "%s holds none of go.mod, Cargo.toml, package.json, requirements.txt".formatted(directory));
  }

  private boolean has(String file) {
    return Files.exists(directory.resolve(file));
  }

  private List<String> go() throws IOException, InterruptedException {
    var program = OUTPUT.resolve(name).toString();
    run("go", "build", "-o", program, ".");
    return List.of(program);
  }

  private List<String> rust() throws IOException, InterruptedException {
    var target = OUTPUT.resolve("rust");
    run("cargo", "build", "--release", "--locked", "--target-dir", target.toString());
    return List.of(target.resolve("release").resolve(name).toString());
  }

  private List<String> node() throws IOException, InterruptedException {
    var installed = directory.resolve("node_modules/.package-lock.json");
    var node = directory.resolve("node_modules/.bin/node");
    if (olderThan("package-lock.json", installed) || Files.notExists(node)) {
      run("npm", "ci", "--no-audit", "--no-fund");
    }
    var next = directory.resolve("node_modules/.bin/next");
    if (Files.notExists(next)) {
      return List.of(node.toString(), directory.resolve("server.mjs").toString());
    }
    if (Files.notExists(directory.resolve(".next/BUILD_ID"))) {
      run(node.toString(), next.toString(), "build");
    }
    return List.of(node.toString(), next.toString(), "start", directory.toString());
  }

  private List<String> python() throws IOException, InterruptedException {
    var environment = OUTPUT.resolve(name);
    var installed = environment.resolve("installed");
    if (olderThan("requirements.txt", installed)) {
      run("python3", "-m", "venv", environment.toString());
      run(
          environment.resolve("bin/pip").toString(),
          "install",
          "--quiet",
          "--disable-pip-version-check",
          "-r",
          "requirements.txt");
      Files.writeString(installed, "");
    }
    var uvicorn = environment.resolve("bin/uvicorn").toString();
    return List.of(
        uvicorn, "main:app", "--app-dir", directory.toString(), "--no-access-log", "--port");
  }

  /** Whether the result of a build is missing, or its source was changed afterwards. */
  private boolean olderThan(String source, Path result) throws IOException {
    return Files.notExists(result)
        || Files.getLastModifiedTime(result)
                .compareTo(Files.getLastModifiedTime(directory.resolve(source)))
            < 0;
  }

  private void run(String... command) throws IOException, InterruptedException {
    System.out.printf("%s: %s%n", name, String.join(" ", Arrays.asList(command)));
    var process =
        ChildProcesses.add(
            new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .start());
    var output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    var status = process.waitFor();
    ChildProcesses.remove(process);
    if (status != 0) {
      var from = Math.max(0, output.length() - LAST_CHARACTERS);
      throw new IOException("%s failed: %s".formatted(command[0], output.substring(from)));
    }
  }

  /**
   * Returns the version of a library that the lock file pins.
   *
   * @throws IOException if it does not
   */
  String version(String library) throws IOException {
    var quoted = Pattern.quote(library);
    if (has("go.mod")) {
      return version("go.mod", quoted + " v(\\S+)");
    }
    if (has("Cargo.lock")) {
      return version("Cargo.lock", "name = \"" + quoted + "\"\\s+version = \"([^\"]+)\"");
    }
    if (has("package-lock.json")) {
      return version(
          "package-lock.json", "node_modules/" + quoted + "\": \\{\\s+\"version\": \"([^\"]+)\"");
    }
    if (has("requirements.txt")) {
      return version("requirements.txt", "(?m)^" + quoted + "==(\\S+)$");
    }
    return version("target/classpath", "/" + quoted + "-([0-9][^/:]*)\\.jar");
  }

  private String version(String file, String pattern) throws IOException {
    var matcher = Pattern.compile(pattern).matcher(Files.readString(directory.resolve(file)));
    if (!matcher.find()) {
      throw new IOException("%s has no version of the form %s".formatted(file, pattern));
    }
    return matcher.group(1);
  }
}
